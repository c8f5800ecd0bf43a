// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/launch.h"

#include <stdint.h>

// Bytes of what the kernel gets, in which a buffer is an address.
static size_t count_parameters(const LiteClDevice* device, const LiteClLaunch* launch) {
    const size_t address = (size_t)device->limits.address_bits / 8;
    if (launch->source == NULL)
        return launch->args_size + ((size_t)launch->buffer_count + (launch->local_bytes > 0)) * address;
    size_t bytes = 0;
    for (int i = 0; i < launch->argument_count; i++) {
        const LiteClArgument* argument = &launch->arguments[i];
        bytes += argument->storage >= 0 || argument->value == NULL ? address : argument->bytes;
    }
    return bytes;
}

static size_t count_local(const LiteClLaunch* launch) {
    size_t bytes = launch->source == NULL ? launch->local_bytes : 0;
    for (int i = 0; launch->source != NULL && i < launch->argument_count; i++) {
        const LiteClArgument* argument = &launch->arguments[i];
        if (argument->storage < 0 && argument->value == NULL) bytes += argument->bytes;
    }
    return bytes;
}

// In groups that the launch names; the driver chooses others, or lite_cl_device_grid, which knows the limits.
static bool groups_fit(const LiteClLimits* limits, const LiteClLaunch* launch, LiteClReason* reason) {
    const size_t row[3] = {launch->group, 1, 1};
    const size_t* groups = launch->source != NULL ? launch->groups : row;
    size_t items = 1;
    for (int d = 0; d < 3; d++) {
        const size_t most = limits->items[d] < limits->group ? limits->items[d] : limits->group;
        const char* name =
            most < limits->group ? "CL_DEVICE_MAX_WORK_ITEM_SIZES" : "CL_DEVICE_MAX_WORK_GROUP_SIZE";
        if (groups[d] > most)
            return lite_cl_refuse(reason,
                                  "work-groups of %zu items along dimension %d, the device allows %zu (%s)",
                                  groups[d], d, most, name);
        items *= groups[d] > 0 ? groups[d] : 1; // no overflow: a declaration's are at most 2^16
    }
    return items <= limits->group ||
           lite_cl_refuse(reason,
                          "work-groups of %zu items, the device allows %zu (CL_DEVICE_MAX_WORK_GROUP_SIZE)",
                          items, limits->group);
}

bool lite_cl_launch_fits(const LiteClDevice* device, const LiteClLaunch* launch, LiteClReason* reason) {
    const LiteClLimits* limits = &device->limits;
    const size_t parameters = count_parameters(device, launch), local = count_local(launch);
    if (!groups_fit(limits, launch, reason)) return false;
    if (parameters > limits->parameters)
        return lite_cl_refuse(
            reason,
            "its kernel has arguments of %zu bytes, the device allows %zu (CL_DEVICE_MAX_PARAMETER_SIZE)",
            parameters, limits->parameters);
    return local <= device->local_memory ||
           lite_cl_refuse(reason, "%zu bytes of local memory, the device has %zu (CL_DEVICE_LOCAL_MEM_SIZE)",
                          local, device->local_memory);
}

bool lite_cl_launch_fits_kernel(const LiteClDevice* device, const LiteClLaunch* launch,
                                const LiteClKernelLimits* kernel, const size_t global[3],
                                const size_t local[3], LiteClReason* reason) {
    const size_t bytes = count_local(launch);
    size_t group = 1;
    if (!lite_cl_launch_fits(device, launch, reason)) return false;
    for (int d = 0; d < 3; d++) {
        group *= local[d] > 0 ? local[d] : 1;
        if (device->limits.address_bits < 64 && global[d] > UINT32_MAX)
            return lite_cl_refuse(reason, "%zu items, addresses of %d bits (CL_DEVICE_ADDRESS_BITS)",
                                  global[d], device->limits.address_bits);
    }
    if (group > kernel->group)
        return lite_cl_refuse(reason, "work-groups of %zu items, %zu are allowed (CL_KERNEL_WORK_GROUP_SIZE)",
                              group, kernel->group);
    return kernel->has_local <= device->local_memory - bytes ||
           lite_cl_refuse(reason, "%zu bytes of local memory, the device has %zu (CL_DEVICE_LOCAL_MEM_SIZE)",
                          bytes + (size_t)kernel->has_local, device->local_memory);
}
