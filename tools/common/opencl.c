// SPDX-License-Identifier: Apache-2.0
#include "tools/common/opencl.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/opencl_packages.h"
#include "oclite/opencl.h"

enum { kMaxPlatforms = 16 };

void tool_opencl_screen(void) {
    static bool done;
    if (!done) oclite_opencl_delegate_delete(oclite_opencl_delegate_create(NULL));
    done = true;
}

ToolStatus tool_opencl_load(ToolOpencl* cl, ToolMessage* message) {
    tool_opencl_screen();
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return tool_fail(message, kToolLoad, "no OpenCL: %s; " LITE_OPENCL_LOADER "; " LITE_OPENCL_DRIVERS,
                         dlerror());
        // POSIX's way of turning an object pointer into a function pointer.
#define CL_FUNCTION(name)                                                                                    \
    *(void**)&cl->name = dlsym(library, #name);                                                              \
    if (cl->name == NULL) {                                                                                  \
        dlclose(library);                                                                                    \
        return tool_fail(message, kToolLoad, "no OpenCL: libOpenCL.so.1 has no " #name);                     \
    }
#include "tools/common/opencl.def"
    return kToolOk;
}

ToolStatus tool_opencl_check(const char* what, cl_int error, ToolMessage* message) {
    if (error == CL_SUCCESS) return kToolOk;
    return tool_fail(message, kToolFile, "OpenCL: %s: error %d", what, error);
}

bool tool_opencl_has(const char* extensions, const char* name) {
    const size_t length = strlen(name);
    for (const char* at = extensions; (at = strstr(at, name)) != NULL; at += length) {
        const bool begins = at == extensions || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

char* tool_opencl_text(const ToolOpencl* cl, cl_device_id device, cl_device_info what) {
    size_t bytes = 0;
    if (cl->clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS || bytes == 0) return NULL;
    char* text = calloc(bytes + 1, 1);
    if (text != NULL && cl->clGetDeviceInfo(device, what, bytes, text, NULL) == CL_SUCCESS) return text;
    free(text);
    return NULL;
}

cl_ulong tool_opencl_number(const ToolOpencl* cl, cl_device_id device, cl_device_info what) {
    size_t bytes = 0;
    cl_ulong value = 0;
    if (cl->clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS || bytes > sizeof(value)) return 0;
    if (cl->clGetDeviceInfo(device, what, bytes, &value, NULL) != CL_SUCCESS) return 0;
    // The driver has filled the first bytes of `value`, whatever their number.
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return bytes == sizeof(word) ? word : value;
}

int tool_opencl_devices(const ToolOpencl* cl, ToolOpenclDevice devices[kToolOpenclDevices],
                        ToolMessage* reason) {
    cl_platform_id platforms[kMaxPlatforms] = {NULL}; // drivers may count more than they fill in
    cl_uint platform_count = 0;
    const char* told = oclite_opencl_last_error(); // of the delegate that looked for drivers
    const cl_int error = cl->clGetPlatformIDs(kMaxPlatforms, platforms, &platform_count);
    (void)tool_fail(reason, kToolFile, "%s",
                    strncmp(told, "OpenCL: ", 8) == 0 ? told + 8 : "no OpenCL platform has a device");
    if (error != CL_SUCCESS) return 0;
    int count = 0;
    for (cl_uint p = 0; p < platform_count && p < kMaxPlatforms; p++) {
        cl_device_id ids[kToolOpenclDevices] = {NULL};
        cl_uint id_count = 0;
        if (platforms[p] == NULL) continue;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, kToolOpenclDevices, ids, &id_count) !=
            CL_SUCCESS) {
            continue;
        }
        for (cl_uint d = 0; d < id_count && d < kToolOpenclDevices && count < kToolOpenclDevices; d++) {
            if (ids[d] != NULL) devices[count++] = (ToolOpenclDevice){platforms[p], ids[d]};
        }
    }
    return count;
}
