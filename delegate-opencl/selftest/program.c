// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/program.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "oclite_opencl_selftest"
// From the folder of the libraries to the program, as the build installs it.
#ifndef OCLITE_SELFTEST_FROM_LIBRARY
#define OCLITE_SELFTEST_FROM_LIBRARY "../libexec/oclite/" NAME
#endif

static const char here[] = "this file";

// The file whose mapping contains the address: where the linker's name for it is relative, as it was opened,
// the current folder may be another one by now.
static bool find_mapped(char path[PATH_MAX]) {
    char line[PATH_MAX + 128];
    bool found = false;
    FILE* maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) return false;
    while (!found && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t first, end;
        const char* name = strchr(line, '/');
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &first, &end) != 2 || name == NULL) continue;
        if ((uintptr_t)here < first || (uintptr_t)here >= end || strlen(name) >= PATH_MAX) continue;
        strcpy(path, name);
        path[strcspn(path, "\n")] = '\0';
        found = true;
    }
    fclose(maps);
    return found;
}

// The file that contains this code, without links.
static bool find_library(char path[PATH_MAX]) {
    Dl_info info;
    if (dladdr(here, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/')
        return realpath(info.dli_fname, path) != NULL;
    return find_mapped(path);
}

static bool is_program(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool lite_cl_selftest_may_run(const struct stat* program, const struct stat* library) {
    const bool has_owner =
        program->st_uid == 0 || program->st_uid == geteuid() || program->st_uid == library->st_uid;
    const bool has_group = program->st_gid == library->st_gid && (library->st_mode & S_IWGRP) != 0;
    return has_owner && (program->st_mode & S_IWOTH) == 0 && ((program->st_mode & S_IWGRP) == 0 || has_group);
}

bool lite_cl_selftest_program(char path[PATH_MAX]) {
    static const char* const places[] = {NAME, OCLITE_SELFTEST_FROM_LIBRARY};
    char library[PATH_MAX];
    struct stat library_info, info;
    const char* named = secure_getenv(LITE_CL_SELFTEST_PROGRAM);
    if (named != NULL && named[0] != '\0') {
        const int length = snprintf(path, PATH_MAX, "%s", named);
        return length < PATH_MAX && path[0] == '/' && is_program(path);
    }
    if (!find_library(library) || stat(library, &library_info) != 0) return false;
    *(strrchr(library, '/') + 1) = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int length = snprintf(path, PATH_MAX, "%s%s", library, places[i]);
        if (length > 0 && length < PATH_MAX && is_program(path) && stat(path, &info) == 0 &&
            lite_cl_selftest_may_run(&info, &library_info))
            return true;
    }
    return false;
}

bool lite_cl_selftest_arguments(int number, const char* hash, LiteClProgramArguments* arguments) {
    static char device[] = "--device", identity[] = "--identity", without[] = "--without";
    if (!lite_cl_selftest_program(arguments->program)) return false;
    snprintf(arguments->device, sizeof arguments->device, "%d", number);
    snprintf(arguments->hash, sizeof arguments->hash, "%s", hash);
    char* const named[] = {arguments->program, device, arguments->device, identity, arguments->hash};
    memset(arguments->all, 0, sizeof arguments->all);
    memcpy(arguments->all, named, sizeof named);
    arguments->count = sizeof named / sizeof named[0];
    for (int i = 0; lite_cl_left_out_at(i) != NULL; i++) {
        arguments->all[arguments->count++] = without;
        arguments->all[arguments->count++] =
            (char*)(uintptr_t)lite_cl_left_out_at(i)->library; // nobody writes
    }
    return true;
}
