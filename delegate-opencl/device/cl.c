// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/cl.h"

#include <dlfcn.h>
#include <string.h>

#include "core/base/lock.h"
#include "core/base/opencl_packages.h"
#include "delegate-opencl/device/icd.h"
#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/device/lost.h"
#include "delegate-opencl/device/vendors.h"

static LiteCl table;
static bool loaded;
static unsigned loaded_forks; // lite_fork_count of the process that has loaded it
static LiteLock load_mutex = LITE_LOCK_INITIALIZER;

static TfLiteStatus report_absent(const char* error, const LiteReporter* reporter) {
    const bool is_absent = error != NULL && strstr(error, "cannot open shared object file") != NULL;
    return lite_report(reporter, "OpenCL: %s%s", error != NULL ? error : "libOpenCL.so.1 cannot be opened",
                       is_absent ? "; " LITE_OPENCL_LOADER "; " LITE_OPENCL_DRIVERS : "");
}

// Loaders look for drivers when they are asked for the first time. What they say is asked for again later.
static void look(void* user_data) {
    cl_uint count = 0;
    (void)user_data;
    if (lite_cl_left_out_at(0) != NULL) (void)table.clGetPlatformIDs(0, NULL, &count);
}

static void find_for_series(void* library) {
    *(void**)&table.clCompileProgram = dlsym(library, "clCompileProgram");
    *(void**)&table.clLinkProgram = dlsym(library, "clLinkProgram");
    *(void**)&table.clSVMAlloc = dlsym(library, "clSVMAlloc");
    *(void**)&table.clSVMFree = dlsym(library, "clSVMFree");
    *(void**)&table.clSetKernelArgSVMPointer = dlsym(library, "clSetKernelArgSVMPointer");
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
#define CL_OPTIONAL(name) *(void**)&table.name = dlsym(library, #name);
#include "delegate-opencl/device/functions.def"
    *(void**)&table.clEnqueueMarker = dlsym(library, "clEnqueueMarker");
    *(void**)&table.clCreateCommandQueueWithProperties = dlsym(library, "clCreateCommandQueueWithProperties");
    if (LITE_CL_HAS_SERIES) find_for_series(library);
    return LITE_CL_HAS_SELFTEST ? lite_cl_look_for_vendors(look, NULL, reporter) : kTfLiteOk;
}

// In a forked child. What was made before keeps the table, so the table loses the driver.
static void lose_driver(void) {
    if (loaded) table = lite_cl_lost;
}

// With load_mutex held.
static bool load_once(const LiteReporter* reporter) {
    static bool watched;
    if (!watched && pthread_atfork(NULL, NULL, lose_driver) != 0)
        return lite_report(reporter, "OpenCL: out of memory") == kTfLiteOk;
    watched = true;
    loaded_forks = lite_fork_count();
    return load(reporter) == kTfLiteOk;
}

bool lite_cl_is_forked(void) {
    return loaded && loaded_forks != lite_fork_count();
}

const char lite_cl_forked_text[] = "OpenCL: this process was forked from one that used OpenCL, and no driver "
                                   "survives fork(): the CPU computes. "
                                   "Start the process anew to use the device (in Python: multiprocessing "
                                   "with \"spawn\"), or use OpenCL only in "
                                   "children";

bool lite_cl_is_loaded(void) {
    lite_lock(&load_mutex);
    const bool is = loaded;
    lite_unlock(&load_mutex);
    return is;
}

const LiteCl* lite_cl_load(const LiteReporter* reporter) {
    lite_lock(&load_mutex);
    if (!loaded) loaded = load_once(reporter);
    const LiteCl* result = loaded ? &table : NULL;
    lite_unlock(&load_mutex);
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
    if (error == LITE_CL_FORKED) {
        (void)lite_report(reporter, "%s", lite_cl_forked_text);
        return kTfLiteDelegateError;
    }
    (void)lite_report(reporter, "OpenCL: %s: %s (%d)", what, lite_cl_error_name(error), error);
    return kTfLiteDelegateError;
}
