// SPDX-License-Identifier: Apache-2.0
// The XNNPACK delegate by its functions in TensorFlow Lite. There is no XNNPACK here: this delegate leaves
// the graph to the library's own kernels, and sets the number of threads on which they compute. It makes
// programs and bindings run that ask for it; results are those of the library without a delegate. The other
// options have no effect. Of them the flags alone are read: programs that were built for an earlier version
// of the reference have shorter structs.
#ifndef TENSORFLOW_LITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_
#define TENSORFLOW_LITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bits of `flags`: what XNNPACK would take, and how.
#define TFLITE_XNNPACK_DELEGATE_FLAG_QS8 0x00000001
#define TFLITE_XNNPACK_DELEGATE_FLAG_QU8 0x00000002
#define TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16 0x00000004 // here floats are computed in float32 all the same
#define TFLITE_XNNPACK_DELEGATE_FLAG_DYNAMIC_FULLY_CONNECTED 0x00000008
#define TFLITE_XNNPACK_DELEGATE_FLAG_VARIABLE_OPERATORS 0x00000010
#define TFLITE_XNNPACK_DELEGATE_FLAG_TRANSIENT_INDIRECTION_BUFFER 0x00000020
#define TFLITE_XNNPACK_DELEGATE_FLAG_ENABLE_LATEST_OPERATORS 0x00000040
#define TFLITE_XNNPACK_DELEGATE_FLAG_ENABLE_SUBGRAPH_RESHAPING 0x00000080
#define TFLITE_XNNPACK_DELEGATE_FLAG_SLOW_CONSISTENT_ARITHMETIC 0x00000200
#define TFLITE_XNNPACK_DELEGATE_FLAG_DISABLE_SUBGRAPH_RESHAPING 0x00000400

struct TfLiteXNNPackDelegateWeightsCache;

typedef struct TfLiteXNNPackDelegateOptions {
    int32_t num_threads; // for all nodes of the graph; 0 or less: one
    uint32_t runtime_flags;
    uint32_t flags;
    struct TfLiteXNNPackDelegateWeightsCache* weights_cache;
    bool handle_variable_ops;
    const char* weight_cache_file_path;
    int weight_cache_file_descriptor; // stays the program's
    void* weight_cache_provider;
} TfLiteXNNPackDelegateOptions;

// Returns options of one thread and no flags, with the file descriptor -1. The function in the library sets
// the first 24 bytes, which programs have room for that were built for version 2.12 of the reference or
// later; here, where the struct is known, it is set as a whole.
TFL_CAPI_EXPORT extern TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault(void);
#ifndef __cplusplus
#define TfLiteXNNPackDelegateOptionsDefault()                                                                \
    ((TfLiteXNNPackDelegateOptions){.weight_cache_file_descriptor = -1})
#endif

// Creates a delegate with the number of threads and the flags of these options; NULL means the defaults.
// Returns NULL when memory runs out. The caller deletes the delegate after the interpreters that use it.
// `context` is not used, and may be NULL.
TFL_CAPI_EXPORT extern TfLiteDelegate*
TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions* options);
TFL_CAPI_EXPORT extern TfLiteDelegate*
TfLiteXNNPackDelegateCreateWithThreadpool(const TfLiteXNNPackDelegateOptions* options,
                                          TfLiteContext* context);

// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteXNNPackDelegateDelete(TfLiteDelegate* delegate);

// Returns NULL: the threads are the library's, no pthreadpool.
TFL_CAPI_EXPORT extern void* TfLiteXNNPackDelegateGetThreadPool(TfLiteDelegate* delegate);

// Return the delegate's options, the defaults but for threads and flags, and the flags; NULL and 0 for a
// delegate of NULL.
TFL_CAPI_EXPORT extern const TfLiteXNNPackDelegateOptions*
TfLiteXNNPackDelegateGetOptions(TfLiteDelegate* delegate);
TFL_CAPI_EXPORT extern int TfLiteXNNPackDelegateGetFlags(TfLiteDelegate* delegate);

// A cache of packed weights to be shared by delegates. It holds nothing: each interpreter packs its own, also
// before the cache is final. The first of the two Finalize calls returns true, later ones false. NULL when
// memory runs out; Delete accepts NULL.
TFL_CAPI_EXPORT extern struct TfLiteXNNPackDelegateWeightsCache*
TfLiteXNNPackDelegateWeightsCacheCreate(void);
TFL_CAPI_EXPORT extern struct TfLiteXNNPackDelegateWeightsCache*
TfLiteXNNPackDelegateWeightsCacheCreateWithSize(size_t size);
TFL_CAPI_EXPORT extern bool
TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(struct TfLiteXNNPackDelegateWeightsCache* cache);
TFL_CAPI_EXPORT extern bool
TfLiteXNNPackDelegateWeightsCacheFinalizeHard(struct TfLiteXNNPackDelegateWeightsCache* cache);
TFL_CAPI_EXPORT extern void
TfLiteXNNPackDelegateWeightsCacheDelete(struct TfLiteXNNPackDelegateWeightsCache* cache);

// Whether a cache of weights can be kept in memory: false. The path that asks for one.
TFL_CAPI_EXPORT extern bool TfLiteXNNPackDelegateCanUseInMemoryWeightCacheProvider(void);
TFL_CAPI_EXPORT extern const char* TfLiteXNNPackDelegateInMemoryFilePath(void);

#ifdef __cplusplus
}

inline TfLiteXNNPackDelegateOptions oclite_xnnpack_delegate_options_default() {
    TfLiteXNNPackDelegateOptions options = {};
    options.weight_cache_file_descriptor = -1;
    return options;
}
#define TfLiteXNNPackDelegateOptionsDefault() oclite_xnnpack_delegate_options_default()
#endif

#endif
