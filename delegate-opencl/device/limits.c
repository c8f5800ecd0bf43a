// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/limits.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// What every device has, that of the embedded profile too.
enum { LEAST_PARAMETERS = 256, LEAST_CONSTANT = 1024 };

typedef struct Asked {
    const LiteCl* cl;
    cl_device_id device;
} Asked;

static bool ask(const Asked* asked, cl_device_info what, void* value, size_t size) {
    return asked->cl->clGetDeviceInfo(asked->device, what, size, value, NULL) == CL_SUCCESS;
}

static size_t ask_size(const Asked* asked, cl_device_info what, size_t least) {
    size_t value = 0;
    return ask(asked, what, &value, sizeof value) && value > least ? value : least;
}

// "OpenCL 1.2 whatever"; 110 where it does not say.
static int ask_version(const Asked* asked) {
    char text[128] = "";
    int major = 1, minor = 1;
    (void)ask(asked, CL_DEVICE_VERSION, text, sizeof text - 1);
    if (sscanf(text, "OpenCL %1d.%1d", &major, &minor) != 2) return 110;
    return 100 * major + 10 * minor;
}

static void ask_items(const Asked* asked, size_t items[3]) {
    size_t found[16] = {0}; // some devices have more dimensions than three
    cl_uint dimensions = 3;
    (void)ask(asked, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, &dimensions, sizeof dimensions);
    if (dimensions < 3 || dimensions > 16) dimensions = 3;
    (void)ask(asked, CL_DEVICE_MAX_WORK_ITEM_SIZES, found, dimensions * sizeof found[0]);
    for (int d = 0; d < 3; d++) items[d] = found[d] > 1 ? found[d] : 1;
}

static bool is_embedded(const Asked* asked) {
    char text[64] = "";
    return ask(asked, CL_DEVICE_PROFILE, text, sizeof text - 1) && strcmp(text, "EMBEDDED_PROFILE") == 0;
}

static bool has_embedded_longs(const Asked* asked) {
    char text[8192] = "";
    (void)ask(asked, CL_DEVICE_EXTENSIONS, text, sizeof text - 1);
    return strstr(text, "cles_khr_int64") != NULL;
}

// Kernels of all operators need these.
static void find_lack(const Asked* asked, LiteClLimits* limits) {
    cl_bool compiles = CL_TRUE, little = CL_TRUE;
    cl_device_fp_config floats = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    (void)ask(asked, CL_DEVICE_COMPILER_AVAILABLE, &compiles, sizeof compiles);
    (void)ask(asked, CL_DEVICE_ENDIAN_LITTLE, &little, sizeof little);
    (void)ask(asked, CL_DEVICE_SINGLE_FP_CONFIG, &floats, sizeof floats);
    const char* lack = "";
    if (limits->version < 110) lack = "it has OpenCL 1.0, 1.1 is needed";
    if (!compiles) lack = "its driver has no compiler (CL_DEVICE_COMPILER_AVAILABLE)";
    if (!little) lack = "it stores the high byte first (CL_DEVICE_ENDIAN_LITTLE)";
    if ((floats & CL_FP_INF_NAN) == 0) lack = "it has no infinities and NaN (CL_FP_INF_NAN)";
    if ((floats & CL_FP_ROUND_TO_NEAREST) == 0)
        lack = "it does not round to nearest (CL_FP_ROUND_TO_NEAREST)";
    if (is_embedded(asked) && !has_embedded_longs(asked))
        lack = "it has no integers of 64 bits (EMBEDDED_PROFILE without cles_khr_int64)";
    snprintf(limits->lack, sizeof limits->lack, "%s", lack);
}

void lite_cl_limits_read(LiteClLimits* limits, const LiteCl* cl, cl_device_id device) {
    const Asked asked = {cl, device};
    cl_uint bits = 64;
    cl_ulong constant = 0;
    cl_command_queue_properties queue = 0;
    (void)ask(&asked, CL_DEVICE_ADDRESS_BITS, &bits, sizeof bits);
    (void)ask(&asked, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, &constant, sizeof constant);
    (void)ask(&asked, CL_DEVICE_QUEUE_PROPERTIES, &queue, sizeof queue);
    *limits = (LiteClLimits){
        .version = ask_version(&asked),
        .address_bits = bits == 32 ? 32 : 64,
        .group = ask_size(&asked, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1),
        .parameters = ask_size(&asked, CL_DEVICE_MAX_PARAMETER_SIZE, LEAST_PARAMETERS),
        .constant = constant < LEAST_CONSTANT ? LEAST_CONSTANT
                    : constant > SIZE_MAX     ? SIZE_MAX
                                              : (size_t)constant,
        .timers = (queue & CL_QUEUE_PROFILING_ENABLE) != 0,
    };
    ask_items(&asked, limits->items);
    find_lack(&asked, limits);
}

void lite_cl_limits_none(LiteClLimits* limits) {
    *limits = (LiteClLimits){.version = 120,
                             .address_bits = 64,
                             .group = SIZE_MAX,
                             .items = {SIZE_MAX, SIZE_MAX, SIZE_MAX},
                             .parameters = SIZE_MAX,
                             .constant = SIZE_MAX,
                             .timers = true};
}

LiteClKernelLimits lite_cl_kernel_limits(const LiteClLimits* limits, const LiteCl* cl, cl_device_id device,
                                         cl_kernel kernel) {
    LiteClKernelLimits found = {0};
    if (cl->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof found.group,
                                     &found.group, NULL) != CL_SUCCESS ||
        found.group == 0 || found.group > limits->group)
        found.group = limits->group;
    if (cl->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof found.has_local,
                                     &found.has_local, NULL) != CL_SUCCESS)
        found.has_local = 0;
    return found;
}

size_t lite_cl_power_below(size_t count) {
    size_t power = 1;
    while (power <= count / 2) power *= 2;
    return power;
}
