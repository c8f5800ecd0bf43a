// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/screen.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "delegate-opencl/device/icd.h"
#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/selftest/child.h"
#include "delegate-opencl/selftest/program.h"
#include "delegate-opencl/selftest/store.h"
#include "oclite/oclite.h"

// In what the child says of a library.
#define DRIVER "driver"

typedef struct Screen {
    const LiteClSelftest* selftest;
    char program[PATH_MAX];
    struct stat program_info;
} Screen;

// Where the dynamic linker would find a library that is named without a folder; false where that is not
// known.
static bool find_library(const char* name, struct stat* info) {
    Dl_serinfo header;
    bool is_found = false;
    if (strchr(name, '/') != NULL) return stat(name, info) == 0;
    void* self = dlopen(NULL, RTLD_NOW);
    if (self == NULL) return false;
    Dl_serinfo* folders = NULL;
    if (dlinfo(self, RTLD_DI_SERINFOSIZE, &header) == 0 && (folders = malloc(header.dls_size)) != NULL &&
        dlinfo(self, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(self, RTLD_DI_SERINFO, folders) == 0) {
        for (unsigned i = 0; i < folders->dls_cnt && !is_found; i++) {
            char path[PATH_MAX];
            const int length = snprintf(path, sizeof path, "%s/%s", folders->dls_serpath[i].dls_name, name);
            is_found = length < (int)sizeof path && stat(path, info) == 0;
        }
    }
    free(folders);
    dlclose(self);
    return is_found;
}

// The process has it already: what it does when it is opened is done.
static bool is_open(const char* library) {
    void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle != NULL) dlclose(handle);
    return handle != NULL;
}

static void ask_child(const Screen* screen, const char* library, LiteClVerdicts* verdicts) {
    static const char* const names[] = {DRIVER};
    const char* const arguments[] = {"--driver", library, NULL};
    const LiteClChild child = {
        .program = screen->program, .arguments = arguments, .names = names, .count = 1};
    if (lite_cl_child_try(&child, lite_cl_selftest_keep, verdicts) > 0)
        lite_cl_selftest_store(screen->selftest->folder, verdicts, false);
}

static void check_library(void* user_data, const char* library) {
    const Screen* screen = user_data;
    struct stat info = {0};
    char key[PATH_MAX + 256], why[LITE_CL_LEFT_OUT_WHY];
    LiteClVerdict verdict;
    if (lite_cl_library_is_known(library) || is_open(library)) return;
    (void)find_library(library, &info); // where it is not found, its name has to do
    snprintf(key, sizeof key, "driver of oclite %s\n%s\n%lld bytes of %lld\n%lld bytes of %lld\n",
             OCLITE_VERSION_STRING, library, (long long)info.st_size, (long long)info.st_mtime,
             (long long)screen->program_info.st_size, (long long)screen->program_info.st_mtime);
    LiteClVerdicts* verdicts = lite_cl_verdicts_of(key);
    if (verdicts == NULL) return;
    lite_lock(&verdicts->running);
    if (screen->selftest->mode == kLiteClSelftestOn)
        lite_cl_selftest_load(screen->selftest->folder, verdicts);
    if (!lite_cl_verdicts_find(verdicts, DRIVER, &verdict)) {
        ask_child(screen, library, verdicts);
        (void)lite_cl_verdicts_find(verdicts, DRIVER, &verdict);
    }
    lite_unlock(&verdicts->running);
    if (!lite_cl_trial_is_bad(verdict.trial)) return;
    snprintf(why, sizeof why, "%s when its devices are listed%s%.60s%s", lite_cl_trial_words[verdict.trial],
             verdict.detail[0] != '\0' ? ": " : "", verdict.detail, "");
    (void)lite_cl_leave_out(library, why);
}

void lite_cl_selftest_screen(const LiteClSelftest* selftest) {
    static LiteLock lock = LITE_LOCK_INITIALIZER;
    static bool done;
    Screen screen = {.selftest = selftest};
    if (!LITE_CL_HAS_SELFTEST || selftest->mode == kLiteClSelftestOff) return;
    lite_lock(&lock);
    if (!done && !lite_cl_is_loaded() && lite_cl_selftest_program(screen.program) &&
        stat(screen.program, &screen.program_info) == 0)
        lite_cl_each_vendor(check_library, &screen);
    done = true;
    lite_unlock(&lock);
}
