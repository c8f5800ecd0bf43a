// SPDX-License-Identifier: Apache-2.0
// What nodes took in graphs that were measured, by their signature: operator, parameters, types and shapes of
// all tensors, which of them are constants, and the same of the nodes that ran as one with it. It says what
// the same nodes take in a graph that nobody has measured. The process keeps it with the device, and
// cache_dir for later ones.
#ifndef DELEGATE_OPENCL_COST_KNOWN_H_
#define DELEGATE_OPENCL_COST_KNOWN_H_

#include "delegate-opencl/device/device.h"
#include "delegate-opencl/graph/graph.h"

enum { LITE_CL_KNOWN_SETS = 256, LITE_CL_KNOWN_WAYS = 8 };

typedef struct LiteClKnownRow {
    uint64_t signature; // 0: an empty row
    int64_t ns;
} LiteClKnownRow;

// Of one side. The newest of a set come first.
typedef struct LiteClKnown {
    LiteClKnownRow rows[LITE_CL_KNOWN_SETS][LITE_CL_KNOWN_WAYS];
} LiteClKnown;

#define LITE_CL_KNOWN_DEVICE "known of the device"

// Fills the table with what is kept under the key; nothing, where there is nothing, or no times.
void lite_cl_known_find(LiteClDevice* device, const char* key, LiteClKnown* known);
void lite_cl_known_keep(LiteClDevice* device, const char* key, const LiteClKnown* known);

// Adds the nodes of a graph that were measured, which take times[node->index]: -1: it was not. A node that
// takes nothing runs with the measured one before it. `seed` tells apart what signatures do not: how floats
// are stored.
void lite_cl_known_add(LiteClKnown* known, const LiteClGraph* graph, const int64_t* times, int time_count,
                       uint64_t seed);

// Sets times[n] of the nodes that are known, by place in graph->nodes, to -1 those of others; and leads[n] to
// the place of the node that n runs with, which has the time of both, -1: it has its own. Of several answers
// that of the most nodes counts.
void lite_cl_known_look_up(const LiteClKnown* known, const LiteClGraph* graph, uint64_t seed, int64_t* times,
                           int32_t* leads);

#endif
