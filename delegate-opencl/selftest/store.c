// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/keyed_file.h"
#include "core/base/memory.h"

#define ENDING ".selftest"

static char* join(const char* folder, const char* rest) {
    const size_t size = strlen(folder) + strlen(rest) + 1;
    char* path = lite_malloc(size);
    if (path != NULL) snprintf(path, size, "%s%s", folder, rest);
    return path;
}

char* lite_cl_selftest_folder(const char* cache_dir) {
    if (cache_dir != NULL && cache_dir[0] != '\0') return lite_strdup(cache_dir);
    const char* cache = secure_getenv("XDG_CACHE_HOME");
    const char* home = secure_getenv("HOME");
    // Relative paths are invalid there, says the specification.
    if (cache != NULL && cache[0] == '/') return join(cache, "/oclite");
    return home != NULL && home[0] == '/' ? join(home, "/.cache/oclite") : NULL;
}

static int open_folder(const char* folder) {
    char why[160];
    return folder != NULL ? lite_folder_open(folder, why, sizeof why) : -1;
}

static void read_from(int folder, LiteClVerdicts* verdicts, bool replaces) {
    LiteKeyedFile kept = lite_keyed_read(folder, verdicts->identity, ENDING);
    if (kept.data != NULL) (void)lite_cl_verdicts_read(verdicts, kept.data, kept.size, replaces);
    lite_keyed_free(&kept);
}

void lite_cl_selftest_load(const char* folder, LiteClVerdicts* verdicts) {
    if (verdicts->loaded) return;
    verdicts->loaded = true;
    const int opened = open_folder(folder);
    if (opened < 0) return;
    read_from(opened, verdicts, true);
    close(opened);
}

void lite_cl_selftest_store(const char* folder, LiteClVerdicts* verdicts, bool merges) {
    LiteText text = {0};
    const int opened = open_folder(folder);
    if (opened < 0) return;
    if (merges) read_from(opened, verdicts, false);
    lite_cl_verdicts_write(verdicts, &text);
    if (!text.failed && text.length > 0)
        (void)lite_keyed_write(opened, verdicts->identity, ENDING, text.data, text.length);
    close(opened);
    lite_text_free(&text);
}

void lite_cl_selftest_keep(void* verdicts, const LiteClVerdict* verdict) {
    (void)lite_cl_verdicts_put(verdicts, verdict);
}
