// SPDX-License-Identifier: Apache-2.0
#include "core/base/cpu_path.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#ifdef LITE_MICRO_X86
#include <cpuid.h>
#endif
#ifdef LITE_MICRO_AMX
#include <sys/syscall.h>
#include <unistd.h>
#endif

static const char* const names[kLiteCpuPaths] = {
    [kLiteCpuAuto] = "auto",
    [kLiteCpuReference] = "reference",
    [kLiteCpuVec128] = "vec128",
    [kLiteCpuAvx2] = "avx2",
    [kLiteCpuAvxVnni] = "avxvnni",
    [kLiteCpuAvx512] = "avx512",
    [kLiteCpuAvx512Vnni] = "avx512vnni",
    [kLiteCpuAvx512Amx] = "avx512amx",
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

#ifdef LITE_MICRO_X86
// Processors with AVX2 have it, but hypervisors may hide it.
static bool has_f16c(void) {
    enum { kF16c = 1 << 29 };
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kF16c) != 0;
}

static bool has_avxvnni(void) {
    enum { kAvxVnni = 1 << 4 };
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & kAvxVnni) != 0;
}
#endif

#ifdef LITE_MICRO_AMX
// Linux lets a process use the units that multiply matrices only after it has asked for their large state.
static bool is_amx_granted;

static void request_amx(void) {
    enum { kBf16 = 1 << 22, kTile = 1 << 24, kInt8 = 1 << 25, kRequestPermission = 0x1023, kTileData = 18 };
    const unsigned needed = kBf16 | kTile | kInt8;
    unsigned a, b, c, d;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & needed) != needed) return;
    is_amx_granted = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

static bool may_use_amx(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, request_amx);
    return is_amx_granted;
}
#endif

static bool has_processor(LiteCpuPath path) {
    switch (path) {
    case kLiteCpuAuto:
    case kLiteCpuReference:
    case kLiteCpuVec128:
        return true;
#ifdef LITE_MICRO_X86
    case kLiteCpuAvx2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    case kLiteCpuAvxVnni:
        return has_processor(kLiteCpuAvx2) && has_avxvnni();
    case kLiteCpuAvx512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    case kLiteCpuAvx512Vnni:
        return has_processor(kLiteCpuAvx512) && __builtin_cpu_supports("avx512vnni");
#endif
#ifdef LITE_MICRO_AMX
    case kLiteCpuAvx512Amx:
        return has_processor(kLiteCpuAvx512Vnni) && may_use_amx();
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

bool lite_cpu_path_available(LiteCpuPath path) {
    static const bool built[kLiteCpuPaths] = {
        [kLiteCpuAuto] = true,
        [kLiteCpuReference] = true,
        [kLiteCpuOneDnn] = true,
#define CPU_PATH(Name, name) [kLiteCpu##Name] = true,
#include "core/cpu_paths.def"
    };
    if ((unsigned)path >= kLiteCpuPaths || !built[path]) return false;
    // Found once: to ask the processor takes a microsecond or more in a virtual machine, and kernels ask
    // often.
    enum { kNotYet, kNo, kYes };
    static atomic_int known[kLiteCpuPaths];
    int answer = atomic_load_explicit(&known[path], memory_order_relaxed);
    if (answer == kNotYet) {
        answer = has_processor(path) ? kYes : kNo;
        atomic_store_explicit(&known[path], answer, memory_order_relaxed);
    }
    return answer == kYes;
}

bool lite_cpu_path_choose(LiteCpuPath path) {
    if (!lite_cpu_path_available(path)) return false;
    atomic_store(&chosen, path);
    return true;
}

LiteCpuPath lite_cpu_path(void) {
    return (LiteCpuPath)atomic_load(&chosen);
}

static LiteCpuPath highest_level(void) {
    static atomic_int known; // kLiteCpuAuto: not yet
    LiteCpuPath level = (LiteCpuPath)atomic_load_explicit(&known, memory_order_relaxed);
    if (level != kLiteCpuAuto) return level;
    level = kLiteCpuAvx512Amx;
    while (!lite_cpu_path_available(level)) level--;
    atomic_store_explicit(&known, level, memory_order_relaxed);
    return level;
}

bool lite_cpu_path_compares(void) {
    const LiteCpuPath path = lite_cpu_path();
    return path == kLiteCpuReference || path == kLiteCpuOneDnn;
}

LiteCpuPath lite_cpu_level(void) {
    const LiteCpuPath path = lite_cpu_path();
    return path != kLiteCpuAuto && path != kLiteCpuOneDnn ? path : highest_level();
}

void lite_cpu_name(char name[LITE_CPU_NAME]) {
    memset(name, 0, LITE_CPU_NAME);
#ifdef LITE_MICRO_X86
    enum { kFirst = (int)0x80000002, kLeaves = 3 };
    for (unsigned leaf = 0; leaf < kLeaves; leaf++) {
        unsigned words[4];
        if (__get_cpuid((unsigned)kFirst + leaf, &words[0], &words[1], &words[2], &words[3]) == 0) return;
        memcpy(name + leaf * sizeof words, words, sizeof words);
    }
#endif
}
