// SPDX-License-Identifier: Apache-2.0
#include "extensions/custom_ops/window.h"

#include <stdlib.h>
#include <string.h>

// A vector [1, …, 1] with `dims` numbers over 0 in between.
static bool read_sizes(OcliteFlex options, const char* key, int dims, int64_t* sizes) {
    OcliteFlex vector, element;
    size_t count;
    if (!oclite_flex_map_find(options, key, &vector) || !oclite_flex_vector_size(vector, &count) ||
        count != (size_t)dims + 2) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t value;
        if (!oclite_flex_vector_at(vector, i, &element) || oclite_flex_kind(element) == kOcliteFlexFloat ||
            !oclite_flex_int(element, &value) || value < 1 || value > INT32_MAX) {
            return false;
        }
        const bool is_outer = i == 0 || i + 1 == count;
        if (is_outer && value != 1) return false;
        if (!is_outer) sizes[i - 1] = value;
    }
    return true;
}

static const char* read_window(OcliteFlex map, LiteCustomWindow* window) {
    const bool is_volume = window->dims == 3;
    OcliteFlex value;
    const char* padding;
    if (!read_sizes(map, "ksize", window->dims, window->sizes)) {
        return is_volume ? "ksize is not [1, DEPTH, HEIGHT, WIDTH, 1] of numbers over 0"
                         : "ksize is not [1, HEIGHT, WIDTH, 1] of numbers over 0";
    }
    if (!read_sizes(map, "strides", window->dims, window->strides)) {
        return is_volume ? "strides is not [1, DEPTH, HEIGHT, WIDTH, 1] of numbers over 0"
                         : "strides is not [1, HEIGHT, WIDTH, 1] of numbers over 0";
    }
    if (!oclite_flex_map_find(map, "padding", &value) || !oclite_flex_string(value, &padding, NULL)) {
        return "padding is no string";
    }
    window->is_same = strcmp(padding, "SAME") == 0;
    return window->is_same || strcmp(padding, "VALID") == 0 ? NULL : "padding is neither SAME nor VALID";
}

LiteCustomWindow* lite_custom_window_create(const char* buffer, size_t length, int dims, OcliteFlex* map) {
    LiteCustomWindow* window = calloc(1, sizeof(*window));
    if (window == NULL) return NULL;
    window->dims = dims;
    if (buffer == NULL || !oclite_flex_root(buffer, length, map)) {
        window->fault = "the options are no map";
    } else {
        window->fault = read_window(*map, window);
    }
    return window;
}

void lite_custom_window_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    free(data);
}

TfLiteStatus lite_custom_window_of(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                                   const LiteCustomWindow** window) {
    *window = TfLiteOpaqueNodeGetUserData(node);
    if (*window == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    if ((*window)->fault == NULL) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %s", op, (*window)->fault);
}

// Negative where a window is longer than the axis by more than a stride.
static int64_t window_count(const LiteCustomWindow* window, int dim, int64_t length) {
    const int64_t stride = window->strides[dim];
    if (window->is_same) return (length + stride - 1) / stride;
    return (length - window->sizes[dim] + stride) / stride;
}

TfLiteStatus lite_custom_window_shape(TfLiteOpaqueContext* context, const char* op,
                                      const LiteCustomWindow* window, const LiteCustomView* input,
                                      int64_t* shape) {
    shape[0] = input->dims[0];
    shape[window->dims + 1] = input->dims[window->dims + 1];
    for (int i = 0; i < window->dims; i++) {
        shape[i + 1] = window_count(window, i, input->dims[i + 1]);
        if (shape[i + 1] >= 0) continue;
        return lite_extension_fail(context, "%s: a window of %lld over dimension %d, which is %lld", op,
                                   (long long)window->sizes[i], i + 1, (long long)input->dims[i + 1]);
    }
    return kTfLiteOk;
}

LiteCustomSpan lite_custom_window_span(const LiteCustomWindow* window, int dim, int64_t length,
                                       int64_t index) {
    const int64_t size = window->sizes[dim], stride = window->strides[dim];
    const int64_t padding =
        (window_count(window, dim, length) - 1) * stride + size - length; // VALID: 0 or less
    const int64_t first = index * stride - (padding > 0 ? padding / 2 : 0);
    return (LiteCustomSpan){first > 0 ? first : 0, first + size < length ? first + size : length};
}
