// SPDX-License-Identifier: Apache-2.0
#include "tools/opencl.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

ToolStatus tool_opencl_load(ToolOpencl* cl, ToolMessage* message) {
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return tool_fail(message, kToolLoad, "no OpenCL: %s", dlerror());
        // POSIX's way of turning an object pointer into a function pointer.
#define CL_FUNCTION(name)                                                                                    \
    *(void**)&cl->name = dlsym(library, #name);                                                              \
    if (!cl->name) {                                                                                         \
        dlclose(library);                                                                                    \
        return tool_fail(message, kToolLoad, "no OpenCL: libOpenCL.so.1 has no " #name);                     \
    }
#include "tools/opencl.def"
    return kToolOk;
}

ToolStatus tool_opencl_check(const char* what, cl_int error, ToolMessage* message) {
    if (error == CL_SUCCESS) return kToolOk;
    return tool_fail(message, kToolFile, "OpenCL: %s: error %d", what, error);
}

bool tool_opencl_has(const char* extensions, const char* name) {
    const size_t length = strlen(name);
    for (const char* at = extensions; (at = strstr(at, name)); at += length) {
        const bool begins = at == extensions || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

char* tool_opencl_text(const ToolOpencl* cl, cl_device_id device, cl_device_info what) {
    size_t bytes = 0;
    if (cl->clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS || bytes == 0) return NULL;
    char* text = calloc(bytes + 1, 1);
    if (text && cl->clGetDeviceInfo(device, what, bytes, text, NULL) == CL_SUCCESS) return text;
    free(text);
    return NULL;
}

cl_ulong tool_opencl_number(const ToolOpencl* cl, cl_device_id device, cl_device_info what) {
    size_t bytes = 0;
    cl_ulong value = 0;
    if (cl->clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS || bytes > sizeof(value)) return 0;
    if (cl->clGetDeviceInfo(device, what, bytes, &value, NULL) != CL_SUCCESS) return 0;
    // The first bytes of `value` were filled, whichever these are.
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return bytes == sizeof(word) ? word : value;
}
