// SPDX-License-Identifier: Apache-2.0
// Tensors as the operators of this library see them.
#ifndef EXTENSIONS_CUSTOM_OPS_VIEW_H_
#define EXTENSIONS_CUSTOM_OPS_VIEW_H_

#include "extensions/common/operator.h"

enum { kLiteCustomRank = 8 };

// A snapshot, valid until shapes change. `data` is NULL where the tensor has no memory yet.
typedef struct LiteCustomView {
    TfLiteOpaqueTensor* tensor;
    void* data;
    TfLiteType type;
    int rank;
    int64_t dims[kLiteCustomRank];
    int64_t count;    // elements
    bool is_constant; // its contents are known in prepare
} LiteCustomView;

// The operator's name in messages ("Roll") is the `op` argument of what follows.

// Input or output `index`. An error says when it is absent or has more than kLiteCustomRank dimensions.
TfLiteStatus lite_custom_input(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                               int index, LiteCustomView* view);
TfLiteStatus lite_custom_output(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                                int index, LiteCustomView* view);

// The node has between min and max inputs and exactly `outputs` outputs, or an error.
TfLiteStatus lite_custom_check_counts(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                      const char* op, int min_inputs, int max_inputs, int outputs);

// The view has one of the types, given as bits 1 << type, or an error that calls it `what`.
TfLiteStatus lite_custom_check_types(TfLiteOpaqueContext* context, const char* op, const char* what,
                                     const LiteCustomView* view, uint32_t types);
TfLiteStatus lite_custom_check_rank(TfLiteOpaqueContext* context, const char* op, const char* what,
                                    const LiteCustomView* view, int rank);
// Both have the same dimensions, or an error.
TfLiteStatus lite_custom_check_same_shape(TfLiteOpaqueContext* context, const char* op, const char* a_name,
                                          const LiteCustomView* a, const char* b_name,
                                          const LiteCustomView* b);

// A shape as text: "[2,3]". It is cut short where it does not fit.
typedef struct LiteCustomText {
    char text[128];
} LiteCustomText;
LiteCustomText lite_custom_shape_text(const LiteCustomView* view);

// Gives an output the shape of a view.
TfLiteStatus lite_custom_resize_like(TfLiteOpaqueContext* context, const char* op, LiteCustomView* output,
                                     const LiteCustomView* like);

// Computes the shape of output 0 from what the inputs hold.
typedef struct LiteCustomShape {
    int rank;
    int64_t dims[kLiteCustomRank];
} LiteCustomShape;
typedef TfLiteStatus (*LiteCustomShapeRule)(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                            LiteCustomShape* shape);

// In prepare: sizes output 0 if the input that the rule reads is constant, else puts it off until invoke.
TfLiteStatus lite_custom_size_output(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                     const char* op, int read_input, LiteCustomShapeRule rule);
// In invoke: the view of output 0, sized first where that was put off.
TfLiteStatus lite_custom_sized_output(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                      const char* op, int read_input, LiteCustomShapeRule rule,
                                      LiteCustomView* output);
// A rule's dimensions that are the elements of an input: a vector of INT32 or INT64.
TfLiteStatus lite_custom_read_shape(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                    const char* op, int index, LiteCustomShape* shape);

// An element of an INT8, INT32 or INT64 view.
int64_t lite_custom_integer(const LiteCustomView* view, int64_t index);

#endif
