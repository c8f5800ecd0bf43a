// SPDX-License-Identifier: Apache-2.0
// What the profile says about itself.
#include <stdio.h>
#include <string.h>

#include "tests/support/cl_layer/profile.h"

static cl_int give(const void* value, size_t bytes, size_t size, void* to, size_t* used) {
    if (used != NULL) *used = bytes;
    if (to == NULL) return CL_SUCCESS;
    if (size < bytes) return CL_INVALID_VALUE;
    memcpy(to, value, bytes);
    return CL_SUCCESS;
}

static cl_int give_text(const char* text, size_t size, void* to, size_t* used) {
    return give(text, strlen(text) + 1, size, to, used);
}

static cl_int give_version(const char* what, int version, size_t size, void* to, size_t* used) {
    char text[64];
    snprintf(text, sizeof text, "%s%d.%d oclite", what, version / 100, version / 10 % 10);
    return give_text(text, size, to, used);
}

static const char* profile_name(void) {
    return profile->embedded ? "EMBEDDED_PROFILE" : "FULL_PROFILE";
}

cl_int CL_API_CALL profile_platform_info(cl_platform_id platform, cl_platform_info what, size_t size,
                                         void* value, size_t* used) {
    switch (what) {
    case CL_PLATFORM_VERSION:
        return give_version("OpenCL ", profile->version, size, value, used);
    case CL_PLATFORM_PROFILE:
        return give_text(profile_name(), size, value, used);
    case CL_PLATFORM_EXTENSIONS:
        return give_text("", size, value, used);
    default:
        return below->clGetPlatformInfo(platform, what, size, value, used);
    }
}

cl_int CL_API_CALL profile_device_ids(cl_platform_id platform, cl_device_type type, cl_uint room,
                                      cl_device_id* devices, cl_uint* count) {
    const cl_device_type own = CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT;
    if (type != CL_DEVICE_TYPE_ALL && (type & own) == 0) return CL_DEVICE_NOT_FOUND;
    return below->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, room, devices, count);
}

// Has the device below this extension?
static bool has_below(cl_device_id device, const char* extension) {
    static char list[16384];
    if (below->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL) != CL_SUCCESS)
        return false;
    return strstr(list, extension) != NULL;
}

static bool has_half(cl_device_id device) {
    return profile->half && has_below(device, "cl_khr_fp16");
}

static bool has_doubles(cl_device_id device) {
    return profile->doubles && has_below(device, "cl_khr_fp64");
}

static cl_int give_texts(cl_device_id device, cl_device_info what, size_t size, void* value, size_t* used) {
    char text[1024];
    switch (what) {
    case CL_DEVICE_NAME:
        snprintf(text, sizeof text, "imitated %s", profile->name);
        return give_text(text, size, value, used);
    case CL_DEVICE_VERSION:
        return give_version("OpenCL ", profile->version, size, value, used);
    case CL_DEVICE_OPENCL_C_VERSION:
        return give_version("OpenCL C ", profile->version >= 300 ? 120 : profile->version, size, value, used);
    case CL_DEVICE_PROFILE:
        return give_text(profile_name(), size, value, used);
    default: // CL_DEVICE_EXTENSIONS
        snprintf(text, sizeof text, "%s%s%s", profile->extensions, has_half(device) ? " cl_khr_fp16" : "",
                 has_doubles(device) ? " cl_khr_fp64" : "");
        return give_text(text, size, value, used);
    }
}

static cl_int give_float_config(cl_device_id device, cl_device_info what, size_t size, void* value,
                                size_t* used) {
    cl_device_fp_config config = 0;
    if (what != CL_DEVICE_SINGLE_FP_CONFIG && profile->version < 120) return CL_INVALID_VALUE;
    if (what == CL_DEVICE_DOUBLE_FP_CONFIG && !has_doubles(device))
        return give(&config, sizeof config, size, value, used);
    if (what == CL_DEVICE_HALF_FP_CONFIG && !has_half(device))
        return give(&config, sizeof config, size, value, used);
    const cl_int error = below->clGetDeviceInfo(device, what, sizeof config, &config, NULL);
    if (error != CL_SUCCESS) return error;
    if (!profile->exact_divide) config &= ~(cl_device_fp_config)CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    return give(&config, sizeof config, size, value, used);
}

// Later versions' questions.
static int version_of(cl_device_info what) {
    switch (what) {
    case CL_DEVICE_BUILT_IN_KERNELS:
    case CL_DEVICE_PARENT_DEVICE:
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_REFERENCE_COUNT:
        return 120;
    case CL_DEVICE_SVM_CAPABILITIES:
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
        return 200;
    case CL_DEVICE_IL_VERSION:
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
        return 210;
    default:
        return what >= CL_DEVICE_NUMERIC_VERSION && what <= CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED ? 300
                                                                                                        : 0;
    }
}

cl_int CL_API_CALL profile_device_info(cl_device_id device, cl_device_info what, size_t size, void* value,
                                       size_t* used) {
#define GIVE(type, number) give(&(const type){number}, sizeof(type), size, value, used)
    if (profile->version < version_of(what)) return CL_INVALID_VALUE;
    switch (what) {
    case CL_DEVICE_NAME:
    case CL_DEVICE_VERSION:
    case CL_DEVICE_OPENCL_C_VERSION:
    case CL_DEVICE_PROFILE:
    case CL_DEVICE_EXTENSIONS:
        return give_texts(device, what, size, value, used);
    case CL_DEVICE_SINGLE_FP_CONFIG:
    case CL_DEVICE_DOUBLE_FP_CONFIG:
    case CL_DEVICE_HALF_FP_CONFIG:
        return give_float_config(device, what, size, value, used);
    case CL_DEVICE_TYPE:
        return GIVE(cl_device_type, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return GIVE(cl_bool, profile->unified);
    case CL_DEVICE_QUEUE_PROPERTIES:
        return GIVE(cl_command_queue_properties, profile->queue);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        return GIVE(size_t, profile->timers ? 1000 : 0);
    case CL_DEVICE_ADDRESS_BITS:
        return GIVE(cl_uint, profile->address_bits);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        return GIVE(cl_uint, profile->align_bits);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return GIVE(cl_uint, profile->units);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return GIVE(size_t, profile->group);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return give(profile->items, sizeof profile->items, size, value, used);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return GIVE(cl_ulong, profile->local);
    case CL_DEVICE_LOCAL_MEM_TYPE:
        return GIVE(cl_device_local_mem_type, profile->dedicated ? CL_LOCAL : CL_GLOBAL);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return GIVE(cl_ulong, profile->constant);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
        return GIVE(size_t, profile->parameters);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return GIVE(cl_ulong, profile->allocation);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return GIVE(cl_ulong, profile->memory);
    default:
        return below->clGetDeviceInfo(device, what, size, value, used);
    }
}

size_t profile_kernel_group(cl_kernel kernel, cl_device_id device) {
    cl_ulong local = 0;
    (void)below->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local,
                                          NULL);
    return local > 0 && profile->barrier_group > 0 ? profile->barrier_group : profile->kernel_group;
}

cl_int CL_API_CALL profile_kernel_group_info(cl_kernel kernel, cl_device_id device,
                                             cl_kernel_work_group_info what, size_t size, void* value,
                                             size_t* used) {
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return GIVE(size_t, profile_kernel_group(kernel, device));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return GIVE(size_t, profile->multiple);
    default:
        return below->clGetKernelWorkGroupInfo(kernel, device, what, size, value, used);
    }
}
