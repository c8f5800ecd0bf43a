// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/program_cache.h"

#include <stdio.h>
#include <string.h>

#include "core/base/keyed_file.h"
#include "core/base/memory.h"
#include "oclite/oclite.h"

#define ENDING ".clbin"

// Programs of some hundred models on PoCL, whose binaries are the largest.
enum { MOST_BYTES = 256 << 20 };

static void device_text(const LiteClDevice* device, cl_device_info what, char* text, size_t size) {
    if (device->cl->clGetDeviceInfo(device->id, what, size, text, NULL) != CL_SUCCESS) text[0] = '\0';
    text[size - 1] = '\0';
}

char* lite_cl_cache_key(const LiteClDevice* device, const char* options, const char* const* parts,
                        size_t count) {
    char version[256], driver[256], head[1024];
    device_text(device, CL_DEVICE_VERSION, version, sizeof version);
    device_text(device, CL_DRIVER_VERSION, driver, sizeof driver);
    snprintf(head, sizeof head, "%s\n%s\n%s\n%s\n%s\n", OCLITE_VERSION_STRING, device->description, version,
             driver, options);
    size_t size = strlen(head) + 1;
    for (size_t i = 0; i < count; i++) size += strlen(parts[i]);
    char* key = lite_malloc(size);
    if (key == NULL) return NULL;
    char* to = stpcpy(key, head);
    for (size_t i = 0; i < count; i++) to = stpcpy(to, parts[i]);
    return key;
}

static cl_program build(const LiteClDevice* device, const unsigned char* binary, size_t size,
                        const char* options) {
    const LiteCl* cl = device->cl;
    cl_int error, fits = CL_SUCCESS;
    const cl_program program =
        cl->clCreateProgramWithBinary(device->context, 1, &device->id, &size, &binary, &fits, &error);
    if (error != CL_SUCCESS) return NULL;
    if (fits == CL_SUCCESS && cl->clBuildProgram(program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS)
        return program;
    cl->clReleaseProgram(program);
    return NULL;
}

cl_program lite_cl_cache_load(const LiteClDevice* device, const char* key, const char* options) {
    LiteKeyedFile kept = lite_keyed_read(device->cache_folder, key, ENDING);
    const cl_program program = kept.data != NULL ? build(device, kept.data, kept.size, options) : NULL;
    lite_keyed_free(&kept);
    return program;
}

bool lite_cl_cache_read(const LiteClDevice* device, const char* key, void* bytes, size_t size) {
    LiteKeyedFile kept = lite_keyed_read(device->cache_folder, key, ENDING);
    const bool fits = kept.data != NULL && kept.size == size;
    if (fits) memcpy(bytes, kept.data, size);
    lite_keyed_free(&kept);
    return fits;
}

void lite_cl_cache_write(const LiteClDevice* device, const char* key, const void* bytes, size_t size) {
    (void)lite_keyed_write(device->cache_folder, key, ENDING, bytes, size);
}

void lite_cl_cache_store(const LiteClDevice* device, const char* key, cl_program program) {
    const LiteCl* cl = device->cl;
    size_t size = 0;
    if (cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS ||
        size == 0)
        return;
    unsigned char* binary = lite_malloc(size);
    if (binary != NULL &&
        cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        lite_cl_cache_write(device, key, binary, size);
    lite_free(binary);
}

void lite_cl_cache_limit(const LiteClDevice* device) {
    if (device->cache_folder >= 0) (void)lite_keyed_limit(device->cache_folder, ENDING, MOST_BYTES);
}
