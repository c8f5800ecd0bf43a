// SPDX-License-Identifier: Apache-2.0
// Which device and driver it is that a verdict is about, and whether it is known to be good.
#ifndef DELEGATE_OPENCL_SELFTEST_IDENTITY_H_
#define DELEGATE_OPENCL_SELFTEST_IDENTITY_H_

#include <stdbool.h>

#include "delegate-opencl/device/cl.h"

enum { LITE_CL_HASH = 17 };

typedef struct LiteClIdentity {
    char platform[128];
    char platform_version[192];
    char vendor[128];
    char name[160];
    char version[192];
    char driver[128];
    char key[1024];          // all of these, and the library's version: a line each
    char hash[LITE_CL_HASH]; // of the key
} LiteClIdentity;

void lite_cl_identity_read(const LiteCl* cl, cl_platform_id platform, cl_device_id device,
                           LiteClIdentity* identity);

// 16 hexadecimal digits.
void lite_cl_identity_hash(const char* text, char hash[LITE_CL_HASH]);

// Is it in known.def?
bool lite_cl_identity_is_known(const LiteClIdentity* identity);
// Is a driver's library? The path's folder does not count.
bool lite_cl_library_is_known(const char* path);

#endif
