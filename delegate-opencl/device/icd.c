// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/icd.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char* text, const char* end) {
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

// Vendors' libraries that take LLVM from a shared library.
static bool uses_llvm(const char* path) {
    static const char* const names[] = {"libpocl", "libRusticlOpenCL", "libMesaOpenCL"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strstr(path, names[i]) != NULL) return true;
    }
    return false;
}

static bool has_any(const char* const* symbols, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (dlsym(RTLD_DEFAULT, symbols[i]) != NULL) return true;
    }
    return false;
}

// Does the process already have an LLVM that every library opened from now on will be bound to?
static bool offers_llvm(void) {
    static const char* const llvm[] = {"LLVMContextCreate", "_ZN4llvm11LLVMContextC1Ev"};
    return has_any(llvm, sizeof llvm / sizeof llvm[0]);
}

// Sanitizers must see every malloc, and refuse RTLD_DEEPBIND.
static bool is_sanitized(void) {
    static const char* const sanitizers[] = {"__asan_init", "__tsan_init", "__msan_init"};
    return has_any(sanitizers, sizeof sanitizers / sizeof sanitizers[0]);
}

static void isolate(const char* library, int binding) {
    // Stays open: the ICD loader never closes its drivers either.
    if (uses_llvm(library)) (void)dlopen(library, RTLD_NOW | RTLD_LOCAL | binding);
}

// The library named in an .icd file.
static void isolate_named(const char* file, int binding) {
    char library[1024];
    FILE* stream = fopen(file, "re");
    if (stream == NULL) return;
    const bool read = fgets(library, sizeof library, stream) != NULL;
    fclose(stream);
    if (!read) return;
    library[strcspn(library, "\r\n")] = '\0';
    isolate(library, binding);
}

void lite_cl_isolate_vendors(void) {
    const int binding = offers_llvm() && !is_sanitized() ? RTLD_DEEPBIND : 0;
    const char* folder = getenv("OCL_ICD_VENDORS");
    if (folder == NULL) folder = "/etc/OpenCL/vendors";
    if (ends_with(folder, ".icd")) {
        isolate_named(folder, binding);
        return;
    }
    DIR* directory = opendir(folder);
    if (directory == NULL) {
        isolate(folder, binding); // a library, or nothing
        return;
    }
    for (const struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        char file[1024];
        const int length = snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        if (length < (int)sizeof file && ends_with(file, ".icd")) isolate_named(file, binding);
    }
    closedir(directory);
}
