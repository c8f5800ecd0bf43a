// SPDX-License-Identifier: Apache-2.0
// The structs behind the opaque types: tensors, nodes, context, operator registrations, delegates.
//
// Operators and delegates that should not depend on these layouts use c_api_opaque.h and operator.h instead.
// The layouts are part of the ABI: new fields are only added at the end.
//
// Memory: arrays, the data of tensors and quantization parameters are allocated with malloc and released with
// the functions below. The functions report no messages. They may be called on any thread as long as no two
// calls use the same object.
#ifndef TENSORFLOW_LITE_C_COMMON_H_
#define TENSORFLOW_LITE_C_COMMON_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/ensure.h"

#ifdef __cplusplus
extern "C" {
#endif

// The index of an absent tensor (an optional input that is left out).
#define kTfLiteOptionalTensor (-1)

// ---- Enumerations ----

// The kinds of objects that kernels share through TfLiteContext.GetExternalContext.
typedef enum TfLiteExternalContextType {
    kTfLiteEigenContext = 0,
    kTfLiteGemmLowpContext = 1,
    kTfLiteEdgeTpuContext = 2,
    kTfLiteCpuBackendContext = 3,
    kTfLiteLiteRtBufferContext = 4,
    kTfLiteMaxExternalContexts = 5,
} TfLiteExternalContextType;

// Which struct TfLiteQuantization.params points to.
typedef enum TfLiteQuantizationType {
    kTfLiteNoQuantization = 0,
    kTfLiteAffineQuantization = 1,    // TfLiteAffineQuantization
    kTfLiteBlockwiseQuantization = 2, // TfLiteBlockwiseQuantization
    kTfLiteMultiAxisQuantization = 3, // TfLiteMultiAxisQuantization
} TfLiteQuantizationType;

// Where a tensor's data is, and who owns it.
typedef enum TfLiteAllocationType {
    kTfLiteMemNone = 0,           // nowhere
    kTfLiteMmapRo = 1,            // in the model; read-only
    kTfLiteArenaRw = 2,           // in the arena, for the duration of one inference
    kTfLiteArenaRwPersistent = 3, // in the arena, kept between inferences
    kTfLiteDynamic = 4,           // on the heap, sized during inference; owned by the tensor
    kTfLitePersistentRo = 5,      // on the heap, computed while preparing; read-only; owned by the tensor
    kTfLiteCustom = 6,            // given by the program, see TfLiteInterpreterSetCustomAllocationForTensor
    kTfLiteVariantObject = 7,     // a C++ object
    kTfLiteNonCpu = 8,            // on a device; `data` must not be used
} TfLiteAllocationType;

// Who allocated a tensor's data.
typedef enum TfLiteAllocationStrategy {
    kTfLiteAllocationStrategyUnknown = 0,
    kTfLiteAllocationStrategyNone = 1,
    kTfLiteAllocationStrategyMMap = 2,
    kTfLiteAllocationStrategyArena = 3,
    kTfLiteAllocationStrategyMalloc = 4,
    kTfLiteAllocationStrategyNew = 5,
} TfLiteAllocationStrategy;

// How long an address or contents remain the same.
typedef enum TfLiteRunStability {
    kTfLiteRunStabilityUnknown = 0,
    kTfLiteRunStabilityUnstable = 1,   // may change at any time
    kTfLiteRunStabilitySingleRun = 2,  // same during one inference
    kTfLiteRunStabilityAcrossRuns = 3, // the same in all inferences
} TfLiteRunStability;

// The step from which on something is known.
typedef enum TfLiteRunStep {
    kTfLiteRunStepUnknown = 0,
    kTfLiteRunStepInit = 1,
    kTfLiteRunStepPrepare = 2,
    kTfLiteRunStepEval = 3,
} TfLiteRunStep;

// A delegate's handle of one of its buffers, which holds a tensor.
typedef int TfLiteBufferHandle;
enum {
    kTfLiteNullBufferHandle = -1,
};

// Flags of TfLiteInterpreterSetCustomAllocationForTensor.
typedef enum TfLiteCustomAllocationFlags {
    kTfLiteCustomAllocationFlagsNone = 0,
    kTfLiteCustomAllocationFlagsSkipAlignCheck = 1, // accept memory that is not aligned
} TfLiteCustomAllocationFlags;

// Which inputs an operator's outputs may share memory with, as bits. Without
// kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput the first output shares.
typedef enum TfLiteInPlaceOp {
    kTfLiteInplaceOpNone = 0,
    kTfLiteInplaceOpDataUnmodified = 1, // the output is the input's bytes, unchanged (RESHAPE)
    kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput = 2,
    kTfLiteInplaceOpInput0Shared = 4,
    kTfLiteInplaceOpInput1Shared = 8,
    kTfLiteInplaceOpInput2Shared = 16,
#ifdef __cplusplus
    kTfLiteInplaceOpMaxValue = UINT64_MAX,
#endif
} TfLiteInPlaceOp;

// Constants of 64 bits, which C does not allow in an enumeration.
#ifdef __cplusplus
enum { kTfLiteNoBufferIdentifier = SIZE_MAX };
#else
#define kTfLiteNoBufferIdentifier SIZE_MAX
#define kTfLiteInplaceOpMaxValue UINT64_MAX
#endif

// The number of inputs for which TfLiteInPlaceOp has bits.
enum { kTfLiteMaxSharableOpInputs = 3 };

// What a delegate demands of the runtime, as bits.
typedef enum TfLiteDelegateFlags {
    kTfLiteDelegateFlagsNone = 0,
    kTfLiteDelegateFlagsAllowDynamicTensors = 1,     // the delegate also accepts graphs with dynamic tensors
    kTfLiteDelegateFlagsRequirePropagatedShapes = 2, // shapes must be known before Prepare
    kTfLiteDelegateFlagsPerOperatorProfiling = 4,    // the delegate reports profile events itself
    kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate = 8, // no other operator will run
} TfLiteDelegateFlags;

// ---- Names of types that are defined elsewhere ----

typedef struct TfLiteOperator TfLiteOperator;       // operator.h
typedef TfLiteOperator TfLiteRegistrationExternal;  // its earlier name
typedef struct TfLiteAsyncKernel TfLiteAsyncKernel; // async/c/async_kernel.h
struct TfLiteContext;
struct TfLiteDelegate;
struct TfLiteDelegateParams;
struct TfLiteRegistration;
struct TfLiteOpaqueDelegateBuilder;

// ---- Arrays and numbers ----

typedef struct TfLiteExternalContext {
    TfLiteExternalContextType type;
    TfLiteStatus (*Refresh)(struct TfLiteContext* context); // called when the number of threads changes
} TfLiteExternalContext;

// Arrays whose length is fixed when they are created. C++ has such members only as an extension.
#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc99-extensions"
#endif
#if defined(__GNUC__) && defined(__cplusplus)
#define OCLITE_EXTENSION __extension__
#else
#define OCLITE_EXTENSION
#endif

typedef struct TfLiteIntArray {
    int size;
    OCLITE_EXTENSION int data[];
} TfLiteIntArray;

typedef struct TfLiteFloatArray {
    int size;
    OCLITE_EXTENSION float data[];
} TfLiteFloatArray;

#undef OCLITE_EXTENSION
#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic pop
#endif

typedef struct TfLiteComplex64 {
    float re;
    float im;
} TfLiteComplex64;

typedef struct TfLiteComplex128 {
    double re;
    double im;
} TfLiteComplex128;

typedef struct TfLiteFloat16 {
    uint16_t data; // IEEE 754 binary16
} TfLiteFloat16;

typedef struct TfLiteBFloat16 {
    uint16_t data; // upper half of a float32
} TfLiteBFloat16;

// ---- Quantization and sparsity ----

typedef struct TfLiteQuantization {
    TfLiteQuantizationType type;
    void* params; // struct according to `type`; NULL for none
} TfLiteQuantization;

// real = scale * (stored - zero_point), with one scale and zero point for the tensor, or one for each index
// of the dimension `quantized_dimension`.
typedef struct TfLiteAffineQuantization {
    TfLiteFloatArray* scale;
    TfLiteIntArray* zero_point;
    int32_t quantized_dimension;
} TfLiteAffineQuantization;

// Scales for blocks of `blocksize` elements; `scale` and `zero_point` are indices of tensors.
typedef struct TfLiteBlockwiseQuantization {
    int32_t scale;
    int32_t zero_point;
    int32_t blocksize;
    int32_t quantized_dimension;
} TfLiteBlockwiseQuantization;

// Scales for blocks along several dimensions.
typedef struct TfLiteMultiAxisQuantization {
    int32_t scales;
    int32_t zero_points;
    int32_t blocksize;
    TfLiteIntArray* quantized_dimensions;
} TfLiteMultiAxisQuantization;

// One dimension of a sparse tensor: the size of a dense dimension, or the segments and indices of a
// compressed one.
typedef struct TfLiteDimensionMetadata {
    TfLiteDimensionType format;
    int dense_size;
    TfLiteIntArray* array_segments;
    TfLiteIntArray* array_indices;
} TfLiteDimensionMetadata;

// How a sparse constant is stored: the order in which its dimensions are traversed, and the format of each.
typedef struct TfLiteSparsity {
    TfLiteIntArray* traversal_order;
    TfLiteIntArray* block_map;
    TfLiteDimensionMetadata* dim_metadata;
    int dim_metadata_size;
} TfLiteSparsity;

// ---- Tensors ----

// A tensor's data under the type of its elements.
typedef union TfLitePtrUnion {
    int32_t* i32;
    uint32_t* u32;
    int64_t* i64;
    uint64_t* u64;
    float* f;
    TfLiteFloat16* f16;
    TfLiteBFloat16* bf16;
    double* f64;
    char* raw;
    const char* raw_const;
    uint8_t* uint8;
    bool* b;
    int16_t* i16;
    uint16_t* ui16;
    TfLiteComplex64* c64;
    TfLiteComplex128* c128;
    int8_t* int8;
    void* data;
} TfLitePtrUnion;

// Memory of the program for one tensor.
typedef struct TfLiteCustomAllocation {
    void* data;
    size_t bytes;
} TfLiteCustomAllocation;

// Replaces malloc and free for the data of tensors. Each function receives `data`. `alignment` is a power of
// two, and no more than malloc gives. allocate and reallocate return NULL when memory runs out.
typedef struct TfLiteAllocator {
    void* data;
    void* (*allocate)(void* data, size_t bytes, size_t alignment);
    void* (*reallocate)(void* data, void* ptr, size_t old_bytes, size_t new_bytes, size_t alignment);
    void (*deallocate)(void* data, void* ptr, size_t bytes, size_t alignment);
} TfLiteAllocator;

typedef struct TfLiteTensor {
    TfLiteType type;
    TfLitePtrUnion data;             // NULL until allocated
    TfLiteIntArray* dims;            // shape; owned
    TfLiteQuantizationParams params; // of quantizations with one scale; else zeros
    TfLiteAllocationType allocation_type;
    size_t bytes;                     // of data
    const void* allocation;           // mapping that a kTfLiteMmapRo tensor lies in
    const char* name;                 // owned by the model
    struct TfLiteDelegate* delegate;  // the owner of buffer_handle; NULL for none
    TfLiteBufferHandle buffer_handle; // kTfLiteNullBufferHandle for none
    bool data_is_stale;               // the delegate's buffer is newer than `data`
    bool is_variable;                 // keeps its contents between inferences
    TfLiteQuantization quantization;
    TfLiteSparsity* sparsity;             // NULL: dense
    const TfLiteIntArray* dims_signature; // shape with -1 for unknown sizes; NULL when the model has none
} TfLiteTensor;

// The few fields of a tensor that an inference needs.
typedef struct TfLiteEvalTensor {
    TfLitePtrUnion data;
    TfLiteIntArray* dims;
    TfLiteType type;
} TfLiteEvalTensor;

// ---- Nodes and operators ----

// A node: one use of an operator in a graph. The arrays hold indices of tensors; kTfLiteOptionalTensor stands
// for an absent input.
typedef struct TfLiteNode {
    TfLiteIntArray* inputs;
    TfLiteIntArray* outputs;
    TfLiteIntArray* intermediates;   // quantization information of fused operators (LSTM)
    TfLiteIntArray* temporaries;     // set by prepare
    void* user_data;                 // what init returned
    void* builtin_data;              // the TfLite…Params of a builtin operator (builtin_op_data.h)
    const void* custom_initial_data; // options of a custom operator
    int custom_initial_data_size;    // in bytes
    struct TfLiteDelegate* delegate; // that runs this node; NULL for none
    bool might_have_side_effect;
} TfLiteNode;

// What the runtime offers to operators and delegates. Each comment says where its function pointer may be
// called; "prepare" and "invoke" are the two calls of an operator.
typedef struct TfLiteContext {
    size_t tensors_size;
    // Stores the indices of the nodes in execution order, valid until the next call. For delegates, in
    // Prepare.
    TfLiteStatus (*GetExecutionPlan)(struct TfLiteContext* context, TfLiteIntArray** execution_plan);
    TfLiteTensor* tensors; // moves when tensors are added
    void* impl_;           // the runtime's own
    // Sets a tensor's shape and takes over `new_size`, also on failure. In prepare; in invoke for dynamic
    // tensors.
    TfLiteStatus (*ResizeTensor)(struct TfLiteContext*, TfLiteTensor* tensor, TfLiteIntArray* new_size);
    // Sends a printf-style message to the program's error reporter. Anywhere.
    void (*ReportError)(struct TfLiteContext*, const char* msg, ...);
    // Appends tensors and stores the index of the first one unless the pointer is NULL. In prepare.
    TfLiteStatus (*AddTensors)(struct TfLiteContext*, int tensors_to_add, int* first_new_tensor_index);
    // Stores a node and its operator. For delegates, in Prepare and in the init of their kernels.
    TfLiteStatus (*GetNodeAndRegistration)(struct TfLiteContext*, int node_index, TfLiteNode** node,
                                           struct TfLiteRegistration** registration);
    // Replaces the given nodes by nodes of `registration`, as few as the order of the nodes allows. The init
    // of each one receives a TfLiteDelegateParams as its buffer. For delegates, in Prepare.
    TfLiteStatus (*ReplaceNodeSubsetsWithDelegateKernels)(struct TfLiteContext*,
                                                          struct TfLiteRegistration registration,
                                                          const TfLiteIntArray* nodes_to_replace,
                                                          struct TfLiteDelegate* delegate);
    int recommended_num_threads; // less than 1: no recommendation
    TfLiteExternalContext* (*GetExternalContext)(struct TfLiteContext*, TfLiteExternalContextType);
    void (*SetExternalContext)(struct TfLiteContext*, TfLiteExternalContextType, TfLiteExternalContext*);
    bool allow_fp32_relax_to_fp16;
    void* profiler;
    // The following four are for microcontrollers and may be NULL.
    void* (*AllocatePersistentBuffer)(struct TfLiteContext* ctx, size_t bytes);
    TfLiteStatus (*AllocateBufferForEval)(struct TfLiteContext* ctx, size_t bytes, void** ptr);
    TfLiteStatus (*RequestScratchBufferInArena)(struct TfLiteContext* ctx, size_t bytes, int* buffer_idx);
    void* (*GetScratchBuffer)(struct TfLiteContext* ctx, int buffer_idx);
    // Does what ResizeTensor does, with an array of integers that remains the caller's.
    TfLiteStatus (*ResizeTensorExplicit)(struct TfLiteContext* ctx, TfLiteTensor* tensor, int dims,
                                         const int* shape);
    // Stores what ReplaceNodeSubsetsWithDelegateKernels would make of these nodes. The array is valid until
    // the next call, or until the delegate's Prepare returns.
    TfLiteStatus (*PreviewDelegatePartitioning)(struct TfLiteContext* context,
                                                const TfLiteIntArray* nodes_to_replace,
                                                struct TfLiteDelegateParams** partition_params_array,
                                                int* num_partitions);
    TfLiteTensor* (*GetTensor)(const struct TfLiteContext* context, int tensor_idx);
    TfLiteEvalTensor* (*GetEvalTensor)(const struct TfLiteContext* context, int tensor_idx);
    // Stores the address and the size of a named buffer of the model (metadata), which lives as long as the
    // model.
    TfLiteStatus (*GetModelMetadata)(const struct TfLiteContext* context, const char* name, const char** ptr,
                                     size_t* bytes);
    // Give a delegate access to another subgraph, until it releases the subgraph's context.
    TfLiteStatus (*AcquireSubgraphContext)(struct TfLiteContext* context, int subgraph_index,
                                           struct TfLiteContext** acquired_context);
    TfLiteStatus (*ReleaseSubgraphContext)(struct TfLiteContext* context, int subgraph_index);
} TfLiteContext;

// An operator as a struct, which delegates and programs of older versions use. operator.h describes the
// functions. For a builtin operator `buffer` is its TfLite…Params, and the length is 0.
typedef struct TfLiteRegistration {
    void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteContext* context, void* buffer);
    TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
    TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
    const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node); // may be NULL
    int32_t builtin_code;
    const char* custom_name;
    int version;
    TfLiteOperator* registration_external; // unless NULL, its functions replace those above
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteContext* context, TfLiteNode* node);
    uint64_t inplace_operator; // TfLiteInPlaceOp, or-ed
} TfLiteRegistration;

