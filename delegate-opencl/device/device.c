// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/device.h"

#include <string.h>

enum { MAX_UNITS = 1 << 16 };

static cl_uint device_uint(const LiteClDevice* device, cl_device_info what) {
    cl_uint value = 0;
    return device->cl->clGetDeviceInfo(device->id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value
                                                                                                   : 0;
}

// Mesa's llvmpipe computes on the CPU as a GPU does: the items of a work-group side by side, as elements of
// vectors. As it ends an item's loops early, an item must not be given what many items of a GPU do.
static bool is_llvmpipe(const LiteClDevice* device) {
    char name[128] = "";
    (void)device->cl->clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    return strncmp(name, "llvmpipe", strlen("llvmpipe")) == 0;
}

static LiteClClass classify(const LiteClDevice* device, cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_CPU) == 0 || device->ends_loops) return kLiteClGpu;
    const cl_uint width = device_uint(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
    return width >= 16 ? kLiteClCpu16 : width >= 8 ? kLiteClCpu8 : kLiteClCpu4;
}

// A CPU device that shares the host's memory is the host's CPU. OpenCL compilers may know less about it than
// we do.
static bool has_dots(const LiteClDevice* device) {
#ifdef __x86_64__
    return device->class == kLiteClCpu16 && device_uint(device, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0 &&
           __builtin_cpu_supports("avx512vnni");
#else
    (void)device;
    return false;
#endif
}

void lite_cl_device_read_limits(LiteClDevice* device, cl_device_type type) {
    const LiteCl* cl = device->cl;
    device->ends_loops = is_llvmpipe(device);
    device->class = classify(device, type);
    device->dots = has_dots(device);
    device->alignment = 128; // a power of two
    const size_t bits = device_uint(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    while (device->alignment < bits / 8) device->alignment *= 2;
    cl_ulong bytes = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof bytes, &bytes, NULL);
    lite_cl_limits_read(&device->limits, cl, device->id);
    const cl_ulong most = device->limits.address_bits < 64 ? UINT32_MAX : SIZE_MAX;
    device->max_allocation = bytes > most ? (size_t)most : (size_t)bytes;
    bytes = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    device->local_memory = bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    enum { LEAST_GROUP = 64 };
    device->local_tiles = LITE_CL_HAS_LOCAL_TILES && device->class == kLiteClGpu && !device->ends_loops &&
                          device->limits.group >= LEAST_GROUP && device->limits.items[0] >= LEAST_GROUP &&
                          device_uint(device, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
    device->whole_buffers =
        device->class == kLiteClGpu && device_uint(device, CL_DEVICE_HOST_UNIFIED_MEMORY) == 0;
    const cl_uint units = device_uint(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    device->units = units < 1 ? 1 : units > MAX_UNITS ? MAX_UNITS : (int)units;
    cl_device_fp_config config = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
    // What asks for it is an option of OpenCL 1.2.
    device->exact_divide =
        device->limits.version >= 120 && (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    config = 0;
    (void)cl->clGetDeviceInfo(device->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL);
    device->doubles = config != 0;
}

void lite_cl_device_grid(const LiteClDevice* device, const size_t items[3], size_t spread, size_t most,
                         size_t global[3], size_t local[3]) {
    // On a CPU each item is a work-group of its own. On a GPU 64 items share a group, as many as useful
    // of them along the first dimension, because neighbours there use neighbouring memory.
    const LiteClLimits* limits = &device->limits;
    size_t group = spread > 0 ? spread : device->class == kLiteClGpu ? 64 : 1;
    if (group > most) group = most;
    local[0] = 1;
    while (local[0] * 2 <= group && local[0] * 2 <= limits->items[0] && local[0] < items[0]) local[0] *= 2;
    // A group must not have more items than there are: those along the second dimension would repeat
    // work.
    local[1] = 1;
    while (local[0] * local[1] * 2 <= group && local[1] * 2 <= limits->items[1] && local[1] < items[1])
        local[1] *= 2;
    local[2] = 1;
    for (int d = 0; d < 3; d++) global[d] = (items[d] + local[d] - 1) / local[d] * local[d];
}
