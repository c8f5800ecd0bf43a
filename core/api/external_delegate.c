// SPDX-License-Identifier: Apache-2.0
// Delegates from shared libraries. The program gets a delegate of ours, which passes Prepare on to the
// library's delegate. So the function that deletes it can find the library's function that destroys the
// other.
#include "tensorflow/lite/delegates/external/external_delegate.h"

#include <dlfcn.h>
#include <string.h>

#include "core/base/memory.h"

typedef TfLiteDelegate* (*CreateFunction)(const char* const* keys, const char* const* values, size_t count,
                                          void (*report_error)(const char*));
typedef void (*DestroyFunction)(TfLiteDelegate* delegate);

typedef struct ExternalDelegate {
    TfLiteDelegate delegate; // first: what the program holds
    TfLiteDelegate* inner;
    DestroyFunction destroy;
} ExternalDelegate;

enum { kMaxOptions = sizeof((TfLiteExternalDelegateOptions*)0)->keys / sizeof(const char*) };

TfLiteStatus TfLiteExternalDelegateOptionsInsert(TfLiteExternalDelegateOptions* options, const char* key,
                                                 const char* value) {
    if (options == NULL || options->count < 0 || options->count >= kMaxOptions) return kTfLiteError;
    options->keys[options->count] = key;
    options->values[options->count] = value;
    options->count++;
    return kTfLiteOk;
}

TfLiteExternalDelegateOptions TfLiteExternalDelegateOptionsDefault(const char* lib_path) {
    TfLiteExternalDelegateOptions options = {0};
    options.lib_path = lib_path;
    options.insert = TfLiteExternalDelegateOptionsInsert;
    return options;
}

static TfLiteDelegate* inner_of(TfLiteDelegate* delegate) {
    return ((ExternalDelegate*)delegate)->inner;
}

static TfLiteStatus external_prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    TfLiteDelegate* inner = inner_of(delegate);
    return inner->Prepare(context, inner);
}

static TfLiteStatus external_copy_from(TfLiteContext* context, TfLiteDelegate* delegate,
                                       TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor) {
    TfLiteDelegate* inner = inner_of(delegate);
    return inner->CopyFromBufferHandle(context, inner, buffer_handle, tensor);
}

static TfLiteStatus external_copy_to(TfLiteContext* context, TfLiteDelegate* delegate,
                                     TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor) {
    TfLiteDelegate* inner = inner_of(delegate);
    return inner->CopyToBufferHandle(context, inner, buffer_handle, tensor);
}

static void external_free_handle(TfLiteContext* context, TfLiteDelegate* delegate,
                                 TfLiteBufferHandle* handle) {
    TfLiteDelegate* inner = inner_of(delegate);
    inner->FreeBufferHandle(context, inner, handle);
}

// dlsym gives an object pointer; POSIX has it converted by its bytes.
#define LOAD_FUNCTION(function, library, name)                                                               \
    do {                                                                                                     \
        void* const symbol = dlsym(library, name);                                                           \
        memcpy(&(function), &symbol, sizeof symbol);                                                         \
    } while (0)

TfLiteDelegate* TfLiteExternalDelegateCreate(const TfLiteExternalDelegateOptions* options) {
    if (options == NULL || options->lib_path == NULL || options->count < 0 || options->count > kMaxOptions) {
        return NULL;
    }
    // The library stays loaded: its threads and exit handlers may go on running.
    void* library = dlopen(options->lib_path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL) return NULL;
    CreateFunction create;
    DestroyFunction destroy;
    LOAD_FUNCTION(create, library, "tflite_plugin_create_delegate");
    LOAD_FUNCTION(destroy, library, "tflite_plugin_destroy_delegate");
    ExternalDelegate* external = create && destroy ? lite_calloc(1, sizeof *external) : NULL;
    TfLiteDelegate* inner =
        external ? create(options->keys, options->values, (size_t)options->count, NULL) : NULL;
    dlclose(library);
    if (inner == NULL) {
        lite_free(external);
        return NULL;
    }
    external->inner = inner;
    external->destroy = destroy;
    external->delegate = (TfLiteDelegate){
        .data_ = inner->data_,
        .Prepare = inner->Prepare ? external_prepare : NULL,
        .CopyFromBufferHandle = inner->CopyFromBufferHandle ? external_copy_from : NULL,
        .CopyToBufferHandle = inner->CopyToBufferHandle ? external_copy_to : NULL,
        .FreeBufferHandle = inner->FreeBufferHandle ? external_free_handle : NULL,
        .flags = inner->flags,
        .opaque_delegate_builder = inner->opaque_delegate_builder,
    };
    return &external->delegate;
}

void TfLiteExternalDelegateDelete(TfLiteDelegate* delegate) {
    if (delegate == NULL) return;
    ExternalDelegate* external = (ExternalDelegate*)delegate;
    external->destroy(external->inner);
    lite_free(external);
}
