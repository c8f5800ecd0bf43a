// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/vendors.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/icd.h"
#include "delegate-opencl/device/left_out.h"

// A folder with an .icd file for each driver that is not left out.
typedef struct Shown {
    char folder[PATH_MAX];
    int count;
    bool failed;
} Shown;

enum { NAME = sizeof "/2147483647.icd" };

static void name_file(const Shown* shown, int i, char path[PATH_MAX + NAME]) {
    snprintf(path, PATH_MAX + NAME, "%s/%03d.icd", shown->folder, i);
}

static void show(void* user_data, const char* library) {
    Shown* shown = user_data;
    char path[PATH_MAX + NAME];
    if (lite_cl_is_left_out(library)) return;
    name_file(shown, shown->count++, path);
    FILE* file = fopen(path, "wxe");
    const bool written = file != NULL && fprintf(file, "%s\n", library) > 0;
    if (file == NULL || fclose(file) != 0 || !written) shown->failed = true;
}

static void hide(const Shown* shown) {
    char path[PATH_MAX + NAME];
    for (int i = 0; i < shown->count; i++) {
        name_file(shown, i, path);
        (void)unlink(path);
    }
    (void)rmdir(shown->folder);
}

static bool is_of(const char* entry, const char* name) {
    const size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

enum { NAMES = 2 };
static const char* const names[NAMES] = {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"};

// Which of the names it is; NAMES: none.
static int find_name(const char* entry) {
    int n = 0;
    while (n < NAMES && !is_of(entry, names[n])) n++;
    return n;
}

// An environment like the present one, with `vendors` as the only place of drivers; `hidden`: the entries
// that it does not have. NULL: out of memory.
static char** make_environment(char* vendors, char* hidden[NAMES]) {
    size_t count = 0, kept = 0;
    while (environ != NULL && environ[count] != NULL) count++;
    char** made = lite_calloc(count + 2, sizeof *made);
    if (made == NULL) return NULL;
    for (size_t i = 0; i < count; i++) {
        const int n = find_name(environ[i]);
        if (n == NAMES) made[kept++] = environ[i];
        if (n < NAMES) hidden[n] = environ[i];
    }
    made[kept] = vendors;
    return made;
}

// Where a driver has called setenv meanwhile, there is a third array, which has its variable and ours.
static void restore_environment(char** before, char** made, char* const hidden[NAMES]) {
    if (environ == made) {
        environ = before;
        return;
    }
    for (int n = 0; n < NAMES; n++) {
        (void)unsetenv(names[n]);
        if (hidden[n] != NULL) (void)putenv(hidden[n]);
    }
}

TfLiteStatus lite_cl_look_for_vendors(void (*look)(void* user_data), void* user_data,
                                      const LiteReporter* reporter) {
    const LiteClLeftOut* first = lite_cl_left_out_at(0);
    if (first == NULL) {
        look(user_data);
        return kTfLiteOk;
    }
    // Another thread may still be reading them when this returns.
    static char vendors[PATH_MAX + sizeof "OCL_ICD_VENDORS="];
    static char** made;
    Shown shown = {0};
    const char* place = secure_getenv("TMPDIR");
    const int length = snprintf(shown.folder, sizeof shown.folder, "%s/oclite-vendors-XXXXXX",
                                place != NULL && place[0] == '/' ? place : "/tmp");
    if (length >= (int)sizeof shown.folder || mkdtemp(shown.folder) == NULL) {
        return lite_report(reporter,
                           "OpenCL: the driver %s is to be left out (%s), and there is no folder to list the "
                           "others in: %s: %s",
                           first->library, first->why, shown.folder, strerror(errno));
    }
    lite_cl_each_vendor(show, &shown);
    snprintf(vendors, sizeof vendors, "OCL_ICD_VENDORS=%s", shown.folder);
    // Other threads may read the environment meanwhile: they see the old array or the new one, and setenv,
    // which would move the old one, is not called.
    char **before = environ, *hidden[NAMES] = {NULL};
    lite_free(made);
    made = shown.failed ? NULL : make_environment(vendors, hidden);
    if (made != NULL) {
        environ = made;
        look(user_data);
        restore_environment(before, made, hidden);
    }
    hide(&shown);
    if (made != NULL) return kTfLiteOk;
    return lite_report(reporter,
                       "OpenCL: the driver %s is to be left out (%s), and the others cannot be listed",
                       first->library, first->why);
}
