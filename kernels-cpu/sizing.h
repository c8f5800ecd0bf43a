// SPDX-License-Identifier: Apache-2.0
// What operators share that move elements: checks of element types, tensors of a few integers (axes, sizes,
// paddings), and outputs whose shape comes from such a tensor.
#ifndef KERNELS_CPU_SIZING_H_
#define KERNELS_CPU_SIZING_H_

#include "kernels-cpu/kernel.h"

// A set of element types, as bits.
#define LITE_TYPE_BIT(Name) (1u << kTfLite##Name)
#define LITE_TYPES_INTEGER                                                                                   \
    (LITE_TYPE_BIT(Int8) | LITE_TYPE_BIT(UInt8) | LITE_TYPE_BIT(Int16) | LITE_TYPE_BIT(Int32) |              \
     LITE_TYPE_BIT(Int64))
#define LITE_TYPES_HALF (LITE_TYPE_BIT(Float16) | LITE_TYPE_BIT(BFloat16))
// Every type whose elements are whole bytes.
#define LITE_TYPES_FIXED                                                                                     \
    (LITE_TYPES_INTEGER | LITE_TYPES_HALF | LITE_TYPE_BIT(Float32) | LITE_TYPE_BIT(Float64) |                \
     LITE_TYPE_BIT(UInt16) | LITE_TYPE_BIT(UInt32) | LITE_TYPE_BIT(UInt64) | LITE_TYPE_BIT(Bool) |           \
     LITE_TYPE_BIT(Complex64) | LITE_TYPE_BIT(Complex128))

// `what` names the tensor in messages ("paddings").
// Gives the output the type of integers that the parameters ask for, whatever the model says of it.
TfLiteStatus lite_set_integer_type(TfLiteOpaqueContext* context, const char* op, LiteView* output,
                                   TfLiteType type);
TfLiteStatus lite_check_types(TfLiteOpaqueContext* context, const char* op, const char* what,
                              const LiteView* view, uint32_t types);
TfLiteStatus lite_check_same_type(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                  const LiteView* b);
// Scales and zero points agree, as the operators need that move quantized values unchanged.
TfLiteStatus lite_check_same_quantization(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                          const LiteView* b);

// The same type and, where it is INT8, UINT8 or INT16, quantization.
TfLiteStatus lite_check_same_elements(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                      const LiteView* output);

// All elements of an INT32 or INT64 tensor of known contents, in order; an error when there are more than
// `capacity`.
TfLiteStatus lite_read_ints(TfLiteOpaqueContext* context, const char* op, const char* what,
                            const LiteView* view, int capacity, int64_t* values, int* count);
// The element of a tensor that has one.
TfLiteStatus lite_read_int(TfLiteOpaqueContext* context, const char* op, const char* what,
                           const LiteView* view, int64_t* value);
// Element `index` of an INT32 or INT64 tensor (also INT8, INT16 or BOOL, where an operator allows it).
int64_t lite_int_at(const LiteView* view, int64_t index);

// An axis given as a number that may count from the end, made non-negative; an error when out of range.
TfLiteStatus lite_resolve_axis(TfLiteOpaqueContext* context, const char* op, int64_t axis, int rank,
                               int* resolved);

// Appends a dimension; an error when it is negative or too large, or the rank exceeds LITE_MAX_RANK.
TfLiteStatus lite_append_dim(TfLiteOpaqueContext* context, const char* op, LiteShape* shape, int64_t length);

// Computes the shape of output 0 from shapes and contents of inputs.
typedef TfLiteStatus (*LiteShapeRule)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape);

typedef TfLiteStatus (*LiteInvoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);

// In prepare: output 0 is sized now when the inputs in `contents` (a bit for each index) are constants, else
// in invoke. String outputs are always sized in invoke, as their bytes are known only there.
//
// Integers that follow from constants alone are computed at once, by `invoke`, and are constants from then
// on: so the shapes of graphs that compute with shapes are known before the first inference. `invoke` NULL:
// never.
TfLiteStatus lite_size_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                              uint32_t contents, LiteShapeRule rule, LiteInvoke invoke);

// The same for operators that know the shape of their output: `known` says that its contents follow from
// constants, and from shapes.
TfLiteStatus lite_size_known(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             const LiteShape* shape, bool known, LiteInvoke invoke);
// In prepare: gives an output its shape and memory at once, for contents that prepare itself writes (fetch
// the view afterwards) and that are a constant for what reads them.
TfLiteStatus lite_size_constant(TfLiteOpaqueContext* context, TfLiteOpaqueTensor* tensor,
                                const LiteShape* shape);
bool lite_inputs_constant(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);

// In invoke: the view of output 0, sized first when that was put off.
TfLiteStatus lite_sized_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteShapeRule rule, LiteView* output);

#endif
