// SPDX-License-Identifier: Apache-2.0
// The interface between an interpreter and its operators and delegates. It does not depend on the layout of
// any struct.
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
// Contexts, nodes and tensors belong to the interpreter. Pointers to them are valid during the call that
// received them; pointers to tensors become invalid earlier when tensors are added. NULL, and an index that
// does not exist, give NULL, 0, -1 or kTfLiteError. Call the functions on the thread that called the operator
// or delegate.
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

// Returns the type of the elements; kTfLiteNoType for NULL.
TFL_CAPI_EXPORT extern TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor* opaque_tensor);

// Returns the number of dimensions, 0 for a scalar; -1 when the tensor has no shape yet.
TFL_CAPI_EXPORT extern int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor* opaque_tensor);
// Returns the length of one dimension; -1 when there is no such dimension.
TFL_CAPI_EXPORT extern int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor* opaque_tensor,
                                                     int32_t dim_index);

// The shape in the model, in which -1 stands for any length. When the model does not state it, *num_dims is
// -1 or 0 and the lengths are those of the tensor. A dimension that does not exist is an error and sets
// *dim_length to -1.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueTensorGetNumDimsSignature(const TfLiteOpaqueTensor* opaque_tensor, int32_t* num_dims);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorGetDimSignature(const TfLiteOpaqueTensor* opaque_tensor,
                                                                      int32_t dim_index, int32_t* dim_length);

// Returns 1 for a tensor that keeps its contents between inferences, else 0.
TFL_CAPI_EXPORT extern int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor* opaque_tensor);

// Returns the size of the contents in bytes; 0 while the size is not known.
TFL_CAPI_EXPORT extern size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor* opaque_tensor);

// Returns the elements, in row-major order. In prepare only constants have data; for other tensors the result
// is NULL.
TFL_CAPI_EXPORT extern void* TfLiteOpaqueTensorData(const TfLiteOpaqueTensor* opaque_tensor);

// Returns the name in the model, which may be empty.
TFL_CAPI_EXPORT extern const char* TfLiteOpaqueTensorName(const TfLiteOpaqueTensor* opaque_tensor);

// Return where the data is, and what follows from that; common.h describes the enumerations.
TFL_CAPI_EXPORT extern TfLiteAllocationType
TfLiteOpaqueTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT extern TfLiteAllocationStrategy
TfLiteOpaqueTensorGetAllocationStrategy(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStability
TfLiteOpaqueTensorGetBufferAddressStability(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor* t);

// Return the whole quantization, whose params belong to the tensor, and the parameters of a tensor with one
// scale (zeros for other tensors).
TFL_CAPI_EXPORT extern TfLiteQuantization
TfLiteOpaqueTensorGetQuantization(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT extern TfLiteQuantizationParams
TfLiteOpaqueTensorGetQuantizationParams(const TfLiteOpaqueTensor* opaque_tensor);

// Copy the whole contents in or out. Return kTfLiteError unless the size is exactly
// TfLiteOpaqueTensorByteSize and the tensor has data. A constant can only be read.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor* opaque_tensor,
                                                                     const void* input_data,
                                                                     size_t input_data_size);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(const TfLiteOpaqueTensor* opaque_tensor,
                                                                   void* output_data,
                                                                   size_t output_data_size);

// Makes an output kTfLiteDynamic, in prepare. This is for an output whose shape is known only while it is
// computed: the operator resizes it in invoke.
TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor* tensor);

// Marks a delegate's tensor that never gets memory on the CPU.
TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorSetNonCpuAllocation(TfLiteOpaqueTensor* tensor);

// ---- Strings ----
// Tensors of type kTfLiteString. A string has a length and may contain any bytes.

// Returns the number of strings; -1 when the tensor holds no strings or its data is malformed.
TFL_CAPI_EXPORT extern int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor* tensor);

// Stores a string. *str points into the tensor and has no terminator. *len is in bytes.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor* tensor, int index,
                                                                const char** str, int* len);

// Replace the tensor's contents by copies of the strings, which may lie in the tensor itself. The shape
// remains when it has as many elements; otherwise it becomes that of a vector. The tensor becomes
// kTfLiteDynamic.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor* tensor,
                                                                   const char* const* str_array,
                                                                   int str_array_len, const int* str_n_len);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor* tensor, const char* str,
                                                                  int len);

// ---- New tensors ----
// A builder describes a tensor for TfLiteOpaqueContextAddTensor. The setters return the builder.

// Creates a builder with all fields zero. Returns NULL when memory runs out. The caller deletes it, at any
// time after adding.
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

// Appends the tensor, in prepare, and stores its index unless `new_tensor_index` is NULL. The allocation type
// is kTfLiteArenaRw or kTfLiteArenaRwPersistent without data, or kTfLiteDynamic with data from malloc, which
// the tensor takes over. A node lists its temporaries by TfLiteOpaqueNodeSetTemporaries and sizes them by
// TfLiteOpaqueContextResizeTensor.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext* context,
                                                                 TfLiteOpaqueTensorBuilder* builder,
                                                                 int* new_tensor_index);

// ---- Nodes ----

// Return a tensor of the node. An absent optional input gives NULL.
TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor*
TfLiteOpaqueNodeGetInput(const TfLiteOpaqueContext* opaque_context, const TfLiteOpaqueNode* opaque_node,
                         int index);
TFL_CAPI_EXPORT extern TfLiteOpaqueTensor* TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext* opaque_context,
                                                                     const TfLiteOpaqueNode* opaque_node,
                                                                     int index);

// Return the number of inputs, absent ones included, and of outputs.
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode* opaque_node);

