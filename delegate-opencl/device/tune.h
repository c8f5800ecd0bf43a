// SPDX-License-Identifier: Apache-2.0
// Sizes that depend on the device class (tune.def).
#ifndef DELEGATE_OPENCL_DEVICE_TUNE_H_
#define DELEGATE_OPENCL_DEVICE_TUNE_H_

#include "delegate-opencl/device/device.h"

typedef struct LiteClTune {
    int vector;
    int chunk;
    int tile_height;
    int tile_width;
    int pixels;
    int group;
} LiteClTune;

typedef struct LiteClTile {
    LiteClClass class;
    bool bytes;
    int rows;
    int vectors;
    int panel;
    int cost;
} LiteClTile;

const LiteClTune* lite_cl_tune(LiteClClass class);

// The tile for a matrix of `rows` x `columns`, of bytes or floats.
const LiteClTile* lite_cl_tile(LiteClClass class, bool bytes, int rows, int columns);

// The i-th of the tiles that a matrix with that many rows may have, NULL after the last.
const LiteClTile* lite_cl_tile_at(LiteClClass class, bool bytes, int rows, int i);

// Which of a device's offers are used.
typedef struct LiteClOffers {
    bool dots;
    bool halves;
} LiteClOffers;
LiteClOffers lite_cl_tune_offers(LiteClClass class);

// Items of a work-group that go through a row of so many elements together, by subgroups or in local memory;
// 0: one item does.
typedef enum LiteClRowKind { kLiteClSoftmaxRow, kLiteClReducedRow, LITE_CL_ROW_KINDS } LiteClRowKind;
int lite_cl_tune_group(const LiteClDevice* device, LiteClRowKind kind, int elements);

// Floats per vector in kernels that loop over `channels` channels: as many as the device has, or fewer when
// there are fewer channels.
int lite_cl_vector(LiteClClass class, int channels);

// More is there on processors only, for which some kernels have other forms.
enum { LITE_CL_MOST_OF_GPUS = 4 };

#endif
