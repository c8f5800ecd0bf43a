// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/cl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "core/base/opencl_packages.h"
#include "delegate-opencl/device/icd.h"

static LiteCl table;
static bool loaded;
static pthread_mutex_t load_mutex = PTHREAD_MUTEX_INITIALIZER;

static TfLiteStatus report_absent(const char* error, const LiteReporter* reporter) {
    const bool is_absent = error != NULL && strstr(error, "cannot open shared object file") != NULL;
    return lite_report(reporter, "OpenCL: %s%s", error != NULL ? error : "libOpenCL.so.1 cannot be opened",
                       is_absent ? "; " LITE_OPENCL_LOADER "; " LITE_OPENCL_DRIVERS : "");
}

static TfLiteStatus load(const LiteReporter* reporter) {
    lite_cl_isolate_vendors();
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return report_absent(dlerror(), reporter);
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