// The struct as earlier versions of the API had it.
typedef struct TfLiteRegistration_V3 {
    void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteContext* context, void* buffer);
    TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
    TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
    const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
    int32_t builtin_code;
    const char* custom_name;
    int version;
    TfLiteOperator* registration_external;
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteContext* context, TfLiteNode* node);
} TfLiteRegistration_V3;

typedef struct TfLiteRegistration_V2 {
    void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteContext* context, void* buffer);
    TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
    TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
    const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
    int32_t builtin_code;
    const char* custom_name;
    int version;
    TfLiteOperator* registration_external;
} TfLiteRegistration_V2;

typedef struct TfLiteRegistration_V1 {
    void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteContext* context, void* buffer);
    TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
    TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
    const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
    int32_t builtin_code;
    const char* custom_name;
    int version;
} TfLiteRegistration_V1;

// ---- Delegates ----

// What the init of a delegate's kernel receives: the nodes that the kernel replaces, and the tensors that it
// reads and writes. Valid during the call.
typedef struct TfLiteDelegateParams {
    struct TfLiteDelegate* delegate;
    TfLiteIntArray* nodes_to_replace;
    TfLiteIntArray* input_tensors;
    TfLiteIntArray* output_tensors;
} TfLiteDelegateParams;

// The same for delegates made by TfLiteOpaqueDelegateCreate.
typedef struct TfLiteOpaqueDelegateParams {
    TfLiteOpaqueDelegate* delegate;
    void* delegate_data;
    TfLiteIntArray* nodes_to_replace;
    TfLiteIntArray* input_tensors;
    TfLiteIntArray* output_tensors;
} TfLiteOpaqueDelegateParams;