// Returns what the operator's init returned.
TFL_CAPI_EXPORT extern void* TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode* opaque_node);

// Returns the TfLite…Params of a builtin operator (builtin_op_data.h); NULL for custom operators and for
// operators without parameters.
TFL_CAPI_EXPORT extern void* TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode* opaque_node);

// Stores the options of a custom operator as they are in the model, and their size in bytes.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(const TfLiteOpaqueNode* opaque_node,
                                                                         const void** init_data, int* size);

// The indices of the node's tensors; -1 stands for an absent input. The arrays belong to the node.
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

// Sets the tensors for which the node needs memory during invoke. The array is copied.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode* opaque_node, const int* temporaries, int num_temporaries);

// ---- Context: tensors, memory, messages ----

TFL_CAPI_EXPORT extern TfLiteOpaqueTensor*
TfLiteOpaqueContextGetOpaqueTensor(const TfLiteOpaqueContext* opaque_context, int index);

// Sets the shape of an output or a temporary: in prepare, or in invoke for a dynamic tensor. It takes over
// `new_size`, also when it fails.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext* context,
                                                                    TfLiteOpaqueTensor* tensor,
                                                                    TfLiteIntArray* new_size);

// Stores the size of one element in bytes; 1 for types of less than a byte. Returns kTfLiteError for types
// without a fixed size.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext* context,
                                                                     TfLiteType type, size_t* bytes);

// Send a printf-style message to the program's error reporter. Only its first 1023 bytes are kept.
TFL_CAPI_EXPORT extern void TfLiteOpaqueContextReportError(struct TfLiteOpaqueContext* opaque_context,
                                                           const char* format, ...);
TFL_CAPI_EXPORT extern void TfLiteOpaqueContextReportErrorVa(struct TfLiteOpaqueContext* opaque_context,
                                                             const char* format, va_list vlist);

// Stores the address and the size of a named buffer of the model (metadata). The buffer lives as long as the
// model.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext* context,
                                                                   const char* name, const char** ptr,
                                                                   size_t* bytes);

// Stores a context that the program or a delegate has attached to the interpreter; NULL when there is none of
// that type. The context remains its owner's.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetExternalContext(TfLiteOpaqueContext* opaque_context,
                                                                          void** external_context,
                                                                          TfLiteExternalContextType type);

// ---- Context: the graph, for delegates ----

// Stores the indices of the nodes in execution order. The array belongs to the interpreter and is valid until
// the next call.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(TfLiteOpaqueContext* opaque_context,
                                                                        TfLiteIntArray** execution_plan);

// Stores a node and its operator: in a delegate's Prepare and in the init of its kernel. Both belong to the
// interpreter. The TfLiteOperatorGet… functions accept the operator.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetNodeAndRegistration(struct TfLiteOpaqueContext* opaque_context, int node_index,
                                          TfLiteOpaqueNode** node, TfLiteOperator** registration_external);

// Replaces nodes by kernels of the delegate, as few as the order of the nodes allows. Call it in a delegate's
// Prepare. The init of each kernel receives a TfLiteOpaqueDelegateParams as its buffer. The interpreter takes
// over `registration_external` and deletes it in the end.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
    struct TfLiteOpaqueContext* opaque_context, TfLiteOperator* registration_external,
    const TfLiteIntArray* nodes_to_replace, TfLiteOpaqueDelegate* opaque_delegate);

// Store the indices of the graph's inputs, outputs and variables. The arrays belong to the interpreter.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetInputs(const struct TfLiteOpaqueContext* opaque_context, const int** inputs,
                             int* num_inputs);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetOutputs(const struct TfLiteOpaqueContext* opaque_context, const int** outputs,
                              int* num_outputs);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetVariables(const struct TfLiteOpaqueContext* opaque_context, const int** variables,
                                int* num_variables);

// Return the number of nodes, both those of delegates and those that they have replaced, and the number of
// tensors.
TFL_CAPI_EXPORT extern size_t
TfLiteOpaqueContextGetNumNodes(const struct TfLiteOpaqueContext* opaque_context);
TFL_CAPI_EXPORT extern size_t
TfLiteOpaqueContextGetNumTensors(const struct TfLiteOpaqueContext* opaque_context);

// Returns the name of the subgraph, which may be empty.
TFL_CAPI_EXPORT extern const char*
TfLiteOpaqueContextGetName(const struct TfLiteOpaqueContext* opaque_context);

// Acquire and release the context of another subgraph of the same interpreter. The context is valid until it
// is released.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextAcquireSubgraphContext(struct TfLiteOpaqueContext* opaque_context, int subgraph_index,
                                          TfLiteOpaqueContext** acquired_opaque_context);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextReleaseSubgraphContext(struct TfLiteOpaqueContext* opaque_context, int subgraph_index);

// Declares that the delegate runs that subgraph as part of its own kernels. No delegate is applied to the
// subgraph any more.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(TfLiteOpaqueContext* opaque_context, int subgraph_index);

// Stores where a custom node's options are in the model's file. *fd is an open file descriptor that belongs
// to the interpreter. Offset and size, in bytes, are -1 for a node without options. Returns kTfLiteError for
// a model that was opened from memory.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteOpaqueContextGetNodeInitDataMmapInfo(const TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                           int* fd, int64_t* custom_initial_data_offset_in_file,
                                           int64_t* custom_initial_data_size);

// ---- Other spellings ----
// The guide to custom operators uses these names for functions above.

// Do what TfLiteOpaqueNodeNumberOfInputs, TfLiteOpaqueNodeNumberOfOutputs, TfLiteOpaqueTensorNumDims and
// TfLiteOpaqueTensorGetAllocationType do.
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
