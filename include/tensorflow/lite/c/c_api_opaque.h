// SPDX-License-Identifier: Apache-2.0
// What operators and delegates see of an interpreter, without depending on the layout of any struct.
//
//     static TfLiteStatus AtanPrepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
//         TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfInputs(node), 1);
//         const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
//         TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
//         const int rank = TfLiteOpaqueTensorNumDims(input);
//         TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
//         for (int i = 0; i < rank; i++) shape->data[i] = TfLiteOpaqueTensorDim(input, i);
//         return TfLiteOpaqueContextResizeTensor(context, output, shape);
//     }
//
// Contexts, nodes and tensors belong to the interpreter; pointers to them are valid during the call that
// received them, those to tensors until tensors are added. NULL, or an index that does not exist, gives
// NULL, 0, -1 or kTfLiteError. The functions are called on the thread that called the operator or delegate.
#ifndef TENSORFLOW_LITE_C_C_API_OPAQUE_H_
#define TENSORFLOW_LITE_C_C_API_OPAQUE_H_

#include <stdarg.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/c/ensure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteOpaqueTensorBuilder TfLiteOpaqueTensorBuilder;

// ---- Tensors ----

// The type of the elements; kTfLiteNoType for NULL.
TFL_CAPI_EXPORT extern TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor* opaque_tensor);

// Number of dimensions, 0 for a scalar; -1 when the tensor has no shape yet.
TFL_CAPI_EXPORT extern int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor* opaque_tensor);
// Length of one dimension; -1 when there is no such dimension.
TFL_CAPI_EXPORT extern int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor* opaque_tensor,
                                                     int32_t dim_index);

// The shape that the model was made with, where -1 stands for any length. *num_dims is -1 or 0 when the model
// does not say: the lengths are then those of the tensor. A dimension that does not exist is an error, with
// *dim_length -1.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueTensorGetNumDimsSignature(const TfLiteOpaqueTensor* opaque_tensor, int32_t* num_dims);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorGetDimSignature(const TfLiteOpaqueTensor* opaque_tensor,
                                                                      int32_t dim_index, int32_t* dim_length);

// 1 for a tensor that keeps its contents between inferences, else 0.
TFL_CAPI_EXPORT extern int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor* opaque_tensor);

// Bytes of the contents; 0 while the size is not known.
TFL_CAPI_EXPORT extern size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor* opaque_tensor);

// The elements, in row-major order. In prepare only constants have them, otherwise it is NULL.
TFL_CAPI_EXPORT extern void* TfLiteOpaqueTensorData(const TfLiteOpaqueTensor* opaque_tensor);

// The name in the model; it may be empty.
TFL_CAPI_EXPORT extern const char* TfLiteOpaqueTensorName(const TfLiteOpaqueTensor* opaque_tensor);

// Where the data is, and what follows from that; see the enumerations in common.h.
TFL_CAPI_EXPORT extern TfLiteAllocationType
TfLiteOpaqueTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT extern TfLiteAllocationStrategy
TfLiteOpaqueTensorGetAllocationStrategy(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStability
TfLiteOpaqueTensorGetBufferAddressStability(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor* t);

// The quantization in full, whose params belong to the tensor, and that of a tensor with one scale (zeros for
// others).
TFL_CAPI_EXPORT extern TfLiteQuantization
TfLiteOpaqueTensorGetQuantization(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT extern TfLiteQuantizationParams
TfLiteOpaqueTensorGetQuantizationParams(const TfLiteOpaqueTensor* opaque_tensor);

// Copies the whole contents in or out. kTfLiteError unless the size is exactly TfLiteOpaqueTensorByteSize,
// the tensor has data, and, when writing, is not a constant.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor* opaque_tensor,
                                                                     const void* input_data,
                                                                     size_t input_data_size);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(const TfLiteOpaqueTensor* opaque_tensor,
                                                                   void* output_data,
                                                                   size_t output_data_size);

// An output whose shape is known only while it is computed becomes kTfLiteDynamic in prepare and is resized
// in invoke.
TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor* tensor);

// A delegate's tensor that never gets memory on the CPU.
TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorSetNonCpuAllocation(TfLiteOpaqueTensor* tensor);

// ---- Strings ----
// Tensors of type kTfLiteString. A string has a length and may contain any bytes.

// -1 when the tensor holds no strings or its data is malformed.
TFL_CAPI_EXPORT extern int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor* tensor);

// *str points into the tensor and is not terminated; *len is in bytes.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor* tensor, int index,
                                                                const char** str, int* len);

// Replaces the tensor's contents by copies of the strings. The shape stays if it has as many elements, else
// it becomes that of a vector. The tensor is kTfLiteDynamic afterwards. The strings may lie in the tensor.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor* tensor,
                                                                   const char* const* str_array,
                                                                   int str_array_len, const int* str_n_len);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor* tensor, const char* str,
                                                                  int len);