// A delegate. It must outlive the interpreters it was given to.
struct TfLiteDelegate {
    void* data_; // the delegate's own
    // Selects nodes and calls ReplaceNodeSubsetsWithDelegateKernels for them. A failure leaves the graph as
    // it was.
    TfLiteStatus (*Prepare)(TfLiteContext* context, struct TfLiteDelegate* delegate);
    // Copy between the tensor's memory and the delegate's buffer. They may be NULL in delegates that have no
    // buffers.
    TfLiteStatus (*CopyFromBufferHandle)(TfLiteContext* context, struct TfLiteDelegate* delegate,
                                         TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor);
    TfLiteStatus (*CopyToBufferHandle)(TfLiteContext* context, struct TfLiteDelegate* delegate,
                                       TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor);
    // Releases the buffer and sets *handle to kTfLiteNullBufferHandle.
    void (*FreeBufferHandle)(TfLiteContext* context, struct TfLiteDelegate* delegate,
                             TfLiteBufferHandle* handle);
    int64_t flags;                                               // TfLiteDelegateFlags, or-ed
    struct TfLiteOpaqueDelegateBuilder* opaque_delegate_builder; // used when Prepare is NULL
};

// The same in opaque types. Each function receives `data`.
typedef struct TfLiteOpaqueDelegateBuilder {
    void* data;
    TfLiteStatus (*Prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data);
    TfLiteStatus (*CopyFromBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                         void* data, TfLiteBufferHandle buffer_handle,
                                         TfLiteOpaqueTensor* tensor);
    TfLiteStatus (*CopyToBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                       void* data, TfLiteBufferHandle buffer_handle,
                                       TfLiteOpaqueTensor* tensor);
    void (*FreeBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                             TfLiteBufferHandle* handle);
    int64_t flags;
} TfLiteOpaqueDelegateBuilder;

