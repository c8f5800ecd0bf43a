// SPDX-License-Identifier: Apache-2.0
// What the first build of a plan has chosen by the shapes that it had. Later builds, for other shapes, go on
// with it where they can: a resize then needs no other program, and no constants in another layout.
#ifndef DELEGATE_OPENCL_PLAN_FIRST_H_
#define DELEGATE_OPENCL_PLAN_FIRST_H_

#include "delegate-opencl/device/tune.h"

// A product, or a kernel that goes along rows.
typedef struct LiteClFirst {
    struct LiteClFirst* next;
    const void* owner; // a node
    int part;          // which of several that it has
    bool bytes;        // a product of bytes
    int8_t winograd;   // see lite_cl_winograd_side
    int rows;          // when it was first built
    int columns;
    const LiteClTile* tile; // of products: the cheapest one for that shape
} LiteClFirst;

// What it was when it was first built, which is as `now`, of which the tile need not be set, unless there was
// a build before. Products of a single row, which have tiles of their own, are none of several rows. NULL
// after a report. The list, which begins as NULL, owns the result.
const LiteClFirst* lite_cl_first_find(LiteClFirst** list, LiteClClass class, const LiteClFirst* now,
                                      const LiteReporter* reporter);
void lite_cl_first_free(LiteClFirst** list);

#endif
