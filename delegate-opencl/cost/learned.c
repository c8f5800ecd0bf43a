// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/cost/learned.h"

#include <string.h>

#include "delegate-opencl/device/notes.h"
#include "tensorflow/lite/builtin_ops.h"

// Less than this says nothing; of more than that the older half is forgotten, bit by bit. No estimate is
// wrong by a larger factor: beyond it something else was measured.
enum { ENOUGH_NS = 50000, MOST_NS = 1000000000, FACTOR = 8 };

void lite_cl_learned_find(LiteClDevice* device, const char* key, LiteClSide* side) {
    bool fine = lite_cl_note_find(device, key, side->rows, sizeof side->rows);
    for (int r = 0; r < LITE_CL_LEARNED_ROWS && fine; r++) {
        const LiteClLearnedRow* row = &side->rows[r];
        fine = row->estimated >= 0 && row->estimated <= MOST_NS && row->taken >= 0 &&
               row->taken <= (int64_t)MOST_NS * FACTOR;
    }
    if (!fine) memset(side->rows, 0, sizeof side->rows);
}

void lite_cl_learned_keep(LiteClDevice* device, const char* key, const LiteClSide* side) {
    lite_cl_note_keep(device, key, side->rows, sizeof side->rows, true);
}

// A node by its shapes, and its rows.
typedef struct Estimate {
    double ns;
    int operator;
    int kind;
} Estimate;

static Estimate estimate(const LiteClSide* side, const LiteClNode* node) {
    const LiteClWork work = lite_cl_work(node);
    const int half = work.quantized ? LITE_CL_LEARNED_HALF : 0;
    // Operators of programs, and the host's custom ones, have no number of their own.
    const bool is_known = node->code >= 0 && node->code < LITE_CL_LEARNED_OPERATORS;
    return (Estimate){(double)lite_cl_work_time(&work, &side->rates),
                      half + (is_known ? node->code : kTfLiteBuiltinCustom),
                      half + LITE_CL_LEARNED_OPERATORS + (int)work.kind};
}

int64_t lite_cl_estimate(const LiteClSide* side, const LiteClNode* node) {
    const Estimate guess = estimate(side, node);
    const double raw = guess.ns;
    const LiteClLearnedRow* row = &side->rows[guess.operator];
    if (row->estimated < ENOUGH_NS) row = &side->rows[guess.kind];
    if (row->estimated < ENOUGH_NS) return (int64_t)raw;
    const double factor = (double)row->taken / (double)row->estimated;
    return (int64_t)(raw * (factor * FACTOR < 1 ? 1.0 / FACTOR : factor));
}

int64_t lite_cl_estimate_plainly(const LiteClSide* side, const LiteClNode* node) {
    return (int64_t)estimate(side, node).ns;
}

static void add(LiteClLearnedRow* row, double estimated, double taken) {
    const double most = 0.5 * MOST_NS;
    if (estimated > most) { // one of many cannot outweigh the others
        taken *= most / estimated;
        estimated = most;
    }
    if (row->estimated + (int64_t)estimated > MOST_NS) {
        row->estimated /= 2;
        row->taken /= 2;
    }
    row->estimated += (int64_t)estimated;
    row->taken += (int64_t)(taken < estimated * FACTOR ? taken : estimated * FACTOR);
}

// Nodes [first, end) took so long together; each had its part by its estimate.
static void add_nodes(LiteClSide* side, const LiteClGraph* graph, int first, int end, double taken) {
    double whole = 0;
    for (int n = first; n < end; n++) whole += estimate(side, &graph->nodes[n]).ns;
    for (int n = first; n < end && whole > 0; n++) {
        const Estimate guess = estimate(side, &graph->nodes[n]);
        add(&side->rows[guess.operator], guess.ns, taken * guess.ns / whole);
        add(&side->rows[guess.kind], guess.ns, taken * guess.ns / whole);
    }
}

void lite_cl_learn_sum(LiteClSide* side, const LiteClGraph* graph, int64_t taken) {
    if (taken > 0) add_nodes(side, graph, 0, graph->node_count, (double)taken);
}

void lite_cl_learn(LiteClSide* side, const LiteClGraph* graph, const int64_t* times, int time_count) {
    for (int n = 0, end; n < graph->node_count; n = end) {
        const int index = graph->nodes[n].index;
        const int64_t taken = index < time_count ? times[index] : -1;
        for (end = n + 1; end < graph->node_count; end++) {
            const int next = graph->nodes[end].index;
            if (next >= time_count || times[next] != 0) break;
        }
        if (taken > 0) add_nodes(side, graph, n, end, (double)taken);
    }
}
