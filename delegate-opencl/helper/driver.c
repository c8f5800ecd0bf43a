// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/helper/driver.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <dlfcn.h>

enum { MOST = 64, TEXT = 1024 };

// Every object of a driver begins with its table of functions.
typedef struct Object {
    const cl_icd_dispatch* functions;
} Object;

static void ask_device(cl_device_id device) {
    static const cl_device_info asked[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                           CL_DRIVER_VERSION, CL_DEVICE_TYPE};
    char text[TEXT];
    const cl_icd_dispatch* functions = ((const Object*)(const void*)device)->functions;
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        (void)functions->clGetDeviceInfo(device, asked[i], sizeof text, text, NULL);
}

static int ask_platform(cl_platform_id platform) {
    static const cl_platform_info asked[] = {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION,
                                             CL_PLATFORM_EXTENSIONS};
    char text[TEXT];
    cl_device_id devices[MOST] = {0};
    cl_uint count = 0;
    const cl_icd_dispatch* functions = ((const Object*)(const void*)platform)->functions;
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        (void)functions->clGetPlatformInfo(platform, asked[i], sizeof text, text, NULL);
    if (functions->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &count) != CL_SUCCESS)
        return 0;
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        if (devices[i] != NULL) ask_device(devices[i]);
    }
    return (int)count;
}

void driver_try(const char* library, LiteClVerdict* verdict) {
    void*(CL_API_CALL * find)(const char*) = NULL;
    cl_int(CL_API_CALL * list)(cl_uint, cl_platform_id*, cl_uint*) = NULL;
    cl_platform_id platforms[MOST] = {0};
    cl_uint count = 0;
    int devices = 0;
    verdict->trial = kLiteClTrialUntaken; // loaders pass over what is no driver
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        lite_cl_verdict_detail(verdict, "%s", dlerror());
        return;
    }
    *(void**)&find = dlsym(handle, "clGetExtensionFunctionAddress");
    if (find != NULL) *(void**)&list = find("clIcdGetPlatformIDsKHR");
    if (list == NULL || list(MOST, platforms, &count) != CL_SUCCESS) {
        lite_cl_verdict_detail(verdict, "it lists no platforms");
        return;
    }
    for (cl_uint p = 0; p < count && p < MOST; p++) {
        if (platforms[p] != NULL) devices += ask_platform(platforms[p]);
    }
    verdict->trial = kLiteClTrialRight;
    lite_cl_verdict_detail(verdict, "%d devices", devices);
}
