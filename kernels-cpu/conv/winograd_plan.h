// SPDX-License-Identifier: Apache-2.0
// Which convolutions Winograd's way is for, and how their work is cut: arithmetic on sizes alone.
#ifndef KERNELS_CPU_CONV_WINOGRAD_PLAN_H_
#define KERNELS_CPU_CONV_WINOGRAD_PLAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/winograd_choice.h"
#include "kernels-cpu/gemm/gemm_shape.h"

// What products have in a table of micro kernels.
typedef struct LiteWinogradMicro {
    int rows;  // of the largest tile of floats
    int panel; // columns of a panel
    int lanes;
} LiteWinogradMicro;

// Tiles of the output in rows from left to right, line by line, image by image. An item of work is a block of
// them times a range of panels.
typedef struct LiteWinogradPlan {
    int tile;         // outputs along each side of a tile: 2 or 4
    int size;         // inputs, tile + 2
    int32_t across;   // tiles
    int32_t down;     // tiles
    int64_t tiles;    // of all images
    int64_t blocks;   // of tiles
    int64_t panels;   // of output channels
    int64_t splits;   // ranges of panels
    int64_t most;     // tiles of a block
    int64_t width;    // columns of the largest range of panels
    size_t in_plane;  // elements from a plane of transformed inputs to the next
    size_t out_plane; // the same of products
} LiteWinogradPlan;

// An item of work.
typedef struct LiteWinogradRange {
    int64_t first; // tile
    int64_t tiles;
    int64_t first_panel;
    int64_t end_panel;
} LiteWinogradRange;
LiteWinogradRange lite_winograd_range(const LiteWinogradPlan* plan, int64_t block, int64_t split);

// The columns of a panel of `width` that there are.
int lite_winograd_columns(const LiteConvShape* shape, int64_t panel, int width);

// Where a tile begins.
typedef struct LiteWinogradTile {
    int32_t batch;
    int32_t y; // output line
    int32_t x;
    int lines; // that there are
    int columns;
} LiteWinogradTile;
LiteWinogradTile lite_winograd_find_tile(const LiteWinogradPlan* plan, const LiteConvShape* shape,
                                         int64_t index);

// What a tile reads.
typedef struct LiteWinogradWindow {
    const void* in; // its first pixel
    size_t line;    // elements from a line to the next
} LiteWinogradWindow;
// Of an input with elements of so many bytes. A tile that is partly in the padding, whose bytes are `fill`,
// is copied, to room for size * size pixels.
LiteWinogradWindow lite_winograd_window(const LiteWinogradPlan* plan, const LiteConvShape* shape,
                                        const LiteWinogradTile* tile, const void* input, size_t element,
                                        int fill, void* copy);

// Filters of 3 x 3 without strides, dilation or groups, and sizes that are not too large.
bool lite_winograd_is_possible(const LiteConvShape* shape);

// Outputs along each side of the tiles that are estimated to be fastest; 0: other ways are. The same for any
// number of threads.
int lite_winograd_tile(const LiteConvShape* shape, const LiteWinogradMicro* micro, LiteWinogradChoice choice);

// Whether products of 16 bits with tiles of 2 are estimated to be faster than those of the direct way.
// Whether sums fit is the caller's to know (winograd_bytes.c).
bool lite_winograd_pays_for_bytes(const LiteConvShape* shape, const LiteWinogradMicro* micro,
                                  LiteWinogradChoice choice);

// Cuts the work for so many threads. `shape` is possible and has outputs.
void lite_winograd_plan(const LiteConvShape* shape, const LiteWinogradMicro* micro, int tile, int threads,
                        LiteWinogradPlan* plan);

#endif
