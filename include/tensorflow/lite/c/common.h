#ifndef TENSORFLOW_LITE_C_COMMON_H_
#define TENSORFLOW_LITE_C_COMMON_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TfLiteExternalContextType {
    kTfLiteEigenContext = 0,
    kTfLiteGemmLowpContext = 1,
    kTfLiteEdgeTpuContext = 2,
    kTfLiteCpuBackendContext = 3,
    kTfLiteLiteRtBufferContext = 4,
    kTfLiteMaxExternalContexts = 5,
} TfLiteExternalContextType;

typedef enum TfLiteQuantizationType {
    kTfLiteNoQuantization = 0,
    kTfLiteAffineQuantization = 1,
    kTfLiteBlockwiseQuantization = 2,
    kTfLiteMultiAxisQuantization = 3,
} TfLiteQuantizationType;

typedef enum TfLiteAllocationType {
    kTfLiteMemNone = 0,
    kTfLiteMmapRo = 1,
    kTfLiteArenaRw = 2,
    kTfLiteArenaRwPersistent = 3,
    kTfLiteDynamic = 4,
    kTfLitePersistentRo = 5,
    kTfLiteCustom = 6,
    kTfLiteVariantObject = 7,
    kTfLiteNonCpu = 8,
} TfLiteAllocationType;

typedef enum TfLiteAllocationStrategy {
    kTfLiteAllocationStrategyUnknown = 0,
    kTfLiteAllocationStrategyNone = 1,
    kTfLiteAllocationStrategyMMap = 2,
    kTfLiteAllocationStrategyArena = 3,
    kTfLiteAllocationStrategyMalloc = 4,
    kTfLiteAllocationStrategyNew = 5,
} TfLiteAllocationStrategy;

typedef enum TfLiteRunStability {
    kTfLiteRunStabilityUnknown = 0,
    kTfLiteRunStabilityUnstable = 1,
    kTfLiteRunStabilitySingleRun = 2,
    kTfLiteRunStabilityAcrossRuns = 3,
} TfLiteRunStability;

typedef enum TfLiteRunStep {
    kTfLiteRunStepUnknown = 0,
    kTfLiteRunStepInit = 1,
    kTfLiteRunStepPrepare = 2,
    kTfLiteRunStepEval = 3,
} TfLiteRunStep;

enum {
    kTfLiteNullBufferHandle = -1,
};

typedef enum TfLiteCustomAllocationFlags {
    kTfLiteCustomAllocationFlagsNone = 0,
    kTfLiteCustomAllocationFlagsSkipAlignCheck = 1,
} TfLiteCustomAllocationFlags;

enum {
    kTfLiteNoBufferIdentifier = UINT64_MAX,
};

typedef enum TfLiteInPlaceOp {
    kTfLiteInplaceOpNone = 0,
    kTfLiteInplaceOpDataUnmodified = 1,
    kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput = 2,
    kTfLiteInplaceOpInput0Shared = 4,
    kTfLiteInplaceOpInput1Shared = 8,
    kTfLiteInplaceOpInput2Shared = 16,
    kTfLiteInplaceOpMaxValue = UINT64_MAX,
} TfLiteInPlaceOp;

typedef enum TfLiteDelegateFlags {
    kTfLiteDelegateFlagsNone = 0,
    kTfLiteDelegateFlagsAllowDynamicTensors = 1,
    kTfLiteDelegateFlagsRequirePropagatedShapes = 2,
    kTfLiteDelegateFlagsPerOperatorProfiling = 4,
    kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate = 8,
} TfLiteDelegateFlags;

typedef int TfLiteBufferHandle;
typedef struct TfLiteOperator TfLiteOperator;
typedef TfLiteOperator TfLiteRegistrationExternal;
struct TfLiteContext;
struct TfLiteDelegate;
struct TfLiteRegistration;
struct TfLiteOpaqueDelegateBuilder;
struct TfLiteAsyncKernel;