// Returns a delegate with all fields 0.
TFL_CAPI_EXPORT extern TfLiteDelegate TfLiteDelegateCreate(void);

// Creates a delegate with a copy of the builder, which the caller may delete afterwards. Returns NULL for
// NULL and when memory runs out. The caller deletes the delegate, after the interpreters that use it.
TFL_CAPI_EXPORT extern TfLiteOpaqueDelegate*
TfLiteOpaqueDelegateCreate(const TfLiteOpaqueDelegateBuilder* opaque_delegate_builder);
TFL_CAPI_EXPORT extern void TfLiteOpaqueDelegateDelete(TfLiteOpaqueDelegate* delegate);

// Returns the builder's `data`, or data_ of a delegate that has no builder.
TFL_CAPI_EXPORT extern void* TfLiteOpaqueDelegateGetData(const TfLiteOpaqueDelegate* delegate);

// Returns the value by which the init of a delegate's kernel reports that it failed. The delegate is then not
// applied.
TFL_CAPI_EXPORT extern void* TfLiteKernelInitFailed(void);

// ---- Functions on arrays ----
// Create and Copy return NULL when memory runs out, for a negative size, and for a copy of NULL. Free accepts
// NULL. The elements of a new array are not set.

// Returns the size of the whole struct in bytes; 0 for a negative size.
TFL_CAPI_EXPORT extern size_t TfLiteIntArrayGetSizeInBytes(int size);
TFL_CAPI_EXPORT extern TfLiteIntArray* TfLiteIntArrayCreate(int size);
TFL_CAPI_EXPORT extern TfLiteIntArray* TfLiteIntArrayCopy(const TfLiteIntArray* src);
TFL_CAPI_EXPORT extern void TfLiteIntArrayFree(TfLiteIntArray* a);

