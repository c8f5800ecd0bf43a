// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/identity.h"

#include <stdio.h>
#include <string.h>

#include "core/base/sha256.h"
#include "oclite/oclite.h"

static const struct {
    const char* library;
    const char* platform;
    const char* version;
    const char* driver;
} known[] = {
#define KNOWN_DRIVER(library, platform, version, driver) {library, platform, version, driver},
#include "delegate-opencl/selftest/known.def"
};
enum { KNOWN = sizeof known / sizeof known[0] };

static void platform_text(const LiteCl* cl, cl_platform_id platform, cl_platform_info what, char* text,
                          size_t size) {
    if (cl->clGetPlatformInfo(platform, what, size - 1, text, NULL) != CL_SUCCESS) text[0] = '\0';
    text[size - 1] = '\0';
}

static void device_text(const LiteCl* cl, cl_device_id device, cl_device_info what, char* text, size_t size) {
    if (cl->clGetDeviceInfo(device, what, size - 1, text, NULL) != CL_SUCCESS) text[0] = '\0';
    text[size - 1] = '\0';
}

void lite_cl_identity_hash(const char* text, char hash[LITE_CL_HASH]) {
    unsigned char digest[LITE_SHA256_BYTES];
    lite_sha256(&(LiteBytes){text, strlen(text)}, 1, digest);
    for (size_t i = 0; i < 8; i++) snprintf(hash + 2 * i, 3, "%02x", digest[i]);
}

void lite_cl_identity_read(const LiteCl* cl, cl_platform_id platform, cl_device_id device,
                           LiteClIdentity* identity) {
    LiteClIdentity* i = identity;
    *i = (LiteClIdentity){0};
    platform_text(cl, platform, CL_PLATFORM_NAME, i->platform, sizeof i->platform);
    platform_text(cl, platform, CL_PLATFORM_VERSION, i->platform_version, sizeof i->platform_version);
    device_text(cl, device, CL_DEVICE_VENDOR, i->vendor, sizeof i->vendor);
    device_text(cl, device, CL_DEVICE_NAME, i->name, sizeof i->name);
    device_text(cl, device, CL_DEVICE_VERSION, i->version, sizeof i->version);
    device_text(cl, device, CL_DRIVER_VERSION, i->driver, sizeof i->driver);
    // 2: before, cases could be left to the CPU by their cost, and nothing was tried.
    snprintf(i->key, sizeof i->key, "self-test 2 of oclite %s\n%s\n%s\n%s\n%s\n%s\n%s\n",
             OCLITE_VERSION_STRING, i->platform, i->platform_version, i->vendor, i->name, i->version,
             i->driver);
    lite_cl_identity_hash(i->key, i->hash);
}

bool lite_cl_identity_is_known(const LiteClIdentity* identity) {
    for (int i = 0; i < KNOWN; i++) {
        if (strcmp(identity->platform, known[i].platform) == 0 &&
            strstr(identity->platform_version, known[i].version) != NULL &&
            strncmp(identity->driver, known[i].driver, strlen(known[i].driver)) == 0)
            return true;
    }
    return false;
}

bool lite_cl_library_is_known(const char* path) {
    const char* slash = strrchr(path, '/');
    const char* file = slash != NULL ? slash + 1 : path;
    for (int i = 0; i < KNOWN; i++) {
        if (known[i].library[0] != '\0' && strcmp(known[i].library, file) == 0) return true;
    }
    return false;
}