typedef struct TfLiteExternalContext {
    TfLiteExternalContextType type;
    TfLiteStatus (*Refresh)(struct TfLiteContext *context);
} TfLiteExternalContext;

typedef struct TfLiteIntArray {
    int size;
    int data[];
} TfLiteIntArray;

typedef struct TfLiteFloatArray {
    int size;
    float data[];
} TfLiteFloatArray;

typedef struct TfLiteComplex64 {
    float re;
    float im;
} TfLiteComplex64;

typedef struct TfLiteComplex128 {
    double re;
    double im;
} TfLiteComplex128;

typedef struct TfLiteFloat16 {
    uint16_t data;
} TfLiteFloat16;

typedef struct TfLiteBFloat16 {
    uint16_t data;
} TfLiteBFloat16;

typedef struct TfLiteQuantization {
    TfLiteQuantizationType type;
    void *params;
} TfLiteQuantization;

typedef struct TfLiteAffineQuantization {
    TfLiteFloatArray *scale;
    TfLiteIntArray *zero_point;
    int32_t quantized_dimension;
} TfLiteAffineQuantization;

typedef struct TfLiteBlockwiseQuantization {
    int32_t scale;
    int32_t zero_point;
    int32_t blocksize;
    int32_t quantized_dimension;
} TfLiteBlockwiseQuantization;

typedef struct TfLiteMultiAxisQuantization {
    int32_t scales;
    int32_t zero_points;
    int32_t blocksize;
    TfLiteIntArray *quantized_dimensions;
} TfLiteMultiAxisQuantization;

typedef union TfLitePtrUnion {
    int32_t *i32;
    uint32_t *u32;
    int64_t *i64;
    uint64_t *u64;
    float *f;
    TfLiteFloat16 *f16;
    TfLiteBFloat16 *bf16;
    double *f64;
    char *raw;
    const char *raw_const;
    uint8_t *uint8;
    bool *b;
    int16_t *i16;
    uint16_t *ui16;
    TfLiteComplex64 *c64;
    TfLiteComplex128 *c128;
    int8_t *int8;
    void *data;
} TfLitePtrUnion;

typedef struct TfLiteDimensionMetadata {
    TfLiteDimensionType format;
    int dense_size;
    TfLiteIntArray *array_segments;
    TfLiteIntArray *array_indices;
} TfLiteDimensionMetadata;

typedef struct TfLiteSparsity {
    TfLiteIntArray *traversal_order;
    TfLiteIntArray *block_map;
    TfLiteDimensionMetadata *dim_metadata;
    int dim_metadata_size;
} TfLiteSparsity;

typedef struct TfLiteCustomAllocation {
    void *data;
    size_t bytes;
} TfLiteCustomAllocation;

typedef struct TfLiteAllocator {
    void *data;
    void *(*allocate)(void *data, size_t bytes, size_t alignment);
    void *(*reallocate)(void *data, void *ptr, size_t old_bytes, size_t new_bytes, size_t alignment);
    void (*deallocate)(void *data, void *ptr, size_t bytes, size_t alignment);
} TfLiteAllocator;

typedef struct TfLiteTensor {
    TfLiteType type;
    TfLitePtrUnion data;
    TfLiteIntArray *dims;
    TfLiteQuantizationParams params;
    TfLiteAllocationType allocation_type;
    size_t bytes;
    const void *allocation;
    const char *name;
    struct TfLiteDelegate *delegate;
    TfLiteBufferHandle buffer_handle;
    bool data_is_stale;
    bool is_variable;
    TfLiteQuantization quantization;
    TfLiteSparsity *sparsity;
    const TfLiteIntArray *dims_signature;
} TfLiteTensor;

typedef struct TfLiteNode {
    TfLiteIntArray *inputs;
    TfLiteIntArray *outputs;
    TfLiteIntArray *intermediates;
    TfLiteIntArray *temporaries;
    void *user_data;
    void *builtin_data;
    const void *custom_initial_data;
    int custom_initial_data_size;
    struct TfLiteDelegate *delegate;
    bool might_have_side_effect;
} TfLiteNode;

