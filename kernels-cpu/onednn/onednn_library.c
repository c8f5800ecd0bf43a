// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/onednn/onednn_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static LiteOnednnLibrary table;
static bool loaded;

// POSIX's way of turning an object pointer into a function pointer.
static bool find(void* library, const char* name, void** function) {
    *function = dlsym(library, name);
    return *function != NULL;
}

// As the dynamic linker binds oneDNN's own calls: in the program first, which may have another OpenMP.
static bool find_openmp(void* library, const char* name, void** function) {
    return find(RTLD_DEFAULT, name, function) || find(library, name, function);
}

static bool fill(void* library) {
#define DNNL_FUNCTION(name)                                                                                  \
    if (!find(library, #name, (void**)&table.name)) return false;
#include "kernels-cpu/onednn/onednn.def"
    if (!find_openmp(library, "omp_get_max_threads", (void**)&table.omp_get_max_threads) ||
        !find_openmp(library, "omp_set_num_threads", (void**)&table.omp_set_num_threads)) {
        return false;
    }
    const dnnl_version_t* version = table.dnnl_version();
    if (version->major != DNNL_VERSION_MAJOR || version->minor < DNNL_VERSION_MINOR) return false;
    if (version->cpu_runtime != DNNL_RUNTIME_OMP) return false; // threads that could not be held
    return table.dnnl_engine_create(&table.engine, dnnl_cpu, 0) == dnnl_success;
}

static void load(void) {
    void* library = dlopen(LITE_ONEDNN, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL) return;
    loaded = fill(library);
    if (!loaded) dlclose(library);
}

const LiteOnednnLibrary* lite_onednn_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return loaded ? &table : NULL;
}

int lite_onednn_enter(const LiteOnednnLibrary* library) {
    const int threads = library->omp_get_max_threads();
    if (threads != 1) library->omp_set_num_threads(1);
    return threads;
}

void lite_onednn_leave(const LiteOnednnLibrary* library, int threads) {
    if (threads != 1) library->omp_set_num_threads(threads);
}