// ---- New tensors ----
// A builder describes a tensor for TfLiteOpaqueContextAddTensor. The setters return the builder.

// A builder with all fields zero; NULL when out of memory. The caller deletes it, any time after adding.
TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderCreate(void);
TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorBuilderDelete(TfLiteOpaqueTensorBuilder* builder);
TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder*
TfLiteOpaqueTensorBuilderSetType(TfLiteOpaqueTensorBuilder* builder, TfLiteType type);
TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder*
TfLiteOpaqueTensorBuilderSetData(TfLiteOpaqueTensorBuilder* builder, void* data);
TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder*
TfLiteOpaqueTensorBuilderSetAllocationType(TfLiteOpaqueTensorBuilder* builder,
                                           TfLiteAllocationType allocation_type);
TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder*
TfLiteOpaqueTensorBuilderSetQuantizationParams(TfLiteOpaqueTensorBuilder* builder,
                                               TfLiteQuantizationParams params);
// Adding the tensor hands the quantization's params over to it: they were allocated as TfLiteQuantizationFree
// releases them.
TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder*
TfLiteOpaqueTensorBuilderSetQuantization(TfLiteOpaqueTensorBuilder* builder, TfLiteQuantization quantization);

// Appends the tensor, in prepare, and stores its index, which may be NULL. Its allocation type is
// kTfLiteArenaRw or kTfLiteArenaRwPersistent, without data, or kTfLiteDynamic, with data from malloc that the
// tensor takes over. A node names its temporaries by TfLiteOpaqueNodeSetTemporaries and sizes them by
// TfLiteOpaqueContextResizeTensor.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext* context,
                                                                 TfLiteOpaqueTensorBuilder* builder,
                                                                 int* new_tensor_index);

// ---- Nodes ----

// NULL also for an optional input that is absent.
TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor*
TfLiteOpaqueNodeGetInput(const TfLiteOpaqueContext* opaque_context, const TfLiteOpaqueNode* opaque_node,
                         int index);
TFL_CAPI_EXPORT extern TfLiteOpaqueTensor* TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext* opaque_context,
                                                                     const TfLiteOpaqueNode* opaque_node,
                                                                     int index);

// Inputs, absent ones included, and outputs.
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode* opaque_node);

// What the operator's init returned.
TFL_CAPI_EXPORT extern void* TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode* opaque_node);

// The TfLite…Params of a builtin operator (builtin_op_data.h); NULL for others and for operators without
// parameters.
TFL_CAPI_EXPORT extern void* TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode* opaque_node);

// The options of a custom operator, as in the model, and their size in bytes.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(const TfLiteOpaqueNode* opaque_node,
                                                                         const void** init_data, int* size);

// Indices of the node's tensors, -1 for absent inputs. The arrays belong to the node.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeInputs(const TfLiteOpaqueNode* opaque_node,
                                                           const int** inputs, int* num_inputs);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeOutputs(const TfLiteOpaqueNode* opaque_node,
                                                            const int** outputs, int* num_outputs);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeTemporaries(const TfLiteOpaqueNode* opaque_node,
                                                                const int** temporaries,
                                                                int* num_temporaries);
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeGetInputTensorIndex(const TfLiteOpaqueNode* opaque_node,
                                                               int index_of_input);
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeGetOutputTensorIndex(const TfLiteOpaqueNode* opaque_node,
                                                                int index_of_output);

// The tensors in which the node wants memory during invoke. The array is copied.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode* opaque_node, const int* temporaries, int num_temporaries);

// ---- Context: tensors, memory, messages ----

TFL_CAPI_EXPORT extern TfLiteOpaqueTensor*
TfLiteOpaqueContextGetOpaqueTensor(const TfLiteOpaqueContext* opaque_context, int index);

// Sets the shape of an output or temporary, in prepare, and of a dynamic one in invoke. Takes `new_size`
// over, also when it fails.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext* context,
                                                                    TfLiteOpaqueTensor* tensor,
                                                                    TfLiteIntArray* new_size);

// Bytes of one element; for types of less than a byte, 1. kTfLiteError for types without a fixed size.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext* context,
                                                                     TfLiteType type, size_t* bytes);

// A printf-style message, at most 1023 bytes of which are kept, to the program's error reporter.
TFL_CAPI_EXPORT extern void TfLiteOpaqueContextReportError(struct TfLiteOpaqueContext* opaque_context,
                                                           const char* format, ...);
TFL_CAPI_EXPORT extern void TfLiteOpaqueContextReportErrorVa(struct TfLiteOpaqueContext* opaque_context,
                                                             const char* format, va_list vlist);

// A named buffer that was stored with the model, and its size. It lives as long as the model.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext* context,
                                                                   const char* name, const char** ptr,
                                                                   size_t* bytes);

// A context that the program or a delegate has attached to the interpreter; NULL in *external_context when
// there is none of that type. It stays its owner's.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetExternalContext(TfLiteOpaqueContext* opaque_context,
                                                                          void** external_context,
                                                                          TfLiteExternalContextType type);

