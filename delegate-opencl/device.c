// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "delegate-opencl/choice.h"
#include "delegate-opencl/program.h"
#include "delegate-opencl/tuning.h"

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64, MOST_UNITS = 1 << 16 };

static LiteClDevice* open_devices;
static pthread_mutex_t open_mutex = PTHREAD_MUTEX_INITIALIZER;

static void platform_text(const LiteCl* cl, cl_platform_id platform, cl_platform_info what, char* text,
                          size_t size) {
    if (cl->clGetPlatformInfo(platform, what, size, text, NULL) != CL_SUCCESS) text[0] = '\0';
    text[size - 1] = '\0';
}

static void describe(const LiteCl* cl, cl_platform_id platform, cl_device_id device, LiteClCandidate* out) {
    *out = (LiteClCandidate){.platform = platform, .device = device};
    platform_text(cl, platform, CL_PLATFORM_NAME, out->platform_name, sizeof out->platform_name);
    platform_text(cl, platform, CL_PLATFORM_VENDOR, out->platform_vendor, sizeof out->platform_vendor);
    platform_text(cl, platform, CL_PLATFORM_VERSION, out->platform_version, sizeof out->platform_version);
    if (cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof out->name, out->name, NULL) != CL_SUCCESS) {
        strcpy(out->name, "unnamed device");
    }
    // A failure leaves type 0, which nothing matches but the platform's name.
    (void)cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof out->type, &out->type, NULL);
}

// All devices of all platforms. A platform that fails is passed over: others may work.
static int list_devices(const LiteCl* cl, LiteClCandidate* candidates, int capacity) {
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;
    if (cl->clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) return 0;
    if (platform_count > MAX_PLATFORMS) platform_count = MAX_PLATFORMS;
    int count = 0;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint device_count = 0;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &device_count) !=
            CL_SUCCESS) {
            continue;
        }
        if (device_count > MAX_DEVICES) device_count = MAX_DEVICES;
        for (cl_uint d = 0; d < device_count && count < capacity; d++) {
            describe(cl, platforms[p], devices[d], &candidates[count++]);
        }
    }
    return count;
}

static cl_uint device_uint(const LiteClDevice* device, cl_device_info what) {
    cl_uint value = 0;
    return device->cl->clGetDeviceInfo(device->id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value
                                                                                                   : 0;
}

static LiteClClass classify(const LiteClDevice* device, cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_CPU) == 0) return kLiteClGpu;
    const cl_uint width = device_uint(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
    return width >= 16 ? kLiteClCpu16 : width >= 8 ? kLiteClCpu8 : kLiteClCpu4;
}

// A CPU that shares the host's memory is the host's. Compilers of kernels may know less about it.
static bool has_dots(const LiteClDevice* device) {
#ifdef __x86_64__
    return device->class == kLiteClCpu16 && device->shares_memory && __builtin_cpu_supports("avx512vnni");
#else
    (void)device;
    return false;
#endif
}

static void read_limits(LiteClDevice* device, cl_device_type type) {
    const LiteCl* cl = device->cl;
    device->class = classify(device, type);
    device->shares_memory =
        device->class != kLiteClGpu && device_uint(device, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
    device->dots = has_dots(device);
    const size_t bits = device_uint(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    device->alignment = bits >= 1024 ? bits / 8 : 128;
    cl_ulong bytes = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof bytes, &bytes, NULL);
    device->max_allocation = bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    bytes = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    device->local_memory = bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    const cl_uint units = device_uint(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    device->units = units < 1 ? 1 : units > MOST_UNITS ? MOST_UNITS : (int)units;
    cl_device_fp_config config = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
    device->exact_divide = (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    config = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL);
    device->doubles = config != 0;
}

static void destroy(LiteClDevice* device) {
    lite_cl_programs_release(device);
    lite_cl_tuning_release(device);
    if (device->context != NULL) device->cl->clReleaseContext(device->context);
    pthread_mutex_destroy(&device->mutex);
    lite_free(device->cache_dir);
    lite_free(device);
}

// A reference to the program's context, or one of our own.
static TfLiteStatus open_context(LiteClDevice* device, cl_context context, const LiteReporter* reporter) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform,
                                                0};
    cl_int error;
    if (context != NULL) {
        LITE_TRY(lite_cl_check(reporter, "clRetainContext", device->cl->clRetainContext(context)));
        device->external = true;
        device->context = context;
        return kTfLiteOk;
    }
    device->context = device->cl->clCreateContext(properties, 1, &device->id, NULL, NULL, &error);
    return lite_cl_check(reporter, "clCreateContext", error);
}

