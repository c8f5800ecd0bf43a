// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/program_cache.h"

#include <stdio.h>
#include <string.h>

#include "core/base/folder.h"
#include "core/base/memory.h"
#include "core/base/sha256.h"
#include "oclite/oclite.h"

// A file is a header, the key and the binary; the digest is of the last two. Numbers have the machine's byte
// order, because only this machine has its drivers.
typedef struct Header {
    char magic[8];
    uint64_t key_size;
    uint64_t binary_size;
    unsigned char digest[LITE_SHA256_BYTES];
} Header;
static const char magic[8] = "OCLPRG2";

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

typedef struct FileName {
    char text[sizeof "0123456789abcdef.clbin"];
} FileName;

static FileName name_of(const char* key) {
    FileName name;
    unsigned char digest[LITE_SHA256_BYTES];
    lite_sha256(&(LiteBytes){key, strlen(key)}, 1, digest);
    for (size_t i = 0; i < 8; i++) snprintf(name.text + 2 * i, 3, "%02x", digest[i]);
    snprintf(name.text + 16, sizeof name.text - 16, ".clbin");
    return name;
}

// The binary in a file of that key, NULL where it is anything else.
static const unsigned char* find_binary(const LiteContents* file, const char* key, size_t* size) {
    Header header;
    unsigned char digest[LITE_SHA256_BYTES];
    const size_t key_size = strlen(key);
    if (file->size < sizeof header) return NULL;
    memcpy(&header, file->data, sizeof header);
    const size_t rest = file->size - sizeof header;
    if (memcmp(header.magic, magic, sizeof magic) != 0 || header.key_size != key_size || key_size > rest ||
        header.binary_size != rest - key_size || header.binary_size == 0)
        return NULL;
    const char* at = (const char*)file->data + sizeof header;
    if (memcmp(at, key, key_size) != 0) return NULL;
    lite_sha256(&(LiteBytes){at, rest}, 1, digest);
    if (memcmp(digest, header.digest, sizeof digest) != 0) return NULL;
    *size = rest - key_size;
    return (const unsigned char*)at + key_size;
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

// The file of that key, empty when there is none that can be trusted.
static LiteContents read_file(const LiteClDevice* device, const char* key) {
    LiteContents file;
    const FileName name = name_of(key);
    (void)lite_folder_read(device->cache_folder, name.text, &file);
    return file;
}

cl_program lite_cl_cache_load(const LiteClDevice* device, const char* key, const char* options) {
    size_t size;
    const LiteContents file = read_file(device, key);
    const unsigned char* binary = find_binary(&file, key, &size);
    const cl_program program = binary != NULL ? build(device, binary, size, options) : NULL;
    lite_free(file.data);
    return program;
}

bool lite_cl_cache_read(const LiteClDevice* device, const char* key, void* bytes, size_t size) {
    size_t found;
    const LiteContents file = read_file(device, key);
    const unsigned char* binary = find_binary(&file, key, &found);
    const bool fits = binary != NULL && found == size;
    if (fits) memcpy(bytes, binary, size);
    lite_free(file.data);
    return fits;
}

void lite_cl_cache_write(const LiteClDevice* device, const char* key, const void* bytes, size_t size) {
    Header header = {.key_size = strlen(key), .binary_size = size};
    const LiteBytes parts[] = {{&header, sizeof header}, {key, strlen(key)}, {bytes, size}};
    const FileName name = name_of(key);
    memcpy(header.magic, magic, sizeof magic);
    lite_sha256(parts + 1, 2, header.digest);
    (void)lite_folder_write(device->cache_folder, name.text, parts, 3);
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
