// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/features.h"

#include "delegate-opencl/device/extension.h"
#include "delegate-opencl/device/program.h"

// What LITE_CL_BYTE_DOT_SPEEDS asks for.
typedef struct Acceleration {
    cl_bool signed_bytes, unsigned_bytes, mixed, saturating_signed, saturating_unsigned, saturating_mixed;
} Acceleration;

static bool compiles(const LiteClDevice* device, const char* text, const char* options) {
    const LiteCl* cl = device->cl;
    cl_int error;
    cl_program program = cl->clCreateProgramWithSource(device->context, 1, &text, NULL, &error);
    if (error != CL_SUCCESS) return false;
    error = cl->clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    (void)cl->clReleaseProgram(program);
    return error == CL_SUCCESS;
}

bool lite_cl_device_has_byte_dots(const LiteClDevice* device) {
    return lite_cl_device_has(device, "cl_khr_integer_dot_product") &&
           compiles(device,
                    "__kernel void f(__global uint* x) {\n"
                    "    x[0] = (uint)dot_4x8packed_ss_int(x[0], x[1]);\n"
                    "}\n",
                    LITE_CL_STD_3);
}

bool lite_cl_device_has_fast_byte_dots(const LiteClDevice* device) {
    Acceleration acceleration = {0};
    return lite_cl_device_has(device, "cl_khr_integer_dot_product") &&
           device->cl->clGetDeviceInfo(device->id, LITE_CL_BYTE_DOT_SPEEDS, sizeof acceleration,
                                       &acceleration, NULL) == CL_SUCCESS &&
           acceleration.signed_bytes != CL_FALSE && lite_cl_device_has_byte_dots(device);
}

bool lite_cl_device_has_nvidia_dots(const LiteClDevice* device) {
    return lite_cl_device_has(device, "cl_nv_device_attribute_query") &&
           compiles(
               device,
               "__kernel void f(__global int* x) {\n"
               "    int sum = x[0];\n"
               "    __asm__(\"dp4a.s32.s32 %0, %1, %2, %0;\" : \"+r\"(sum) : \"r\"(x[1]), \"r\"(x[2]));\n"
               "    x[0] = sum;\n"
               "}\n",
               "");
}

bool lite_cl_device_has_subgroups(const LiteClDevice* device) {
    return (lite_cl_device_has(device, "cl_khr_subgroups") ||
            lite_cl_device_has(device, "cl_intel_subgroups")) &&
           compiles(device,
                    "#ifdef cl_khr_subgroups\n"
                    "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                    "#endif\n"
                    "__kernel void f(__global float* x) {\n"
                    "    const float v = sub_group_reduce_add(x[get_local_id(0)]);\n"
                    "    x[get_sub_group_id()] = sub_group_reduce_max(v) + get_sub_group_local_id();\n"
                    "    x[get_num_sub_groups()] = v;\n"
                    "}\n",
                    LITE_CL_STD_3);
}
