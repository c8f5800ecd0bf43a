// SPDX-License-Identifier: Apache-2.0
// Models whose inputs may be resized as networks' are in use: a transformer by its sequence, a network of
// convolutions by its image.
#ifndef TESTS_SUPPORT_RESIZABLE_H_
#define TESTS_SUPPORT_RESIZABLE_H_

#include <stddef.h>
#include <stdint.h>

// [1, length, width] -> [1, 1, width]: layers of attention, a norm and a product, and the mean of all places.
// The caller releases the result with free().
uint8_t* resizable_encoder(int layers, int width, int heads, int length, size_t* size);

// [1, side, side, 3] -> [1, 1, 1, channels]: blocks of convolutions with a residual, and the mean of all
// pixels.
uint8_t* resizable_network(int blocks, int channels, int side, size_t* size);

#endif