typedef struct TfLiteEvalTensor {
    TfLitePtrUnion data;
    TfLiteIntArray *dims;
    TfLiteType type;
} TfLiteEvalTensor;

typedef struct TfLiteDelegateParams {
    struct TfLiteDelegate *delegate;
    TfLiteIntArray *nodes_to_replace;
    TfLiteIntArray *input_tensors;
    TfLiteIntArray *output_tensors;
} TfLiteDelegateParams;

typedef struct TfLiteOpaqueDelegateParams {
    TfLiteOpaqueDelegate *delegate;
    void *delegate_data;
    TfLiteIntArray *nodes_to_replace;
    TfLiteIntArray *input_tensors;
    TfLiteIntArray *output_tensors;
} TfLiteOpaqueDelegateParams;

typedef struct TfLiteContext {
    size_t tensors_size;
    TfLiteStatus (*GetExecutionPlan)(struct TfLiteContext *context, TfLiteIntArray **execution_plan);
    TfLiteTensor *tensors;
    void *impl_;
    TfLiteStatus (*ResizeTensor)(struct TfLiteContext *, TfLiteTensor *tensor, TfLiteIntArray *new_size);
    void (*ReportError)(struct TfLiteContext *, const char *msg, ...);
    TfLiteStatus (*AddTensors)(struct TfLiteContext *, int tensors_to_add, int *first_new_tensor_index);
    TfLiteStatus (*GetNodeAndRegistration)(struct TfLiteContext *, int node_index, TfLiteNode **node, struct TfLiteRegistration **registration);
    TfLiteStatus (*ReplaceNodeSubsetsWithDelegateKernels)(struct TfLiteContext *, struct TfLiteRegistration registration, const TfLiteIntArray *nodes_to_replace, struct TfLiteDelegate *delegate);
    int recommended_num_threads;
    TfLiteExternalContext *(*GetExternalContext)(struct TfLiteContext *, TfLiteExternalContextType);
    void (*SetExternalContext)(struct TfLiteContext *, TfLiteExternalContextType, TfLiteExternalContext *);
    bool allow_fp32_relax_to_fp16;
    void *profiler;
    void *(*AllocatePersistentBuffer)(struct TfLiteContext *ctx, size_t bytes);
    TfLiteStatus (*AllocateBufferForEval)(struct TfLiteContext *ctx, size_t bytes, void **ptr);
    TfLiteStatus (*RequestScratchBufferInArena)(struct TfLiteContext *ctx, size_t bytes, int *buffer_idx);
    void *(*GetScratchBuffer)(struct TfLiteContext *ctx, int buffer_idx);
    TfLiteStatus (*ResizeTensorExplicit)(struct TfLiteContext *ctx, TfLiteTensor *tensor, int dims, const int *shape);
    TfLiteStatus (*PreviewDelegatePartitioning)(struct TfLiteContext *context, const TfLiteIntArray *nodes_to_replace, TfLiteDelegateParams **partition_params_array, int *num_partitions);
    TfLiteTensor *(*GetTensor)(const struct TfLiteContext *context, int tensor_idx);
    TfLiteEvalTensor *(*GetEvalTensor)(const struct TfLiteContext *context, int tensor_idx);
    TfLiteStatus (*GetModelMetadata)(const struct TfLiteContext *context, const char *name, const char **ptr, size_t *bytes);
    TfLiteStatus (*AcquireSubgraphContext)(struct TfLiteContext *context, int subgraph_index, struct TfLiteContext **acquired_context);
    TfLiteStatus (*ReleaseSubgraphContext)(struct TfLiteContext *context, int subgraph_index);
} TfLiteContext;

