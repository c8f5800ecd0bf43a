// SPDX-License-Identifier: Apache-2.0
// The binary interface between LiteRT and the accelerators that it loads from files, as far as it is used
// here: what LiteRT 2.2.0 and 2.3.0 have in common, found in what their wheels do. Versions of an object are
// in its first 8 bytes. Functions return statuses; handles belong to LiteRT.
#ifndef DELEGATE_OPENCL_LITERT_ABI_H_
#define DELEGATE_OPENCL_LITERT_ABI_H_

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum LitertStatus {
    kLitertOk = 0,
    kLitertInvalidArgument = 1,
    kLitertRuntimeFailure = 3,
    kLitertWrongVersion = 8
} LitertStatus;

// Kinds of hardware, which are added up. The CPU's is that of LiteRT itself.
enum { kLitertCpu = 1, kLitertGpu = 2 };

// What the option "precision" of a model may say. The last one stores halves and sums them in float32.
typedef enum LitertPrecision {
    kLitertPrecisionDefault = 0,
    kLitertPrecisionFloat16 = 1,
    kLitertPrecisionFloat32 = 2,
    kLitertPrecisionFloat16Sums32 = 3
} LitertPrecision;

// And the option "priority".
enum { kLitertPriorityLow = 1, kLitertPriorityNormal = 2, kLitertPriorityHigh = 3 };

typedef struct LitertHeader {
    uint16_t size;  // of the whole object in bytes: what a later minor version adds is at its end
    uint16_t major; // another one is another object
    uint16_t minor;
    uint16_t reserved;
} LitertHeader;

typedef struct LitertEnvironment LitertEnvironment;
typedef struct LitertHandle LitertHandle; // of the accelerator
typedef struct LitertOptions LitertOptions;
typedef struct LitertOpaqueOptions LitertOpaqueOptions;
typedef struct LitertWrapper LitertWrapper; // of a delegate: the delegate, and who deletes it
struct TfLiteDelegate;                      // which LiteRT calls opaque, and uses as what it is

typedef struct LitertVersion {
    int major, minor, patch;
} LitertVersion;

// What LiteRT lends to an accelerator.
typedef struct LitertRuntime {
    LitertHeader header;
    void* buffers[9]; // requirements of buffers, and the buffers of an inference
    LitertStatus (*get_opaque_options)(LitertOptions* options, LitertOpaqueOptions** opaque);
    // Looks for a payload by its name. That of "gpu_options" is a text, see options.h.
    LitertStatus (*find_opaque_options)(LitertOpaqueOptions* opaque, const char* name, void** payload);
    void* environment[6]; // options of the environment, and its OpenCL objects
    LitertStatus (*wrap_delegate)(struct TfLiteDelegate* delegate,
                                  void (*destroy)(struct TfLiteDelegate* delegate), LitertWrapper** wrapper);
    void* tensor_buffers[31]; // buffers and events
    // Since minor version 1, which LiteRT 2.2.0 does not have.
    LitertStatus (*get_hardware)(LitertOptions* options, int* hardware);
} LitertRuntime;
#define LITERT_RUNTIME_MAJOR 1

// What LiteRT finds in the accelerator's file by the name LiteRtAcceleratorImpl.
typedef struct LitertAccelerator {
    LitertHeader header;
    LitertStatus (*get_name)(LitertHandle* self, const char** name);
    LitertStatus (*get_version)(LitertHandle* self, LitertVersion* version);
    LitertStatus (*get_hardware)(LitertHandle* self, int* hardware);
    // Does the delegate compile? Then it is used for models that ask for its hardware alone.
    LitertStatus (*compiles)(LitertHandle* self, bool* compiles);
    LitertStatus (*create_delegate)(LitertRuntime* runtime, LitertEnvironment* environment,
                                    LitertHandle* self, LitertOptions* options, LitertWrapper** wrapper);
    void* metrics[3]; // NULL: none
    // Buffers of kinds of the accelerator's own; none.
    void* buffer_functions[6];
    int buffer_tags[2];
    size_t buffer_kind_count;
    int buffer_kinds[16];
} LitertAccelerator;
#define LITERT_ACCELERATOR_MAJOR 1
#define LITERT_ACCELERATOR_MINOR 0

#if UINTPTR_MAX == UINT64_MAX // the sizes that the wheels tell
static_assert(sizeof(LitertAccelerator) == 200, "the size of 2.2.0's and 2.3.0's accelerators");
static_assert(offsetof(LitertAccelerator, create_delegate) == 40, "where both call it");
static_assert(offsetof(LitertRuntime, find_opaque_options) == 88, "where both have it");
static_assert(offsetof(LitertRuntime, wrap_delegate) == 144, "where both have it");
static_assert(offsetof(LitertRuntime, get_hardware) == 400, "behind all that 2.2.0 has");
#endif

#endif
