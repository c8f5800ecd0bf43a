// SPDX-License-Identifier: Apache-2.0
// Pictures: read from JPEG, PNG and BMP files, scaled, drawn on, written as PNG.
#ifndef EXAMPLES_COMMON_PICTURE_H_
#define EXAMPLES_COMMON_PICTURE_H_

#include <stdbool.h>
#include <stdint.h>

// Rows from top to bottom, three bytes (red, green, blue) for each pixel.
typedef struct Picture {
    int width;
    int height;
    uint8_t* pixels; // released with free()
} Picture;

// Read and write files; false, with a message, when that is not possible. What is not opaque in a PNG is put
// on black.
bool picture_read(const char* path, Picture* picture);
bool picture_write(const char* path, const Picture* picture); // as PNG

// Fills `values` with the picture in another size, interpolated bilinearly, from 0 to 255. `channels` is 3,
// or 1 for grey.
void picture_scale(const Picture* picture, int width, int height, int channels, float* values);

// The colour of a class, as the pictures of the PASCAL VOC data set have it: neighbours differ much.
void picture_colour(int number, uint8_t colour[3]);

// Draws the edge of a box, `thickness` pixels wide, inside of it. What lies outside of the picture is not
// drawn.
void picture_frame(Picture* picture, int top, int left, int bottom, int right, int thickness,
                   const uint8_t colour[3]);

#endif