typedef struct TfLiteRegistration {
    void *(*init)(TfLiteContext *context, const char *buffer, size_t length);
    void (*free)(TfLiteContext *context, void *buffer);
    TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
    TfLiteStatus (*invoke)(TfLiteContext *context, TfLiteNode *node);
    const char *(*profiling_string)(const TfLiteContext *context, const TfLiteNode *node);
    int32_t builtin_code;
    const char *custom_name;
    int version;
    TfLiteOperator *registration_external;
    struct TfLiteAsyncKernel *(*async_kernel)(TfLiteContext *context, TfLiteNode *node);
    uint64_t inplace_operator;
} TfLiteRegistration;

typedef struct TfLiteRegistration_V3 {
    void *(*init)(TfLiteContext *context, const char *buffer, size_t length);
    void (*free)(TfLiteContext *context, void *buffer);
    TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
    TfLiteStatus (*invoke)(TfLiteContext *context, TfLiteNode *node);
    const char *(*profiling_string)(const TfLiteContext *context, const TfLiteNode *node);
    int32_t builtin_code;
    const char *custom_name;
    int version;
    TfLiteOperator *registration_external;
    struct TfLiteAsyncKernel *(*async_kernel)(TfLiteContext *context, TfLiteNode *node);
} TfLiteRegistration_V3;

typedef struct TfLiteRegistration_V2 {
    void *(*init)(TfLiteContext *context, const char *buffer, size_t length);
    void (*free)(TfLiteContext *context, void *buffer);
    TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
    TfLiteStatus (*invoke)(TfLiteContext *context, TfLiteNode *node);
    const char *(*profiling_string)(const TfLiteContext *context, const TfLiteNode *node);
    int32_t builtin_code;
    const char *custom_name;
    int version;
    TfLiteOperator *registration_external;
} TfLiteRegistration_V2;

typedef struct TfLiteRegistration_V1 {
    void *(*init)(TfLiteContext *context, const char *buffer, size_t length);
    void (*free)(TfLiteContext *context, void *buffer);
    TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
    TfLiteStatus (*invoke)(TfLiteContext *context, TfLiteNode *node);
    const char *(*profiling_string)(const TfLiteContext *context, const TfLiteNode *node);
    int32_t builtin_code;
    const char *custom_name;
    int version;
} TfLiteRegistration_V1;

struct TfLiteDelegate {
    void *data_;
    TfLiteStatus (*Prepare)(TfLiteContext *context, struct TfLiteDelegate *delegate);
    TfLiteStatus (*CopyFromBufferHandle)(TfLiteContext *context, struct TfLiteDelegate *delegate, TfLiteBufferHandle buffer_handle, TfLiteTensor *tensor);
    TfLiteStatus (*CopyToBufferHandle)(TfLiteContext *context, struct TfLiteDelegate *delegate, TfLiteBufferHandle buffer_handle, TfLiteTensor *tensor);
    void (*FreeBufferHandle)(TfLiteContext *context, struct TfLiteDelegate *delegate, TfLiteBufferHandle *handle);
    int64_t flags;
    struct TfLiteOpaqueDelegateBuilder *opaque_delegate_builder;
};

typedef struct TfLiteOpaqueDelegateBuilder {
    void *data;
    TfLiteStatus (*Prepare)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data);
    TfLiteStatus (*CopyFromBufferHandle)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data, TfLiteBufferHandle buffer_handle, TfLiteOpaqueTensor *tensor);
    TfLiteStatus (*CopyToBufferHandle)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data, TfLiteBufferHandle buffer_handle, TfLiteOpaqueTensor *tensor);
    void (*FreeBufferHandle)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data, TfLiteBufferHandle *handle);
    int64_t flags;
} TfLiteOpaqueDelegateBuilder;

TFL_CAPI_EXPORT extern size_t TfLiteIntArrayGetSizeInBytes(int size);

TFL_CAPI_EXPORT extern TfLiteIntArray * TfLiteIntArrayCreate(int size);

