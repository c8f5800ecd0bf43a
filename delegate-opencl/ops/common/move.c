// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/move.h"

#include <stdlib.h>
#include <string.h>

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "kernels-cl/args/move.h"

_Static_assert(LITE_MOVE_RANK <= LITE_CL_MOVE_RANK, "a move fits the kernel's arguments");

static bool is_empty(const LiteMove* move) {
    for (int d = 0; d < move->rank; d++) {
        if (move->dims[d] == 0) return true;
    }
    return false;
}

// The dimensions in the destination's order, outermost first, without those of length 1, and those that can
// be walked as one merged.
static LiteMove simplify(const LiteMove* move) {
    LiteMove sorted = {0}, merged = {0};
    for (int d = 0; d < move->rank; d++) {
        if (move->dims[d] == 1) continue;
        int place = sorted.rank++;
        for (; place > 0 && llabs(sorted.to[place - 1]) < llabs(move->to[d]); place--) {
            sorted.dims[place] = sorted.dims[place - 1];
            sorted.from[place] = sorted.from[place - 1];
            sorted.to[place] = sorted.to[place - 1];
        }
        sorted.dims[place] = move->dims[d];
        sorted.from[place] = move->from[d];
        sorted.to[place] = move->to[d];
    }
    for (int d = 0; d < sorted.rank; d++) {
        const int outer = merged.rank - 1;
        if (outer >= 0 && merged.from[outer] == sorted.from[d] * sorted.dims[d] &&
            merged.to[outer] == sorted.to[d] * sorted.dims[d]) {
            merged.dims[outer] *= sorted.dims[d];
            merged.from[outer] = sorted.from[d];
            merged.to[outer] = sorted.to[d];
        } else {
            lite_move_add(&merged, sorted.dims[d], sorted.from[d], sorted.to[d]);
        }
    }
    if (merged.rank == 0) lite_move_add(&merged, 1, 1, 1);
    return merged;
}

TfLiteStatus lite_cl_move_storage(LiteClPlan* plan, const LiteMove* move, TfLiteType type, int from,
                                  int64_t from_offset, int to, int64_t to_offset) {
    if (is_empty(move)) return from >= 0 && to >= 0 ? kTfLiteOk : kTfLiteError;
    const LiteMove simple = simplify(move);
    const int inner = simple.rank - 1;
    LiteClMoveArgs args = {
        .rank = inner,
        .from_offset = (int)from_offset,
        .to_offset = (int)to_offset,
        .rows = 1,
        .width = (int)simple.dims[inner],
        .from_step = (int)simple.from[inner],
        .to_step = (int)simple.to[inner],
        .chunk = lite_cl_tune(plan->device->class)->chunk,
        .item_rows = 1,
    };
    for (int d = 0; d < inner; d++) {
        args.dims[d] = (int)simple.dims[d];
        args.from[d] = (int)simple.from[d];
        args.to[d] = (int)simple.to[d];
        args.rows *= (int)simple.dims[d];
    }
    if (args.width < args.chunk) args.item_rows = args.chunk / args.width;
    LiteClPrelude prelude = {0};
    lite_cl_define_element(&prelude, type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_move,
        .kernel = "move",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 2,
        .buffers = {from, to},
        .items = {lite_cl_chunks(args.width, args.chunk), lite_cl_chunks(args.rows, args.item_rows), 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_move_tensor(LiteClPlan* plan, const LiteMove* move, LiteClTensor* input,
                                 int64_t from_offset, LiteClTensor* output, int64_t to_offset) {
    return lite_cl_move_storage(plan, move, output->type, lite_cl_plan_tensor(plan, input), from_offset,
                                lite_cl_plan_tensor(plan, output), to_offset);
}

TfLiteStatus lite_cl_fill(LiteClPlan* plan, TfLiteType type, int value, int storage, int64_t count) {
    LiteMove move = {0};
    lite_move_add(&move, count, 0, 1);
    return lite_cl_move_storage(plan, &move, type, value, 0, storage, 0);
}

static void write_scalar(const void* state, float* packed) {
    memcpy(packed, state, sizeof(int64_t));
}

int lite_cl_scalar(LiteClPlan* plan, const LiteClNode* node, TfLiteType type, int64_t value) {
    // The low bytes of a little-endian number are the narrower numbers.
    const size_t size = lite_type_size(type);
    return value == 0
               ? lite_cl_plan_zeros(plan, size)
               : lite_cl_plan_constant(
                     plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleScalar, .layout = value},
                     sizeof value, write_scalar, &value);
}

int lite_cl_scratch(LiteClPlan* plan, const LiteShape* shape, TfLiteType type) {
    return lite_cl_plan_add_storage(plan, kLiteClArena,
                                    (size_t)lite_shape_elements(shape) * lite_type_size(type));
}

TfLiteStatus lite_cl_move_whole(LiteClPlan* plan, LiteClTensor* input, LiteClTensor* output) {
    // What a node writes over cannot be seen as another tensor, too.
    if (output->storage >= 0 || input->kept || output->kept) {
        LiteMove move = {0};
        lite_move_add(&move, lite_shape_elements(&output->shape), 1, 1);
        return lite_cl_move_tensor(plan, &move, input, 0, output, 0);
    }
    output->storage = lite_cl_plan_tensor(plan, input);
    return output->storage >= 0 ? kTfLiteOk : kTfLiteError;
}
