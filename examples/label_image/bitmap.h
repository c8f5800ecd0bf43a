// SPDX-License-Identifier: Apache-2.0
// Pictures for label_image: reads .bmp files, and scales pictures.
#ifndef EXAMPLES_LABEL_IMAGE_BITMAP_H_
#define EXAMPLES_LABEL_IMAGE_BITMAP_H_

#include <cstdint>
#include <string>
#include <vector>

// Rows from top to bottom, three bytes (red, green, blue) for each pixel.
struct Bitmap {
    int width = 0;
    int height = 0;
    std::vector<uint8_t> pixels;
};

// Reads an uncompressed .bmp file of 8 (grey), 24 or 32 bits per pixel. Returns false when it cannot be read.
bool ReadBitmap(const std::string& path, Bitmap* bitmap);

// Returns the picture in another size, interpolated bilinearly; values from 0 to 255.
std::vector<float> ScaleBitmap(const Bitmap& bitmap, int width, int height);

#endif