TFL_CAPI_EXPORT extern int TfLiteIntArrayEqual(const TfLiteIntArray *a, const TfLiteIntArray *b);

TFL_CAPI_EXPORT extern int TfLiteIntArrayEqualsArray(const TfLiteIntArray *a, int b_size, const int b_data[]);

TFL_CAPI_EXPORT extern TfLiteIntArray * TfLiteIntArrayCopy(const TfLiteIntArray *src);

TFL_CAPI_EXPORT extern void TfLiteIntArrayFree(TfLiteIntArray *a);

TFL_CAPI_EXPORT extern int TfLiteFloatArrayGetSizeInBytes(int size);

TFL_CAPI_EXPORT extern TfLiteFloatArray * TfLiteFloatArrayCreate(int size);

TFL_CAPI_EXPORT extern TfLiteFloatArray * TfLiteFloatArrayCopy(const TfLiteFloatArray *src);

TFL_CAPI_EXPORT extern void TfLiteFloatArrayFree(TfLiteFloatArray *a);

TFL_CAPI_EXPORT extern const char * TfLiteTypeGetName(TfLiteType type);

TFL_CAPI_EXPORT extern void TfLiteTensorDataFree(TfLiteTensor *t);

TFL_CAPI_EXPORT extern void TfLiteTensorDataFreeWithAllocator(TfLiteTensor *t, TfLiteAllocator *allocator);

TFL_CAPI_EXPORT extern void TfLiteQuantizationFree(TfLiteQuantization *quantization);

TFL_CAPI_EXPORT extern void TfLiteSparsityFree(TfLiteSparsity *sparsity);

TFL_CAPI_EXPORT extern void TfLiteTensorFree(TfLiteTensor *t);

TFL_CAPI_EXPORT extern void TfLiteTensorReset(TfLiteType type, const char *name, TfLiteIntArray *dims, TfLiteQuantizationParams quantization, char *buffer, size_t size, TfLiteAllocationType allocation_type, const void *allocation, bool is_variable, TfLiteTensor *tensor);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorCopy(const TfLiteTensor *src, TfLiteTensor *dst);

TFL_CAPI_EXPORT extern TfLiteTensor TfLiteTensorClone(TfLiteTensor src);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t num_bytes, TfLiteTensor *tensor, bool preserve_data);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorResizeMaybeCopyWithAllocator(size_t num_bytes, TfLiteTensor *tensor, bool preserve_data, TfLiteAllocator *allocator);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorRealloc(size_t num_bytes, TfLiteTensor *tensor);

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorReallocWithAllocator(size_t num_bytes, TfLiteTensor *tensor, TfLiteAllocator *allocator);

TFL_CAPI_EXPORT extern const TfLiteIntArray * TfLiteTensorGetDimsSignature(const TfLiteTensor *t);

TFL_CAPI_EXPORT extern TfLiteDelegate TfLiteDelegateCreate(void);

TFL_CAPI_EXPORT extern TfLiteOpaqueDelegate * TfLiteOpaqueDelegateCreate(const TfLiteOpaqueDelegateBuilder *opaque_delegate_builder);

TFL_CAPI_EXPORT extern void TfLiteOpaqueDelegateDelete(TfLiteOpaqueDelegate *delegate);

TFL_CAPI_EXPORT extern void * TfLiteOpaqueDelegateGetData(const TfLiteOpaqueDelegate *delegate);

TFL_CAPI_EXPORT extern TfLiteAllocationStrategy TfLiteTensorGetAllocationStrategy(const TfLiteTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteTensorGetBufferAddressStability(const TfLiteTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteTensorGetDataStability(const TfLiteTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteTensorGetDataKnownStep(const TfLiteTensor *t);

TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteTensorGetShapeKnownStep(const TfLiteTensor *t);

TFL_CAPI_EXPORT extern void * TfLiteKernelInitFailed(void);

#ifdef __cplusplus
}
#endif

#endif
