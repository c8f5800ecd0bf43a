// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/icd.h"

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

// The library named in an .icd file, when it is PoCL's.
static bool read_pocl_path(const char* file, char* path, size_t size) {
    FILE* stream = fopen(file, "re");
    if (stream == NULL) return false;
    const bool read = fgets(path, (int)size, stream) != NULL;
    fclose(stream);
    if (!read) return false;
    path[strcspn(path, "\r\n")] = '\0';
    return strstr(path, "libpocl") != NULL;
}

static void isolate(const char* file) {
    char path[1024];
    if (!read_pocl_path(file, path, sizeof path)) return;
    // Stays open: the ICD loader never closes its drivers either.
    (void)dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

void lite_cl_isolate_pocl(void) {
    // Sanitizers have to see every malloc and refuse RTLD_DEEPBIND.
    static const char* const sanitizers[] = {"__asan_init", "__tsan_init", "__msan_init"};
    for (size_t i = 0; i < sizeof sanitizers / sizeof sanitizers[0]; i++) {
        if (dlsym(RTLD_DEFAULT, sanitizers[i]) != NULL) return;
    }
    const char* folder = getenv("OCL_ICD_VENDORS");
    if (folder == NULL) folder = "/etc/OpenCL/vendors";
    if (ends_with(folder, ".icd")) {
        isolate(folder);
        return;
    }
    DIR* directory = opendir(folder);
    if (directory == NULL) return;
    for (const struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        char file[1024];
        const int length = snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        if (length < (int)sizeof file && ends_with(file, ".icd")) isolate(file);
    }
    closedir(directory);
}
