// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/strings.h"

#include <string.h>

#include "kernels-cpu/support/move.h"

// Offsets may lie at any address in a model file.
static int32_t read_i32(const void* data, int64_t index) {
    int32_t value;
    memcpy(&value, (const char*)data + index * (int64_t)sizeof value, sizeof value);
    return value;
}

TfLiteStatus lite_strings_check(TfLiteOpaqueContext* context, const char* op, const LiteView* view) {
    if (view->type != kTfLiteString) {
        return lite_fail(context, "%s: expected strings, got %s", op, TfLiteTypeGetName(view->type));
    }
    if (view->count == 0) return kTfLiteOk;
    if (view->data == NULL || view->bytes < sizeof(int32_t)) {
        return lite_fail(context, "%s: a string tensor of %lld elements has no contents", op,
                         (long long)view->count);
    }
    const int64_t count = read_i32(view->data, 0);
    if (count != view->count) {
        return lite_fail(context, "%s: a string tensor holds %lld strings, its shape has %lld", op,
                         (long long)count, (long long)view->count);
    }
    const int64_t header = (count + 2) * (int64_t)sizeof(int32_t);
    if ((uint64_t)header > view->bytes) {
        return lite_fail(context, "%s: a string tensor of %lld strings has %zu bytes", op, (long long)count,
                         view->bytes);
    }
    int64_t previous = header;
    for (int64_t i = 0; i <= count; i++) {
        const int64_t offset = read_i32(view->data, i + 1);
        if (offset < previous || (uint64_t)offset > view->bytes) {
            return lite_fail(context, "%s: string %lld of a tensor starts at byte %lld of %zu", op,
                             (long long)i, (long long)offset, view->bytes);
        }
        previous = offset;
    }
    return kTfLiteOk;
}

const char* lite_strings_get(const LiteView* view, int64_t index, size_t* length) {
    const int32_t begin = read_i32(view->data, index + 1);
    *length = (size_t)(read_i32(view->data, index + 2) - begin);
    return (const char*)view->data + begin;
}

TfLiteStatus lite_strings_select(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                 const int32_t* which, LiteView* output) {
    const int64_t count = output->count;
    int64_t bytes = (count + 2) * (int64_t)sizeof(int32_t);
    for (int64_t i = 0; i < count; i++) {
        size_t length;
        lite_strings_get(input, which[i], &length);
        bytes += (int64_t)length;
        if (bytes > INT32_MAX) return lite_fail(context, "%s: the strings take more than 2 GiB", op);
    }
    TfLiteTensor* tensor = (TfLiteTensor*)(void*)output->tensor;
    const bool enough = TfLiteTensorRealloc((size_t)bytes, tensor) == kTfLiteOk;
    char* data = TfLiteOpaqueTensorData(output->tensor);
    if (!enough || data == NULL) {
        return lite_fail(context, "%s: out of memory for %lld bytes of strings", op, (long long)bytes);
    }
    int32_t* header = (int32_t*)(void*)data;
    int32_t offset = (int32_t)((count + 2) * (int64_t)sizeof(int32_t));
    header[0] = (int32_t)count;
    header[1] = offset;
    for (int64_t i = 0; i < count; i++) {
        size_t length;
        const char* text = lite_strings_get(input, which[i], &length);
        memcpy(data + offset, text, length);
        offset += (int32_t)length;
        header[i + 2] = offset;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_strings_move(TfLiteOpaqueContext* context, const char* op, const LiteMove* move,
                               const LiteView* input, int64_t from_offset, LiteView* output) {
    LITE_TRY(lite_strings_check(context, op, input));
    // The strings' numbers are moved in their place; then the strings follow.
    LiteArena arena = {0};
    TfLiteStatus status = kTfLiteOk;
    int32_t* numbers = lite_arena_alloc(&arena, (size_t)input->count, sizeof(int32_t));
    int32_t* which = lite_arena_alloc(&arena, (size_t)output->count, sizeof(int32_t));
    if (numbers == NULL || which == NULL) {
        status = lite_fail(context, "%s: out of memory", op);
        goto done;
    }
    for (int64_t i = 0; i < input->count; i++) numbers[i] = (int32_t)i;
    if (input->count > 0) lite_move_run(move, numbers + from_offset, which, sizeof(int32_t), 1);
    status = lite_strings_select(context, op, input, which, output);
done:
    lite_arena_free(&arena);
    return status;
}
