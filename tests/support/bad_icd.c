// SPDX-License-Identifier: Apache-2.0
// An OpenCL driver that cannot even be listed. OCLITE_BAD_ICD: "open" crashes when it is opened, "list" when
// it is asked for its platforms, "hang" never answers; anything else: it has no platforms.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_bad(const char* when) {
    const char* bad = getenv("OCLITE_BAD_ICD");
    return bad != NULL && strcmp(bad, when) == 0;
}

static void crash(void) {
    (void)signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

__attribute__((constructor)) static void open_driver(void) {
    if (is_bad("open")) crash();
}

static cl_int CL_API_CALL list(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
    (void)room, (void)platforms;
    if (is_bad("list")) crash();
    while (is_bad("hang")) pause();
    if (count != NULL) *count = 0;
    return -1001; // CL_PLATFORM_NOT_FOUND_KHR
}

void* clGetExtensionFunctionAddress(const char* name) {
    void* function = NULL;
    cl_int(CL_API_CALL * found)(cl_uint, cl_platform_id*, cl_uint*) = list;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) memcpy(&function, &found, sizeof function);
    return function;
}
