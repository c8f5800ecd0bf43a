// SPDX-License-Identifier: Apache-2.0
#include "examples/common/picture.h"

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

// The two neighbours of a place, and how far it is from the first.
typedef struct Between {
    int first;
    int second;
    float part;
} Between;

static Between between(int index, int from, int to) {
    const float place = (float)index * (float)from / (float)to;
    const int first = (int)place;
    return (Between){first, smaller(first + 1, from - 1), place - (float)first};
}

static float blend(float a, float b, float part) {
    return a * (1 - part) + b * part;
}

void picture_scale(const Picture* picture, int width, int height, int channels, float* values) {
    for (int row = 0; row < height; row++) {
        const Between y = between(row, picture->height, height);
        const uint8_t* above = picture->pixels + (long)y.first * picture->width * 3;
        const uint8_t* below = picture->pixels + (long)y.second * picture->width * 3;
        for (int column = 0; column < width; column++) {
            const Between x = between(column, picture->width, width);
            float pixel[3];
            for (int c = 0; c < 3; c++) {
                const int left = 3 * x.first + c, right = 3 * x.second + c;
                pixel[c] = blend(blend(above[left], above[right], x.part),
                                 blend(below[left], below[right], x.part), y.part);
            }
            if (channels == 1) {
                *values++ = (pixel[0] + pixel[1] + pixel[2]) / 3;
            } else {
                for (int c = 0; c < 3; c++) *values++ = pixel[c];
            }
        }
    }
}

void picture_colour(int number, uint8_t colour[3]) {
    colour[0] = colour[1] = colour[2] = 0;
    // Three bits of the number at a time go to the three colours, the lowest bits to the highest.
    for (int bit = 7; bit >= 0 && number > 0; bit--, number >>= 3) {
        for (int c = 0; c < 3; c++) colour[c] = (uint8_t)(colour[c] | (((number >> c) & 1) << bit));
    }
}

void picture_frame(Picture* picture, int top, int left, int bottom, int right, int thickness,
                   const uint8_t colour[3]) {
    for (int y = larger(top, 0); y < smaller(bottom, picture->height); y++) {
        for (int x = larger(left, 0); x < smaller(right, picture->width); x++) {
            const bool is_inner = y >= top + thickness && y < bottom - thickness && x >= left + thickness &&
                                  x < right - thickness;
            uint8_t* pixel = picture->pixels + ((long)y * picture->width + x) * 3;
            for (int c = 0; c < 3 && !is_inner; c++) pixel[c] = colour[c];
        }
    }
}
