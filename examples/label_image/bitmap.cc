// SPDX-License-Identifier: Apache-2.0
#include "examples/label_image/bitmap.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

constexpr int kMaxPixels = 1 << 26; // width times height

// Reads a number of four bytes, the lowest first.
int32_t Number(const std::vector<uint8_t>& file, size_t offset) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; i++) value |= static_cast<uint32_t>(file[offset + i]) << (8 * i);
    return static_cast<int32_t>(value);
}

} // namespace

bool ReadBitmap(const std::string& path, Bitmap* bitmap) {
    std::ifstream stream(path, std::ios::binary);
    const std::vector<uint8_t> file((std::istreambuf_iterator<char>(stream)),
                                    std::istreambuf_iterator<char>());
    if (file.size() < 54 || file[0] != 'B' || file[1] != 'M') return false;
    const int64_t begin = Number(file, 10);
    const int64_t width = Number(file, 18);
    const int64_t signed_height = Number(file, 22); // negative: the rows go down
    const int64_t height = std::abs(signed_height);
    const int64_t bytes = file[28] / 8;
    if (bytes != 1 && bytes != 3 && bytes != 4) return false;
    if (width < 1 || height < 1 || width > kMaxPixels / height) return false;
    const int64_t row_bytes = (bytes * width + 3) / 4 * 4;
    if (begin < 0 || begin + row_bytes * height > static_cast<int64_t>(file.size())) return false;

    bitmap->width = static_cast<int>(width);
    bitmap->height = static_cast<int>(height);
    bitmap->pixels.clear();
    for (int64_t y = 0; y < height; y++) {
        const int64_t row = signed_height < 0 ? y : height - 1 - y;
        for (int64_t x = 0; x < width; x++) {
            const uint8_t* pixel = &file[static_cast<size_t>(begin + row * row_bytes + x * bytes)];
            // Blue comes first in the file.
            for (int channel = 2; channel >= 0; channel--) {
                bitmap->pixels.push_back(pixel[bytes == 1 ? 0 : channel]);
            }
        }
    }
    return true;
}

std::vector<float> ScaleBitmap(const Bitmap& bitmap, int width, int height) {
    const auto at = [&](int x, int y, int channel) {
        const auto index =
            (static_cast<size_t>(y) * static_cast<size_t>(bitmap.width) + static_cast<size_t>(x)) * 3;
        return static_cast<float>(bitmap.pixels[index + static_cast<size_t>(channel)]);
    };
    std::vector<float> result;
    for (int y = 0; y < height; y++) {
        const float source_y =
            static_cast<float>(y) * static_cast<float>(bitmap.height) / static_cast<float>(height);
        const int top = static_cast<int>(source_y);
        const int bottom = std::min(top + 1, bitmap.height - 1);
        const float down = source_y - static_cast<float>(top);
        for (int x = 0; x < width; x++) {
            const float source_x =
                static_cast<float>(x) * static_cast<float>(bitmap.width) / static_cast<float>(width);
            const int left = static_cast<int>(source_x);
            const int right = std::min(left + 1, bitmap.width - 1);
            const float across = source_x - static_cast<float>(left);
            for (int c = 0; c < 3; c++) {
                const float above = at(left, top, c) * (1 - across) + at(right, top, c) * across;
                const float below = at(left, bottom, c) * (1 - across) + at(right, bottom, c) * across;
                result.push_back(above * (1 - down) + below * down);
            }
        }
    }
    return result;
}