static LiteClDevice* create(const LiteCl* cl, const LiteClCandidate* chosen, cl_context context,
                            const LiteReporter* reporter) {
    LiteClDevice* device = lite_calloc(1, sizeof *device);
    if (device == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    device->cl = cl;
    device->platform = chosen->platform;
    device->id = chosen->device;
    pthread_mutex_init(&device->mutex, NULL);
    snprintf(device->description, sizeof device->description, "%s (%s)", chosen->name, chosen->platform_name);
    read_limits(device, chosen->type);
    if (open_context(device, context, reporter) != kTfLiteOk) {
        destroy(device);
        return NULL;
    }
    return device;
}

// The open device, or a new one; in the program's context or, with NULL, in that of all delegates. With
// open_mutex held.
static LiteClDevice* open_device(const LiteCl* cl, const LiteClCandidate* chosen, cl_context context,
                                 const LiteReporter* reporter) {
    for (LiteClDevice* device = open_devices; device != NULL; device = device->next) {
        const bool fits = context != NULL ? device->context == context : !device->external;
        if (device->id != chosen->device || !fits) continue;
        device->references++;
        return device;
    }
    LiteClDevice* device = create(cl, chosen, context, reporter);
    if (device == NULL) return NULL;
    device->references = 1;
    device->next = open_devices;
    open_devices = device;
    return device;
}

// With open_mutex held.
static LiteClDevice* acquire(const LiteCl* cl, const char* choice, LiteClCandidate* candidates,
                             const LiteReporter* reporter) {
    const int count = list_devices(cl, candidates, MAX_DEVICES);
    if (count == 0) {
        lite_report(reporter, "OpenCL: no platform has a device");
        return NULL;
    }
    const int index = lite_cl_choose(choice, candidates, count);
    if (index < 0) {
        lite_report(reporter, "OpenCL: option device: none of the %d devices is \"%s\"; the first is %s (%s)",
                    count, choice != NULL ? choice : "", candidates[0].name, candidates[0].platform_name);
        return NULL;
    }
    return open_device(cl, &candidates[index], NULL, reporter);
}

LiteClDevice* lite_cl_device_acquire(const char* choice, const LiteReporter* reporter) {
    const LiteCl* cl = lite_cl_load(reporter);
    if (cl == NULL) return NULL;
    LiteClCandidate* candidates = lite_calloc(MAX_DEVICES, sizeof *candidates);
    if (candidates == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    pthread_mutex_lock(&open_mutex);
    LiteClDevice* device = acquire(cl, choice, candidates, reporter);
    pthread_mutex_unlock(&open_mutex);
    lite_free(candidates);
    return device;
}

LiteClDevice* lite_cl_device_acquire_external(LiteClExternal* external, const LiteReporter* reporter) {
    const LiteCl* cl = lite_cl_load(reporter);
    if (cl == NULL || lite_cl_external_complete(external, cl, reporter) != kTfLiteOk) return NULL;
    cl_platform_id platform = NULL;
    const cl_int error =
        cl->clGetDeviceInfo(external->device, CL_DEVICE_PLATFORM, sizeof(platform), (void*)&platform, NULL);
    if (lite_cl_check(reporter, "option device_id: clGetDeviceInfo (CL_DEVICE_PLATFORM)", error) != kTfLiteOk)
        return NULL;
    LiteClCandidate chosen;
    describe(cl, platform, external->device, &chosen);
    pthread_mutex_lock(&open_mutex);
    LiteClDevice* device = open_device(cl, &chosen, external->context, reporter);
    pthread_mutex_unlock(&open_mutex);
    return device;
}

TfLiteStatus lite_cl_device_set_cache(LiteClDevice* device, const char* folder,
                                      const LiteReporter* reporter) {
    if (folder == NULL || folder[0] == '\0') return kTfLiteOk;
    const int error = lite_make_folder(folder);
    if (error != 0)
        return lite_report(reporter, "OpenCL: option cache_dir: \"%s\": %s", folder, strerror(error));
    pthread_mutex_lock(&device->mutex);
    if (device->cache_dir == NULL) device->cache_dir = lite_strdup(folder); // without memory none is kept
    pthread_mutex_unlock(&device->mutex);
    return kTfLiteOk;
}

LiteClDevice* lite_cl_device_retain(LiteClDevice* device) {
    pthread_mutex_lock(&open_mutex);
    device->references++;
    pthread_mutex_unlock(&open_mutex);
    return device;
}

void lite_cl_device_release(LiteClDevice* device) {
    if (device == NULL) return;
    pthread_mutex_lock(&open_mutex);
    if (--device->references == 0) {
        LiteClDevice** link = &open_devices;
        while (*link != device) link = &(*link)->next;
        *link = device->next;
        destroy(device);
    }
    pthread_mutex_unlock(&open_mutex);
}

void lite_cl_device_grid(const LiteClDevice* device, const size_t items[3], size_t spread, size_t global[3],
                         size_t local[3]) {
    // On a CPU an item is a work-group of its own; on a GPU 64 items share one, as many as useful along the
    // first dimension, where neighbours touch neighbouring memory.
    const size_t group = spread > 0 ? spread : device->class == kLiteClGpu ? 64 : 1;
    local[0] = 1;
    while (local[0] < group && local[0] < items[0]) local[0] *= 2;
    // No more items than there are, or those along the second dimension do again what the first have done.
    local[1] = 1;
    while (local[0] * local[1] < group && local[1] < items[1]) local[1] *= 2;
    local[2] = 1;
    for (int d = 0; d < 3; d++) global[d] = (items[d] + local[d] - 1) / local[d] * local[d];
}
