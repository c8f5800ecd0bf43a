// SPDX-License-Identifier: Apache-2.0
// A driver that lies: an OpenCL layer (extension cl_loader_layers, OPENCL_LAYERS=liboclite_cl_layer.so) that
// makes the devices below it look like another one, and refuses what that one would refuse.
//
//   OCLITE_TEST_PROFILE  which device: a name of profiles.def
//   OCLITE_TEST_LAYER_LOG  a file that gets a line for each refusal, "refused FUNCTION ERROR: DETAIL", and at
//                        the end of the process one with what was copied, "copied: READS BYTES ..."
//
// It cannot give a device what the one below lacks: half precision is offered only where there is some.
#ifndef TESTS_SUPPORT_CL_LAYER_PROFILE_H_
#define TESTS_SUPPORT_CL_LAYER_PROFILE_H_

#include <CL/cl_layer.h>
#include <stdbool.h>

typedef struct Profile {
    const char* name;
    int version; // 100 * major + 10 * minor
    bool embedded;
    bool unified;
    bool timers; // events know times
    bool half;
    bool doubles;
    bool exact_divide;
    cl_command_queue_properties queue; // that a queue may have
    cl_uint address_bits;
    cl_uint align_bits; // of sub-buffers
    cl_uint units;
    size_t group; // most items
    size_t items[3];
    size_t kernel_group;  // most items of a compiled kernel
    size_t barrier_group; // the same of one that needs local memory or barriers; 0: kernel_group
    size_t multiple;
    cl_ulong local;
    bool dedicated; // memory of the work-groups' own, CL_LOCAL
    cl_ulong constant;
    size_t parameters;
    cl_ulong allocation;
    cl_ulong memory;
    const char* extensions;
} Profile;

extern const Profile* profile;
extern const cl_icd_dispatch* below; // the driver

// Notes that something was refused, and returns `error`.
__attribute__((format(printf, 3, 4))) cl_int refuse(const char* function, cl_int error, const char* format,
                                                    ...);

// What the profile says in the place of the driver.
cl_int CL_API_CALL profile_platform_info(cl_platform_id platform, cl_platform_info what, size_t size,
                                         void* value, size_t* used);
cl_int CL_API_CALL profile_device_ids(cl_platform_id platform, cl_device_type type, cl_uint room,
                                      cl_device_id* devices, cl_uint* count);
cl_int CL_API_CALL profile_device_info(cl_device_id device, cl_device_info what, size_t size, void* value,
                                       size_t* used);
cl_int CL_API_CALL profile_kernel_group_info(cl_kernel kernel, cl_device_id device,
                                             cl_kernel_work_group_info what, size_t size, void* value,
                                             size_t* used);
size_t profile_kernel_group(cl_kernel kernel, cl_device_id device);

// Installs the functions that copy and count, or that a version of OpenCL does not have.
void profile_install_commands(cl_icd_dispatch* table);
// What was copied, as a line for the log.
void profile_tell_copies(char* text, size_t size);

#endif
