// SPDX-License-Identifier: Apache-2.0
// The XNNPACK delegate's functions, over a delegate that takes no nodes.
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

#include <unistd.h>

#include "core/base/memory.h"

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

TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault(void) {
    return (TfLiteXNNPackDelegateOptions){.weight_cache_file_descriptor = -1};
}

TfLiteDelegate* TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions* options) {
    XnnpackDelegate* xnnpack = lite_calloc(1, sizeof *xnnpack);
    if (xnnpack == NULL) return NULL;
    xnnpack->options = options != NULL ? *options : TfLiteXNNPackDelegateOptionsDefault();
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
    if (delegate == NULL) return;
    const TfLiteXNNPackDelegateOptions* options = &xnnpack_of(delegate)->options;
    const bool owns_file = options->weights_cache == NULL && options->weight_cache_provider == NULL &&
                           options->weight_cache_file_descriptor > 0;
    if (owns_file) (void)close(options->weight_cache_file_descriptor);
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
