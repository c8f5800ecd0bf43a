// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/cl.h"

#include <dlfcn.h>
#include <pthread.h>

#include "delegate-opencl/device/icd.h"

static LiteCl table;
static bool loaded;
static pthread_mutex_t load_mutex = PTHREAD_MUTEX_INITIALIZER;

static TfLiteStatus load(const LiteReporter* reporter) {
    lite_cl_isolate_vendors();
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return lite_report(reporter, "OpenCL: %s", dlerror());
        // POSIX's way of turning an object pointer into a function pointer.
#define CL_FUNCTION(name)                                                                                    \
    *(void**)&table.name = dlsym(library, #name);                                                            \
    if (table.name == NULL) {                                                                                \
        dlclose(library);                                                                                    \
        return lite_report(reporter, "OpenCL: libOpenCL.so.1 has no " #name);                                \
    }
#include "delegate-opencl/device/functions.def"
    *(void**)&table.clCreateCommandQueueWithProperties = dlsym(library, "clCreateCommandQueueWithProperties");
    return kTfLiteOk;
}

const LiteCl* lite_cl_load(const LiteReporter* reporter) {
    pthread_mutex_lock(&load_mutex);
    if (!loaded) loaded = load(reporter) == kTfLiteOk;
    const LiteCl* result = loaded ? &table : NULL;
    pthread_mutex_unlock(&load_mutex);
    return result;
}

const char* lite_cl_error_name(cl_int error) {
    switch (error) {
#define CL_ERROR(name, code)                                                                                 \
    case code:                                                                                               \
        return #name;
#include "delegate-opencl/device/errors.def"
    default:
        return "unknown error";
    }
}

TfLiteStatus lite_cl_check(const LiteReporter* reporter, const char* what, cl_int error) {
    if (error == CL_SUCCESS) return kTfLiteOk;
    (void)lite_report(reporter, "OpenCL: %s: %s (%d)", what, lite_cl_error_name(error), error);
    return kTfLiteDelegateError;
}
