// SPDX-License-Identifier: Apache-2.0
// Delegates from shared libraries. The program gets a delegate of ours, which passes Prepare on to the
// library's delegate. So the function that deletes it can find the library's function that destroys the
// other.
#include "tensorflow/lite/delegates/external/external_delegate.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/status.h"
#include "oclite/oclite.h"

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

static _Thread_local char last_error[1024];

static void remember(const char* message) {
    snprintf(last_error, sizeof last_error, "%s", message != NULL ? message : "");
}

const char* oclite_external_delegate_error(void) {
    return last_error;
}

// Finds the library's functions. NULL, and an error to be asked for, where it has none.
static void* open_library(const char* path, CreateFunction* create, DestroyFunction* destroy) {
    // The library stays loaded: its threads and exit handlers may go on running.
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL) {
        remember(dlerror());
        return NULL;
    }
    LOAD_FUNCTION(*create, library, "tflite_plugin_create_delegate");
    LOAD_FUNCTION(*destroy, library, "tflite_plugin_destroy_delegate");
    if (*create != NULL && *destroy != NULL) return library;
    snprintf(last_error, sizeof last_error, "%.800s is no delegate: it has no %s", path,
             *create == NULL ? "tflite_plugin_create_delegate" : "tflite_plugin_destroy_delegate");
    dlclose(library);
    return NULL;
}

// Has what is remembered said where the user has asked for it; there is no reporter. Returns NULL.
static TfLiteDelegate* no_delegate(void) {
    const LiteReporter nobody = {0};
    if (last_error[0] != '\0') lite_report(&nobody, "%s", last_error);
    return NULL;
}

TfLiteDelegate* TfLiteExternalDelegateCreate(const TfLiteExternalDelegateOptions* options) {
    remember("");
    if (options == NULL || options->lib_path == NULL || options->count < 0 || options->count > kMaxOptions) {
        remember("no path of a library, or a wrong number of options");
        return no_delegate();
    }
    CreateFunction create;
    DestroyFunction destroy;
    void* library = open_library(options->lib_path, &create, &destroy);
    if (library == NULL) return no_delegate();
    ExternalDelegate* external = lite_calloc(1, sizeof *external);
    if (external == NULL) remember("out of memory");
    TfLiteDelegate* inner =
        external ? create(options->keys, options->values, (size_t)options->count, remember) : NULL;
    dlclose(library);
    if (inner == NULL) {
        lite_free(external);
        return no_delegate();
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