// Return 1 when size and elements are equal, else 0.
TFL_CAPI_EXPORT extern int TfLiteIntArrayEqual(const TfLiteIntArray* a, const TfLiteIntArray* b);
TFL_CAPI_EXPORT extern int TfLiteIntArrayEqualsArray(const TfLiteIntArray* a, int b_size, const int b_data[]);

// The same for arrays of float.
TFL_CAPI_EXPORT extern int TfLiteFloatArrayGetSizeInBytes(int size);
TFL_CAPI_EXPORT extern TfLiteFloatArray* TfLiteFloatArrayCreate(int size);
TFL_CAPI_EXPORT extern TfLiteFloatArray* TfLiteFloatArrayCopy(const TfLiteFloatArray* src);
TFL_CAPI_EXPORT extern void TfLiteFloatArrayFree(TfLiteFloatArray* a);

// ---- Functions on tensors ----

// Returns "FLOAT32" and so on; "Unknown type" for other numbers.
TFL_CAPI_EXPORT extern const char* TfLiteTypeGetName(TfLiteType type);

// Release what the tensor owns: its data (kTfLiteDynamic and kTfLitePersistentRo), or everything. The
// pointers become NULL; the tensor itself remains. An interpreter's tensors own their dimensions,
// quantization and sparsity too: a program may free these, and put others from malloc in their place, while
// the interpreter does not run. Without dimensions a tensor cannot be used. An `allocator` of NULL means
// malloc and free. The allocator must be the one that allocated. Objects of kTfLiteVariantObject are not
// destroyed: their owner does that first.
TFL_CAPI_EXPORT extern void TfLiteTensorDataFree(TfLiteTensor* t);
TFL_CAPI_EXPORT extern void TfLiteTensorDataFreeWithAllocator(TfLiteTensor* t, TfLiteAllocator* allocator);
TFL_CAPI_EXPORT extern void TfLiteTensorFree(TfLiteTensor* t);
TFL_CAPI_EXPORT extern void TfLiteQuantizationFree(TfLiteQuantization* quantization);
TFL_CAPI_EXPORT extern void TfLiteSparsityFree(TfLiteSparsity* sparsity);

