// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/move_tensor.h"

#include "core/base/cancel.h"
#include "kernels-cpu/support/move.h"
#include "kernels-cpu/support/packed.h"
#include "kernels-cpu/support/strings.h"

// Elements within bytes, one by one.
static void move_packed(const LiteMove* move, const LiteView* input, int64_t from, LiteView* output,
                        int64_t to) {
    int64_t at[LITE_MOVE_RANK] = {0}, total = 1;
    for (int i = 0; i < move->rank; i++) total *= move->dims[i];
    for (int64_t n = 0; n < total && !lite_cancelled_at(n); n++) {
        lite_packed_put(output->data, output->type, to, lite_packed_get(input->data, input->type, from));
        for (int d = move->rank - 1; d >= 0; d--) {
            from += move->from[d];
            to += move->to[d];
            if (++at[d] < move->dims[d]) break;
            from -= move->from[d] * move->dims[d];
            to -= move->to[d] * move->dims[d];
            at[d] = 0;
        }
    }
    lite_packed_end(output->data, output->type, output->count);
}

TfLiteStatus lite_move_tensor(TfLiteOpaqueContext* context, const char* op, const LiteMove* move,
                              const LiteView* input, int64_t from_offset, LiteView* output,
                              int64_t to_offset) {
    const size_t element = lite_type_size(input->type);
    const int threads = lite_kernel_num_threads(context);
    if (input->type == kTfLiteString) {
        return lite_strings_move(context, op, move, input, from_offset, output);
    }
    if (lite_is_packed(input->type)) {
        move_packed(move, input, from_offset, output, to_offset);
        return kTfLiteOk;
    }
    if (element == 0) {
        return lite_fail(context, "%s: elements of type %s cannot be moved", op,
                         TfLiteTypeGetName(input->type));
    }
    // Pointers to the first element, which an empty tensor has not.
    if (input->count == 0 || output->count == 0) return kTfLiteOk;
    lite_move_run(move, (const char*)input->data + from_offset * (int64_t)element,
                  (char*)output->data + to_offset * (int64_t)element, element, threads);
    return kTfLiteOk;
}

static int index_of(const TfLiteOpaqueContext* context, const LiteView* view) {
    const TfLiteTensor* tensor = (const TfLiteTensor*)(const void*)view->tensor;
    return (int)(tensor - ((const TfLiteContext*)(const void*)context)->tensors);
}

TfLiteStatus lite_move_or_place(TfLiteOpaqueContext* context, const char* op, LitePlaces* places,
                                const LiteMove* move, const LiteView* input, int64_t from_offset,
                                LiteView* output, int64_t to_offset) {
    if (places == NULL) return lite_move_tensor(context, op, move, input, from_offset, output, to_offset);
    const int64_t element = (int64_t)lite_type_size(input->type);
    int64_t count;
    if (element == 0 || lite_is_packed(input->type) || !lite_move_is_run(move, &count)) {
        places->is_partly = true;
    } else if (count == output->count) {
        lite_move_add_place(context, places, output, input, from_offset * element);
    } else if (count == input->count) {
        lite_move_add_place(context, places, input, output, to_offset * element);
    } else {
        places->is_partly = true;
    }
    return kTfLiteOk;
}

void lite_move_add_place(TfLiteOpaqueContext* context, LitePlaces* places, const LiteView* part,
                         const LiteView* whole, int64_t offset) {
    const LitePlace place = {
        .tensor = index_of(context, part), .within = index_of(context, whole), .offset = (size_t)offset};
    if (!lite_places_add(places, place)) places->is_partly = true;
}
