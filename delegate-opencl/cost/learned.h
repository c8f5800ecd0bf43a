// SPDX-License-Identifier: Apache-2.0
// What measured graphs have taught about a side: how much longer than estimated (work.h) the nodes of an
// operator take there. It corrects the estimates for graphs that nobody has measured, in all hosts. The
// process keeps it with the device, and cache_dir for later ones.
#ifndef DELEGATE_OPENCL_COST_LEARNED_H_
#define DELEGATE_OPENCL_COST_LEARNED_H_

#include "delegate-opencl/cost/work.h"

enum {
    LITE_CL_LEARNED_OPERATORS = 256,
    LITE_CL_LEARNED_HALF = LITE_CL_LEARNED_OPERATORS + LITE_CL_WORK_KINDS,
    LITE_CL_LEARNED_ROWS = 2 * LITE_CL_LEARNED_HALF
};

// Nanoseconds. There is a row for each operator, behind them one for each kind of work; then the same for
// nodes of 8 bits.
typedef struct LiteClLearnedRow {
    int64_t estimated;
    int64_t taken;
} LiteClLearnedRow;

typedef struct LiteClSide {
    LiteClRates rates;
    LiteClLearnedRow rows[LITE_CL_LEARNED_ROWS];
} LiteClSide;

// Fills `rows` with what is kept under the key; zeros, where there is nothing, or nothing that can be true.
void lite_cl_learned_find(LiteClDevice* device, const char* key, LiteClSide* side);
void lite_cl_learned_keep(LiteClDevice* device, const char* key, const LiteClSide* side);

#define LITE_CL_LEARNED_DEVICE "learned of the device"

// What a node takes, in nanoseconds; and by its shapes alone, whatever was learned.
int64_t lite_cl_estimate(const LiteClSide* side, const LiteClNode* node);
int64_t lite_cl_estimate_plainly(const LiteClSide* side, const LiteClNode* node);

// Adds the nodes of a graph that were measured, which take times[node->index]: -1: it was not. A node that
// takes nothing runs with the measured one before it.
void lite_cl_learn(LiteClSide* side, const LiteClGraph* graph, const int64_t* times, int time_count);
// Adds all nodes of a graph, which took so long together.
void lite_cl_learn_sum(LiteClSide* side, const LiteClGraph* graph, int64_t taken);

#endif
