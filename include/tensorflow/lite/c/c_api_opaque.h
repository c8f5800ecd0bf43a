#ifndef TENSORFLOW_LITE_C_C_API_OPAQUE_H_
#define TENSORFLOW_LITE_C_C_API_OPAQUE_H_

#include <stdarg.h>
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteOpaqueTensorBuilder TfLiteOpaqueTensorBuilder;

TFL_CAPI_EXPORT extern TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor *opaque_tensor, int32_t dim_index);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorGetNumDimsSignature(const TfLiteOpaqueTensor *opaque_tensor, int32_t *num_dims);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorGetDimSignature(const TfLiteOpaqueTensor *opaque_tensor, int32_t dim_index, int32_t *dim_length);

TFL_CAPI_EXPORT extern int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern void * TfLiteOpaqueTensorData(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern TfLiteAllocationType TfLiteOpaqueTensorGetAllocationType(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern TfLiteAllocationStrategy TfLiteOpaqueTensorGetAllocationStrategy(const TfLiteOpaqueTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteOpaqueTensorGetBufferAddressStability(const TfLiteOpaqueTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor *t);

TFL_CAPI_EXPORT extern const char * TfLiteOpaqueTensorName(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern TfLiteQuantization TfLiteOpaqueTensorGetQuantization(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern TfLiteQuantizationParams TfLiteOpaqueTensorGetQuantizationParams(const TfLiteOpaqueTensor *opaque_tensor);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor *opaque_tensor, const void *input_data, size_t input_data_size);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(const TfLiteOpaqueTensor *opaque_tensor, void *output_data, size_t output_data_size);

TFL_CAPI_EXPORT extern int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor *tensor);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor *tensor, int index, const char **str, int *len);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor *tensor, const char * const *str_array, int str_array_len, const int *str_n_len);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor *tensor, const char *str, int len);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder * TfLiteOpaqueTensorBuilderCreate(void);

TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorBuilderDelete(TfLiteOpaqueTensorBuilder *builder);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder * TfLiteOpaqueTensorBuilderSetType(TfLiteOpaqueTensorBuilder *builder, TfLiteType type);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder * TfLiteOpaqueTensorBuilderSetData(TfLiteOpaqueTensorBuilder *builder, void *data);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder * TfLiteOpaqueTensorBuilderSetAllocationType(TfLiteOpaqueTensorBuilder *builder, TfLiteAllocationType allocation_type);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder * TfLiteOpaqueTensorBuilderSetQuantizationParams(TfLiteOpaqueTensorBuilder *builder, TfLiteQuantizationParams params);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensorBuilder * TfLiteOpaqueTensorBuilderSetQuantization(TfLiteOpaqueTensorBuilder *builder, TfLiteQuantization quantization);

TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor *tensor);

TFL_CAPI_EXPORT extern void TfLiteOpaqueTensorSetNonCpuAllocation(TfLiteOpaqueTensor *tensor);

TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor * TfLiteOpaqueNodeGetInput(const TfLiteOpaqueContext *opaque_context, const TfLiteOpaqueNode *opaque_node, int index);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensor * TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext *opaque_context, const TfLiteOpaqueNode *opaque_node, int index);

TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode *opaque_node);

TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode *opaque_node);

TFL_CAPI_EXPORT extern void * TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode *opaque_node);

TFL_CAPI_EXPORT extern void * TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode *opaque_node);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(const TfLiteOpaqueNode *opaque_node, const void **init_data, int *size);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeInputs(const TfLiteOpaqueNode *opaque_node, const int **inputs, int *num_inputs);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeOutputs(const TfLiteOpaqueNode *opaque_node, const int **outputs, int *num_outputs);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode *opaque_node, const int *temporaries, int num_temporaries);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueNodeTemporaries(const TfLiteOpaqueNode *opaque_node, const int **temporaries, int *num_temporaries);

TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeGetInputTensorIndex(const TfLiteOpaqueNode *opaque_node, int index_of_input);

TFL_CAPI_EXPORT extern int TfLiteOpaqueNodeGetOutputTensorIndex(const TfLiteOpaqueNode *opaque_node, int index_of_output);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(TfLiteOpaqueContext *opaque_context, TfLiteIntArray **execution_plan);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetExternalContext(TfLiteOpaqueContext *opaque_context, void **external_context, TfLiteExternalContextType type);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetNodeAndRegistration(struct TfLiteOpaqueContext *opaque_context, int node_index, TfLiteOpaqueNode **node, TfLiteOperator **registration_external);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(struct TfLiteOpaqueContext *opaque_context, TfLiteOperator *registration_external, const TfLiteIntArray *nodes_to_replace, TfLiteOpaqueDelegate *opaque_delegate);

TFL_CAPI_EXPORT extern TfLiteOpaqueTensor * TfLiteOpaqueContextGetOpaqueTensor(const TfLiteOpaqueContext *opaque_context, int index);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetInputs(const struct TfLiteOpaqueContext *opaque_context, const int **inputs, int *num_inputs);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetOutputs(const struct TfLiteOpaqueContext *opaque_context, const int **outputs, int *num_outputs);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetVariables(const struct TfLiteOpaqueContext *opaque_context, const int **variables, int *num_variables);

TFL_CAPI_EXPORT extern size_t TfLiteOpaqueContextGetNumNodes(const struct TfLiteOpaqueContext *opaque_context);

TFL_CAPI_EXPORT extern size_t TfLiteOpaqueContextGetNumTensors(const struct TfLiteOpaqueContext *opaque_context);

TFL_CAPI_EXPORT extern const char * TfLiteOpaqueContextGetName(const struct TfLiteOpaqueContext *opaque_context);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext *context, TfLiteOpaqueTensor *tensor, TfLiteIntArray *new_size);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextAcquireSubgraphContext(struct TfLiteOpaqueContext *opaque_context, int subgraph_index, TfLiteOpaqueContext **acquired_opaque_context);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextReleaseSubgraphContext(struct TfLiteOpaqueContext *opaque_context, int subgraph_index);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(TfLiteOpaqueContext *opaque_context, int subgraph_index);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetNodeInitDataMmapInfo(const TfLiteOpaqueContext *context, const TfLiteOpaqueNode *node, int *fd, int64_t *custom_initial_data_offset_in_file, int64_t *custom_initial_data_size);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext *context, TfLiteOpaqueTensorBuilder *builder, int *new_tensor_index);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext *context, TfLiteType type, size_t *bytes);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext *context, const char *name, const char **ptr, size_t *bytes);

TFL_CAPI_EXPORT extern void TfLiteOpaqueContextReportError(struct TfLiteOpaqueContext *opaque_context, const char *format, ...);

TFL_CAPI_EXPORT extern void TfLiteOpaqueContextReportErrorVa(struct TfLiteOpaqueContext *opaque_context, const char *format, va_list vlist);

#ifdef __cplusplus
}
#endif

#endif
