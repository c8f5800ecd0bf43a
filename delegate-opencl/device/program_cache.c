// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/program_cache.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "oclite/oclite.h"

// A file is a header, the key and the binary. Numbers have the machine's byte order, because only this
// machine has its drivers.
typedef struct Header {
    char magic[8];
    uint64_t key_size;
    uint64_t binary_size;
    uint64_t binary_hash;
} Header;
static const char magic[8] = "OCLPROG";

static uint64_t hash_of(const void* bytes, size_t size) {
    uint64_t value = UINT64_C(14695981039346656037); // FNV-1a
    for (size_t i = 0; i < size; i++)
        value = (value ^ ((const unsigned char*)bytes)[i]) * UINT64_C(1099511628211);
    return value;
}

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

// Owned; NULL when out of memory.
static char* path_of(const LiteClDevice* device, const char* key) {
    const size_t size = strlen(device->cache_dir) + sizeof "/0123456789abcdef.clbin";
    char* path = lite_malloc(size);
    if (path == NULL) return NULL;
    snprintf(path, size, "%s/%016llx.clbin", device->cache_dir,
             (unsigned long long)hash_of(key, strlen(key)));
    return path;
}

// The binary in a file of that key, NULL where it is anything else.
static const unsigned char* find_binary(const LiteMapping* file, const char* key, size_t* size) {
    Header header;
    const size_t key_size = strlen(key);
    if (file->size < sizeof header) return NULL;
    memcpy(&header, file->data, sizeof header);
    const size_t rest = file->size - sizeof header;
    if (memcmp(header.magic, magic, sizeof magic) != 0 || header.key_size != key_size || key_size > rest ||
        header.binary_size != rest - key_size || header.binary_size == 0)
        return NULL;
    const char* at = (const char*)file->data + sizeof header;
    const unsigned char* binary = (const unsigned char*)at + key_size;
    if (memcmp(at, key, key_size) != 0 || hash_of(binary, rest - key_size) != header.binary_hash) return NULL;
    *size = rest - key_size;
    return binary;
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

// The file of that key; its fd is -1 when there is none.
static LiteMapping open_file(const LiteClDevice* device, const char* key) {
    LiteMapping file = {.fd = -1};
    char* path = path_of(device, key);
    if (path != NULL) (void)lite_map_file(path, &file);
    lite_free(path);
    return file;
}

cl_program lite_cl_cache_load(const LiteClDevice* device, const char* key, const char* options) {
    size_t size;
    LiteMapping file = open_file(device, key);
    const unsigned char* binary = find_binary(&file, key, &size);
    const cl_program program = binary != NULL ? build(device, binary, size, options) : NULL;
    lite_unmap_file(&file);
    return program;
}

bool lite_cl_cache_read(const LiteClDevice* device, const char* key, void* bytes, size_t size) {
    size_t found;
    LiteMapping file = open_file(device, key);
    const unsigned char* binary = find_binary(&file, key, &found);
    const bool fits = binary != NULL && found == size;
    if (fits) memcpy(bytes, binary, size);
    lite_unmap_file(&file);
    return fits;
}

void lite_cl_cache_write(const LiteClDevice* device, const char* key, const void* bytes, size_t size) {
    char* path = path_of(device, key);
    if (path == NULL) return;
    Header header = {.key_size = strlen(key), .binary_size = size, .binary_hash = hash_of(bytes, size)};
    memcpy(header.magic, magic, sizeof magic);
    const LiteBytes parts[] = {{&header, sizeof header}, {key, strlen(key)}, {bytes, size}};
    (void)lite_write_file(path, parts, 3);
    lite_free(path);
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
