// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/store.h"

#include <unistd.h>

#include "core/base/cache_home.h"
#include "core/base/keyed_file.h"
#include "core/base/memory.h"

#define ENDING ".selftest"

char* lite_cl_selftest_folder(const char* cache_dir) {
    return cache_dir != NULL && cache_dir[0] != '\0' ? lite_strdup(cache_dir) : lite_cache_home();
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