// ---- Context: the graph, for delegates ----

// Indices of the nodes in execution order. The array is the interpreter's, valid until the next call.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(TfLiteOpaqueContext* opaque_context,
                                                                        TfLiteIntArray** execution_plan);

// A node and its operator, in a delegate's Prepare and its kernel's init. Both are the interpreter's; the
// operator answers the TfLiteOperatorGet… functions.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetNodeAndRegistration(struct TfLiteOpaqueContext* opaque_context, int node_index,
                                          TfLiteOpaqueNode** node, TfLiteOperator** registration_external);

// Replaces nodes by as few kernels of the delegate as their order allows, in a delegate's Prepare. Each
// kernel's init receives a TfLiteOpaqueDelegateParams as its buffer. The interpreter takes
// `registration_external` over and deletes it in the end.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
    struct TfLiteOpaqueContext* opaque_context, TfLiteOperator* registration_external,
    const TfLiteIntArray* nodes_to_replace, TfLiteOpaqueDelegate* opaque_delegate);

// Indices of the graph's inputs, outputs and variables. The arrays are the interpreter's.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetInputs(const struct TfLiteOpaqueContext* opaque_context, const int** inputs,
                             int* num_inputs);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetOutputs(const struct TfLiteOpaqueContext* opaque_context, const int** outputs,
                              int* num_outputs);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetVariables(const struct TfLiteOpaqueContext* opaque_context, const int** variables,
                                int* num_variables);

// Including the nodes that delegates have added, or been put in place of.
TFL_CAPI_EXPORT extern size_t
TfLiteOpaqueContextGetNumNodes(const struct TfLiteOpaqueContext* opaque_context);
TFL_CAPI_EXPORT extern size_t
TfLiteOpaqueContextGetNumTensors(const struct TfLiteOpaqueContext* opaque_context);

// Name of the subgraph; it may be empty.
TFL_CAPI_EXPORT extern const char*
TfLiteOpaqueContextGetName(const struct TfLiteOpaqueContext* opaque_context);

// The context of another subgraph of the same interpreter, until it is released.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextAcquireSubgraphContext(struct TfLiteOpaqueContext* opaque_context, int subgraph_index,
                                          TfLiteOpaqueContext** acquired_opaque_context);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextReleaseSubgraphContext(struct TfLiteOpaqueContext* opaque_context, int subgraph_index);

// The delegate runs that subgraph as part of its own kernels; no delegate is applied to it any more.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(TfLiteOpaqueContext* opaque_context, int subgraph_index);

// Where in the model's file a custom node's options are. *fd is an open descriptor that stays the
// interpreter's; offset and size are -1 for a node without options. kTfLiteError for a model from memory.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetNodeInitDataMmapInfo(const TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                           int* fd, int64_t* custom_initial_data_offset_in_file,
                                           int64_t* custom_initial_data_size);

// ---- Other spellings ----
// Names that the guide to custom operators uses for functions above.

// TfLiteOpaqueNodeNumberOfInputs, …NumberOfOutputs, TfLiteOpaqueTensorNumDims, …GetAllocationType.
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumInputs(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumOutputs(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT extern int32_t TfLiteOpaqueTensorNumDimensions(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT extern TfLiteAllocationType
TfLiteTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor);

#ifdef __cplusplus
}

// TfLiteTensorType and TfLiteTensorData of an opaque tensor.
inline TfLiteType TfLiteTensorType(const TfLiteOpaqueTensor* opaque_tensor) {
    return TfLiteOpaqueTensorType(opaque_tensor);
}
inline void* TfLiteTensorData(const TfLiteOpaqueTensor* opaque_tensor) {
    return TfLiteOpaqueTensorData(opaque_tensor);
}
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
// TfLiteTensorType and TfLiteTensorData of an opaque tensor; plain tensors go to the functions of c_api.h.
#define OCLITE_FOR_TENSOR_(tensor, opaque_function, plain_function)                                          \
    _Generic((tensor),                                                                                       \
        TfLiteOpaqueTensor *: opaque_function,                                                               \
        const TfLiteOpaqueTensor *: opaque_function,                                                         \
        default: plain_function)(tensor)
#define TfLiteTensorType(tensor) OCLITE_FOR_TENSOR_(tensor, TfLiteOpaqueTensorType, TfLiteTensorType)
#define TfLiteTensorData(tensor) OCLITE_FOR_TENSOR_(tensor, TfLiteOpaqueTensorData, TfLiteTensorData)
#else
// C99 cannot tell the two types apart: both are accepted.
#define TfLiteTensorType(tensor) TfLiteTensorType((const TfLiteTensor*)(const void*)(tensor))
#define TfLiteTensorData(tensor) TfLiteTensorData((const TfLiteTensor*)(const void*)(tensor))
#endif

#endif
