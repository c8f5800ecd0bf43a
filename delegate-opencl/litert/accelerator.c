// SPDX-License-Identifier: Apache-2.0
// The accelerator that LiteRT's CompiledModel finds in this library: it makes delegates of liboclite_opencl.
// LiteRT hands on statuses alone, so what went wrong is told on the standard error, where LiteRT's own
// messages are.
#include <stdio.h>

#include "core/base/status.h"
#include "delegate-opencl/litert/abi.h"
#include "delegate-opencl/litert/options.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"

#define EXPORTED __attribute__((visibility("default")))
#define KNOWN "LiteRT 2.2 and 2.3 have version 1"

extern const LitertAccelerator LiteRtAcceleratorImpl;
LitertStatus LiteRtRegisterGpuAccelerator(LitertEnvironment* environment);

static void print(void* user_data, const char* format, va_list args) {
    char text[1024];
    (void)user_data;
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "ERROR: [oclite] %s\n", text);
}

static const LiteReporter error_output = {print, NULL};

static void print_text(const char* text) {
    (void)lite_report(&error_output, "%s", text);
}

static LitertStatus get_name(LitertHandle* self, const char** name) {
    (void)self;
    *name = "oclite OpenCL";
    return kLitertOk;
}

static LitertStatus get_version(LitertHandle* self, LitertVersion* version) {
    (void)self;
    *version = (LitertVersion){OCLITE_LITERT_VERSION};
    return kLitertOk;
}

static LitertStatus get_hardware(LitertHandle* self, int* hardware) {
    (void)self;
    *hardware = kLitertGpu;
    return kLitertOk;
}

static LitertStatus get_compiles(LitertHandle* self, bool* compiles) {
    (void)self;
    *compiles = true;
    return kLitertOk;
}

// Nothing of a runtime is called before this.
static bool is_known(const LitertRuntime* runtime) {
    enum { NEEDED = offsetof(LitertRuntime, wrap_delegate) + sizeof runtime->wrap_delegate };
    if (runtime == NULL) {
        print_text("LiteRT lends no functions to accelerators");
        return false;
    }
    if (runtime->header.major != LITERT_RUNTIME_MAJOR) {
        (void)lite_report(&error_output,
                          "this LiteRT's functions for accelerators have version %d.%d, and " KNOWN,
                          runtime->header.major, runtime->header.minor);
        return false;
    }
    if (runtime->header.size < NEEDED || runtime->get_opaque_options == NULL ||
        runtime->find_opaque_options == NULL || runtime->wrap_delegate == NULL) {
        (void)lite_report(&error_output,
                          "this LiteRT's table of functions for accelerators lacks some of version 1 (%d "
                          "bytes, and %d are needed)",
                          runtime->header.size, (int)NEEDED);
        return false;
    }
    return true;
}

// The GPU options that the program has given, which may be none.
static const char* find_gpu_options(const LitertRuntime* runtime, LitertOptions* options) {
    LitertOpaqueOptions* opaque = NULL;
    void* text = NULL;
    if (options == NULL || runtime->get_opaque_options(options, &opaque) != kLitertOk || opaque == NULL ||
        runtime->find_opaque_options(opaque, "gpu_options", &text) != kLitertOk)
        return NULL;
    return text;
}

// Is the CPU left out? LiteRT 2.2 does not tell.
static bool is_alone(const LitertRuntime* runtime, LitertOptions* options) {
    int hardware = kLitertCpu;
    const size_t end = offsetof(LitertRuntime, get_hardware) + sizeof runtime->get_hardware;
    if (options == NULL || runtime->header.size < end || runtime->get_hardware == NULL ||
        runtime->get_hardware(options, &hardware) != kLitertOk)
        return false;
    return (hardware & kLitertCpu) == 0;
}

static LitertStatus create_delegate(LitertRuntime* runtime, LitertEnvironment* environment,
                                    LitertHandle* self, LitertOptions* options, LitertWrapper** wrapper) {
    (void)environment, (void)self;
    if (wrapper == NULL) return kLitertInvalidArgument;
    *wrapper = NULL;
    if (!is_known(runtime)) return kLitertWrongVersion;
    const char* gpu_options = find_gpu_options(runtime, options);
    const bool alone = is_alone(runtime, options);
    LitertPairs pairs;
    TfLiteDelegate* delegate = NULL;
    if (litert_pairs_read(&pairs, gpu_options, alone, &error_output) == kTfLiteOk)
        delegate = tflite_plugin_create_delegate(pairs.keys, pairs.values, (size_t)pairs.count, print_text);
    litert_pairs_free(&pairs);
    if (delegate == NULL) return kLitertRuntimeFailure;
    const LitertStatus status = runtime->wrap_delegate(delegate, tflite_plugin_destroy_delegate, wrapper);
    if (status != kLitertOk || *wrapper == NULL) {
        tflite_plugin_destroy_delegate(delegate);
        (void)lite_report(&error_output, "LiteRT does not take the delegate (status %d)", (int)status);
        return status != kLitertOk ? status : kLitertRuntimeFailure;
    }
    return kLitertOk;
}

EXPORTED const LitertAccelerator LiteRtAcceleratorImpl = {
    .header = {sizeof(LitertAccelerator), LITERT_ACCELERATOR_MAJOR, LITERT_ACCELERATOR_MINOR, 0},
    .get_name = get_name,
    .get_version = get_version,
    .get_hardware = get_hardware,
    .compiles = get_compiles,
    .create_delegate = create_delegate,
};

// LiteRT calls this where it does not take what is above: it is older, or newer, than this library knows.
EXPORTED LitertStatus LiteRtRegisterGpuAccelerator(LitertEnvironment* environment) {
    (void)environment;
    print_text(
        "this LiteRT does not take accelerators of this library's version, and goes on without OpenCL (" KNOWN
        "); load_delegate(\"liboclite_opencl.so\") does not depend on it");
    return kLitertWrongVersion;
}
