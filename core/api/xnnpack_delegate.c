// SPDX-License-Identifier: Apache-2.0
// The XNNPACK delegate's functions, over a delegate that takes no nodes.
//
// The struct of options has grown with nearly each version of the reference, and programs, which get it by
// value, do not say which one they know: they pass an address, at which they have room for their own. So no
// more is written there than all have room for that are passed an address, and no more is read than the
// fields that are of use here.
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

#include "core/base/memory.h"

// The beginning of the struct, as long as that of version 2.12: the number of threads, flags, the cache of
// weights, a bool.
typedef struct CommonOptions {
    int32_t num_threads;
    uint32_t flags[3];
    uint64_t rest;
} CommonOptions;

typedef struct XnnpackDelegate {
    TfLiteDelegate delegate; // first: what the program holds
    TfLiteXNNPackDelegateOptions options;
} XnnpackDelegate;

struct TfLiteXNNPackDelegateWeightsCache {
    bool is_final;
};

static const XnnpackDelegate* xnnpack_of(const TfLiteDelegate* delegate) {
    return (const XnnpackDelegate*)delegate;
}

// Called for every subgraph.
static TfLiteStatus prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    const int32_t threads = xnnpack_of(delegate)->options.num_threads;
    context->recommended_num_threads = threads > 0 ? threads : 1;
    return kTfLiteOk;
}

TFL_CAPI_EXPORT CommonOptions common_options(void) __asm__("TfLiteXNNPackDelegateOptionsDefault");

CommonOptions common_options(void) {
    return (CommonOptions){.num_threads = 0};
}

TfLiteDelegate* TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions* options) {
    XnnpackDelegate* xnnpack = lite_calloc(1, sizeof *xnnpack);
    if (xnnpack == NULL) return NULL;
    xnnpack->options = TfLiteXNNPackDelegateOptionsDefault();
    if (options != NULL) {
        xnnpack->options.num_threads = options->num_threads;
        xnnpack->options.runtime_flags = options->runtime_flags;
        xnnpack->options.flags = options->flags;
    }
    xnnpack->delegate.data_ = xnnpack;
    xnnpack->delegate.Prepare = prepare;
    xnnpack->delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    return &xnnpack->delegate;
}

TfLiteDelegate* TfLiteXNNPackDelegateCreateWithThreadpool(const TfLiteXNNPackDelegateOptions* options,
                                                          TfLiteContext* context) {
    (void)context;
    return TfLiteXNNPackDelegateCreate(options);
}

void TfLiteXNNPackDelegateDelete(TfLiteDelegate* delegate) {
    lite_free(delegate);
}

void* TfLiteXNNPackDelegateGetThreadPool(TfLiteDelegate* delegate) {
    (void)delegate;
    return NULL;
}

const TfLiteXNNPackDelegateOptions* TfLiteXNNPackDelegateGetOptions(TfLiteDelegate* delegate) {
    return delegate != NULL ? &xnnpack_of(delegate)->options : NULL;
}

int TfLiteXNNPackDelegateGetFlags(TfLiteDelegate* delegate) {
    return delegate != NULL ? (int)xnnpack_of(delegate)->options.flags : 0;
}

struct TfLiteXNNPackDelegateWeightsCache* TfLiteXNNPackDelegateWeightsCacheCreate(void) {
    return lite_calloc(1, sizeof(struct TfLiteXNNPackDelegateWeightsCache));
}

struct TfLiteXNNPackDelegateWeightsCache* TfLiteXNNPackDelegateWeightsCacheCreateWithSize(size_t size) {
    (void)size;
    return TfLiteXNNPackDelegateWeightsCacheCreate();
}

static bool finalize(struct TfLiteXNNPackDelegateWeightsCache* cache) {
    if (cache == NULL || cache->is_final) return false;
    cache->is_final = true;
    return true;
}

bool TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(struct TfLiteXNNPackDelegateWeightsCache* cache) {
    return finalize(cache);
}

bool TfLiteXNNPackDelegateWeightsCacheFinalizeHard(struct TfLiteXNNPackDelegateWeightsCache* cache) {
    return finalize(cache);
}

void TfLiteXNNPackDelegateWeightsCacheDelete(struct TfLiteXNNPackDelegateWeightsCache* cache) {
    lite_free(cache);
}

bool TfLiteXNNPackDelegateCanUseInMemoryWeightCacheProvider(void) {
    return false;
}

const char* TfLiteXNNPackDelegateInMemoryFilePath(void) {
    return ":memory";
}