// Releases what the tensor owns and sets the given fields; `dims` becomes the tensor's.
TFL_CAPI_EXPORT extern void TfLiteTensorReset(TfLiteType type, const char* name, TfLiteIntArray* dims,
                                              TfLiteQuantizationParams quantization, char* buffer,
                                              size_t size, TfLiteAllocationType allocation_type,
                                              const void* allocation, bool is_variable, TfLiteTensor* tensor);

// Copies type, shape and data to a tensor whose data has the same size in bytes; otherwise returns
// kTfLiteError. Does nothing when one of the tensors is NULL.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorCopy(const TfLiteTensor* src, TfLiteTensor* dst);

// Returns a copy that owns everything, its data included. Release it with TfLiteTensorFree. All fields are
// zero when memory runs out.
TFL_CAPI_EXPORT extern TfLiteTensor TfLiteTensorClone(TfLiteTensor src);

// Give a kTfLiteDynamic or kTfLitePersistentRo tensor `num_bytes` bytes of data; other tensors remain
// unchanged. Realloc, and `preserve_data`, keep the old contents. A tensor that becomes smaller keeps its
// memory. Return kTfLiteError when memory runs out, and above PTRDIFF_MAX bytes: the tensor then has no data
// any more, and the caller frees the old data.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t num_bytes, TfLiteTensor* tensor,
                                                                bool preserve_data);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorResizeMaybeCopyWithAllocator(size_t num_bytes,
                                                                             TfLiteTensor* tensor,
                                                                             bool preserve_data,
                                                                             TfLiteAllocator* allocator);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorRealloc(size_t num_bytes, TfLiteTensor* tensor);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteTensorReallocWithAllocator(size_t num_bytes, TfLiteTensor* tensor,
                                                                     TfLiteAllocator* allocator);

// Returns the shape with -1 for unknown sizes, or the plain shape when the model has no unknown sizes. The
// array belongs to the tensor.
TFL_CAPI_EXPORT extern const TfLiteIntArray* TfLiteTensorGetDimsSignature(const TfLiteTensor* t);

// Return what the tensor's allocation type implies: who allocated the data, how long the address and the
// contents of the data remain the same, and from which step on contents and shape are known. The results for
// NULL are "unknown".
TFL_CAPI_EXPORT extern TfLiteAllocationStrategy TfLiteTensorGetAllocationStrategy(const TfLiteTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteTensorGetBufferAddressStability(const TfLiteTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStability TfLiteTensorGetDataStability(const TfLiteTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteTensorGetDataKnownStep(const TfLiteTensor* t);
TFL_CAPI_EXPORT extern TfLiteRunStep TfLiteTensorGetShapeKnownStep(const TfLiteTensor* t);

#ifdef __cplusplus
}
#endif

#endif
