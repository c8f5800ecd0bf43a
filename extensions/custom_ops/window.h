// SPDX-License-Identifier: Apache-2.0
// Windows of pooling operators, as TensorFlow's attributes ksize, strides and padding describe them.
#ifndef EXTENSIONS_CUSTOM_OPS_WINDOW_H_
#define EXTENSIONS_CUSTOM_OPS_WINDOW_H_

#include "extensions/custom_ops/view.h"
#include "oclite/flexbuffers.h"

enum { kLiteCustomWindowDims = 3 };

// The options of a node: windows over 2 or 3 dimensions between batches and channels.
typedef struct LiteCustomWindow {
    const char* fault; // what is wrong with the options; NULL: nothing
    int dims;
    int64_t sizes[kLiteCustomWindowDims];
    int64_t strides[kLiteCustomWindowDims];
    bool is_same; // padding SAME, else VALID
} LiteCustomWindow;

// For init: reads the options, of which *map is the map. NULL when memory runs out.
LiteCustomWindow* lite_custom_window_create(const char* buffer, size_t length, int dims, OcliteFlex* map);
void lite_custom_window_free(TfLiteOpaqueContext* context, void* data);

// The window of a node, or an error that says what is wrong with its options.
TfLiteStatus lite_custom_window_of(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                                   const LiteCustomWindow** window);

// The output's shape. An error tells of a window that is longer than its axis by more than a stride.
TfLiteStatus lite_custom_window_shape(TfLiteOpaqueContext* context, const char* op,
                                      const LiteCustomWindow* window, const LiteCustomView* input,
                                      int64_t* shape);

// The part of window `index` that lies in the axis: [begin, end).
typedef struct LiteCustomSpan {
    int64_t begin;
    int64_t end;
} LiteCustomSpan;
LiteCustomSpan lite_custom_window_span(const LiteCustomWindow* window, int dim, int64_t length,
                                       int64_t index);

#endif
