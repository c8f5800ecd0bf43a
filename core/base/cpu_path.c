// SPDX-License-Identifier: Apache-2.0
#include "core/base/cpu_path.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

static const char* const names[kLiteCpuPaths] = {
    [kLiteCpuAuto] = "auto",     [kLiteCpuReference] = "reference", [kLiteCpuVec128] = "vec128",
    [kLiteCpuAvx2] = "avx2",     [kLiteCpuAvx512] = "avx512",       [kLiteCpuAvx512Vnni] = "avx512vnni",
    [kLiteCpuOneDnn] = "onednn",
};

static atomic_int chosen = kLiteCpuAuto;

const char* lite_cpu_path_name(LiteCpuPath path) {
    return (unsigned)path < kLiteCpuPaths ? names[path] : NULL;
}

LiteCpuPath lite_cpu_path_find(const char* name) {
    for (LiteCpuPath path = kLiteCpuAuto; name != NULL && path < kLiteCpuPaths; path++) {
        if (strcmp(name, names[path]) == 0) return path;
    }
    return kLiteCpuPaths;
}

bool lite_cpu_path_available(LiteCpuPath path) {
    switch (path) {
    case kLiteCpuAuto:
    case kLiteCpuReference:
    case kLiteCpuVec128:
        return true;
#ifdef LITE_MICRO_X86
    case kLiteCpuAvx2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case kLiteCpuAvx512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    case kLiteCpuAvx512Vnni:
        return lite_cpu_path_available(kLiteCpuAvx512) && __builtin_cpu_supports("avx512vnni");
#endif
#ifdef LITE_ONEDNN
    case kLiteCpuOneDnn:
        return dlopen(LITE_ONEDNN, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) !=
               NULL; // stays open for the kernels
#endif
    default:
        return false;
    }
}

bool lite_cpu_path_choose(LiteCpuPath path) {
    if (!lite_cpu_path_available(path)) return false;
    atomic_store(&chosen, path);
    return true;
}

LiteCpuPath lite_cpu_path(void) {
    return (LiteCpuPath)atomic_load(&chosen);
}

LiteCpuPath lite_cpu_level(void) {
    const LiteCpuPath path = lite_cpu_path();
    if (path != kLiteCpuAuto && path != kLiteCpuOneDnn) return path;
    LiteCpuPath level = kLiteCpuAvx512Vnni;
    while (!lite_cpu_path_available(level)) level--;
    return level;
}
