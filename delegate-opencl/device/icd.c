// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/icd.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "delegate-opencl/device/left_out.h"

static bool starts_with(const char* text, const char* start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char* text, const char* end) {
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
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

enum { PATH_SIZE = 1024 };

// False when the path is too long.
static bool join(const char* folder, const char* name, char path[PATH_SIZE]) {
    const int length = snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return length >= 0 && length < PATH_SIZE;
}

// Calls visit for each file of the folder with these ends. False when there is no such folder.
static bool each_file(const char* folder, const char* start, const char* end,
                      void (*visit)(void* user_data, const char* file), void* user_data) {
    DIR* directory = opendir(folder);
    if (directory == NULL) return false;
    for (const struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        char file[PATH_SIZE];
        if (starts_with(entry->d_name, start) && ends_with(entry->d_name, end) &&
            join(folder, entry->d_name, file))
            visit(user_data, file);
    }
    closedir(directory);
    return true;
}

// Stays open: the ICD loader never closes its drivers either.
static void open_bound(void* binding, const char* library) {
    (void)dlopen(library, RTLD_NOW | RTLD_LOCAL | *(const int*)binding);
}

// Mesa's driver Clover opens its Gallium modules in a constructor, and what a library opens does not inherit
// RTLD_DEEPBIND from it; so they are opened before.
static void isolate_modules_beside(const char* folder, const char* library, int binding) {
    char path[PATH_SIZE];
    if (join(folder, library, path) && access(path, F_OK) == 0 && join(folder, "gallium-pipe", path))
        (void)each_file(path, "pipe_", ".so", open_bound, &binding);
}

// In the folders in which the dynamic linker looks for a library that is named without one.
static void isolate_modules_of(const char* library, int binding) {
    Dl_serinfo header;
    void* self = dlopen(NULL, RTLD_NOW);
    if (self == NULL) return;
    Dl_serinfo* found = NULL;
    if (dlinfo(self, RTLD_DI_SERINFOSIZE, &header) == 0 && (found = malloc(header.dls_size)) != NULL) {
        if (dlinfo(self, RTLD_DI_SERINFOSIZE, found) == 0 && dlinfo(self, RTLD_DI_SERINFO, found) == 0) {
            for (unsigned i = 0; i < found->dls_cnt; i++)
                isolate_modules_beside(found->dls_serpath[i].dls_name, library, binding);
        }
        free(found);
    }
    dlclose(self);
}

static void isolate(void* user_data, const char* library) {
    int binding = *(const int*)user_data;
    char folder[PATH_SIZE];
    const char* slash = strrchr(library, '/');
    if (LITE_CL_HAS_SELFTEST && lite_cl_is_left_out(library)) return;
    if (binding != 0 && slash == NULL) isolate_modules_of(library, binding);
    if (binding != 0 && slash != NULL && (size_t)(slash - library) < sizeof folder) {
        memcpy(folder, library, (size_t)(slash - library));
        folder[slash - library] = '\0';
        isolate_modules_beside(folder, slash + 1, binding);
    }
    open_bound(&binding, library);
}

// Whom to tell of libraries.
typedef struct Visitor {
    void (*visit)(void* user_data, const char* library);
    void* user_data;
} Visitor;

// The library named in an .icd file: a path, or a name for the dynamic linker.
static void visit_named(void* user_data, const char* file) {
    const Visitor* visitor = user_data;
    char library[PATH_SIZE];
    FILE* stream = fopen(file, "re");
    if (stream == NULL) return;
    const bool read = fgets(library, sizeof library, stream) != NULL;
    fclose(stream);
    if (!read) return;
    library[strcspn(library, "\r\n")] = '\0';
    if (library[0] != '\0') visitor->visit(visitor->user_data, library);
}

// NULL where the variable is unset or empty.
static const char* variable(const char* name) {
    const char* value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

// OCL_ICD_FILENAMES of Khronos' loader: libraries, with colons between them.
static void visit_listed(const Visitor* visitor, const char* list) {
    while (*list != '\0') {
        char library[PATH_SIZE];
        const size_t length = strcspn(list, ":");
        if (length > 0 && length < sizeof library) {
            memcpy(library, list, length);
            library[length] = '\0';
            visitor->visit(visitor->user_data, library);
        }
        list += length + (list[length] == ':');
    }
}

void lite_cl_each_vendor(void (*visit)(void* user_data, const char* library), void* user_data) {
    Visitor visitor = {visit, user_data};
    const char* listed = variable("OCL_ICD_FILENAMES");
    if (listed != NULL) visit_listed(&visitor, listed);
    const char* folder = variable("OPENCL_VENDOR_PATH");
    if (folder == NULL) folder = "/etc/OpenCL/vendors";
    const char* vendors = variable("OCL_ICD_VENDORS"); // a folder, an .icd file or a library
    if (vendors == NULL) vendors = folder;
    if (each_file(vendors, "", ".icd", visit_named, &visitor)) return;
    char file[PATH_SIZE];
    if (!ends_with(vendors, ".icd")) {
        visit(user_data, vendors);
    } else if (strchr(vendors, '/') == NULL && join(folder, vendors, file) && access(file, R_OK) == 0) {
        visit_named(&visitor, file);
    } else {
        visit_named(&visitor, vendors);
    }
}

void lite_cl_isolate_vendors(void) {
    int binding = offers_llvm() && !is_sanitized() ? RTLD_DEEPBIND : 0;
    lite_cl_each_vendor(isolate, &binding);
}

typedef struct Unopened {
    char* text;
    size_t size;
} Unopened;

static void try_open(void* user_data, const char* library) {
    const Unopened* unopened = user_data;
    if (unopened->text[0] != '\0' || (LITE_CL_HAS_SELFTEST && lite_cl_is_left_out(library))) return;
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) {
        dlclose(handle);
        return;
    }
    snprintf(unopened->text, unopened->size, "; a driver that is listed cannot be opened: %s", dlerror());
}

void lite_cl_describe_unopened(char* text, size_t size) {
    Unopened unopened = {text, size};
    text[0] = '\0';
    lite_cl_each_vendor(try_open, &unopened);
}
