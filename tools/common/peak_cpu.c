// SPDX-License-Identifier: Apache-2.0
// Compiled with multiplications and additions in one step, and for the widest vectors that the processor has.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "oclite/oclite.h"
#include "tools/common/matmul_rate.h"
#include "tools/common/peak_cpu.h"
#include "tools/common/timing.h"

enum { kMaxThreads = 1024, kChains = 12, kSteps = 256 };
static const size_t kCopy = (size_t)256 << 20; // bytes of both blocks

// Twelve chains of dependent multiply-adds hide their latency and, with the factor, fit into 16 registers.
// Each begins with another number, else a compiler makes one chain of the twelve, and the rate is of work
// that nobody does. The result is returned so that it keeps them.
#define MADS(name, floats, attributes)                                                                       \
    typedef float name##_vector __attribute__((vector_size(4 * (floats))));                                  \
    attributes static float name(long rounds) {                                                              \
        name##_vector sums[kChains];                                                                         \
        for (int c = 0; c < kChains; c++) sums[c] = (name##_vector){(float)c};                               \
        name##_vector factor = {0};                                                                          \
        for (int i = 0; i < (floats); i++) factor[i] = 0.5f + (float)(rounds & 1);                           \
        for (long step = 0; step < rounds * kSteps; step++) {                                                \
            _Pragma("GCC unroll 12") for (int c = 0; c < kChains; c++) {                                     \
                sums[c] = sums[c] * factor + factor;                                                         \
            }                                                                                                \
        }                                                                                                    \
        for (int c = 1; c < kChains; c++) sums[0] += sums[c];                                                \
        return sums[0][0];                                                                                   \
    }

#ifdef __x86_64__
MADS(mads_16, 16, __attribute__((target("avx512f"))))
MADS(mads_8, 8, __attribute__((target("avx2,fma"))))
#endif
MADS(mads_4, 4, )

// The same of bytes, which compilers do not find: instructions that add sums of four products of bytes, or of
// two of 16 bits, to each of 32 bits.
#ifdef __x86_64__
#define DOTS(name, ints, attributes, constraint, code)                                                       \
    typedef unsigned name##_vector __attribute__((vector_size(4 * (ints)))); /* sums wrap */                 \
    attributes static float name(long rounds) {                                                              \
        name##_vector sums[kChains], factor = {0}, products;                                                 \
        for (int c = 0; c < kChains; c++) sums[c] = (name##_vector){c};                                      \
        for (int i = 0; i < (ints); i++) factor[i] = 0x01010101 + (unsigned)(rounds & 1);                    \
        for (long step = 0; step < rounds * kSteps; step++) {                                                \
            _Pragma("GCC unroll 12") for (int c = 0; c < kChains; c++) {                                     \
                name##_vector sum = sums[c]; /* an element would be kept in memory */                        \
                __asm__(code : "+" constraint(sum), "=&" constraint(products) : constraint(factor));         \
                sums[c] = sum;                                                                               \
            }                                                                                                \
        }                                                                                                    \
        for (int c = 1; c < kChains; c++) sums[0] += sums[c];                                                \
        return (float)sums[0][0];                                                                            \
    }
#define MADD "vpmaddwd %2, %2, %1\n\tvpaddd %1, %0, %0"
DOTS(dots_16, 16, __attribute__((target("avx512f"))), "v", "vpdpbusd %2, %2, %0")
DOTS(dots_8, 8, __attribute__((target("avx2"))), "x", "%{vex%} vpdpbusd %2, %2, %0")
DOTS(pairs_16, 16, __attribute__((target("avx512f"))), "v", MADD)
DOTS(pairs_8, 8, __attribute__((target("avx2"))), "x", MADD)
#endif

#ifdef TOOL_AMX
// Products in tiles of 16 rows and columns: of BFLOAT16, 32 deep, of which six make one of floats
// (docs/ARCHITECTURE.md), and of bytes, 64 deep.
enum { kTilesMultiply = 16 * 16 * 32 / 6, kByteTilesMultiply = 16 * 16 * 64 };
#define TILES(name, feature, multiply)                                                                       \
    __attribute__((target("amx-tile," feature))) static float name(long rounds) {                            \
        struct {                                                                                             \
            uint8_t palette, rest[15];                                                                       \
            uint16_t row_bytes[16];                                                                          \
            uint8_t rows[16];                                                                                \
        } shapes = {.palette = 1};                                                                           \
        for (int i = 0; i < 8; i++) {                                                                        \
            shapes.row_bytes[i] = 64;                                                                        \
            shapes.rows[i] = 16;                                                                             \
        }                                                                                                    \
        __asm__ volatile("" ::"r"(&shapes)                                                                   \
                         : "memory"); /* which compilers do not see the instruction read */                  \
        _tile_loadconfig(&shapes);                                                                           \
        for (long step = 0; step < rounds * kSteps; step++) {                                                \
            _Pragma("GCC unroll 3") for (int c = 0; c < kChains; c += 4) {                                   \
                multiply(0, 4, 6);                                                                           \
                multiply(1, 4, 7);                                                                           \
                multiply(2, 5, 6);                                                                           \
                multiply(3, 5, 7);                                                                           \
            }                                                                                                \
        }                                                                                                    \
        _tile_release();                                                                                     \
        return 0.0f;                                                                                         \
    }
TILES(tiles, "amx-bf16", _tile_dpbf16ps)
TILES(byte_tiles, "amx-int8", _tile_dpbusd)

// Whether the library uses them. It has asked for the right to.
static bool has_tiles(void) {
    static const char path[] = "avx512amx";
    const char* chosen = oclite_cpu_path();
    if (strcmp(chosen, "auto") != 0) return strcmp(chosen, path) == 0;
    for (int i = 0; oclite_available_cpu_path(i) != NULL; i++)
        if (strcmp(oclite_available_cpu_path(i), path) == 0) return true;
    return false;
}
#endif

typedef struct Loop {
    float (*run)(long rounds);
    int multiplies; // in a step of a chain
} Loop;

static Loop widest_loop(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) return (Loop){mads_16, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return (Loop){mads_8, 8};
#endif
    return (Loop){mads_4, 4};
}

// Of vectors; NULL: no such instruction is known.
static Loop widest_dots(void) {
#ifdef __x86_64__
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool has_vex = __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 4 & 1) != 0; // AVX-VNNI
    if (__builtin_cpu_supports("avx512vnni")) return (Loop){dots_16, 64};
    if (__builtin_cpu_supports("avx2") && has_vex) return (Loop){dots_8, 32};
    if (__builtin_cpu_supports("avx512bw")) return (Loop){pairs_16, 32};
    if (__builtin_cpu_supports("avx2")) return (Loop){pairs_8, 16};
#endif
    return (Loop){NULL, 0};
}

// The share of one thread.
typedef struct Share {
    pthread_t thread;
    Loop loop;
    const char* from;
    char* to;
    size_t bytes;
    long rounds;
    volatile float result;
} Share;

typedef struct Team {
    int threads;
    Share* shares;
    void* (*work)(void* share);
    ToolMessage* message;
} Team;

static void* multiply(void* data) {
    Share* share = data;
    share->result = share->loop.run(share->rounds);
    return NULL;
}

static void* copy(void* data) {
    Share* share = data;
    for (long r = 0; r < share->rounds; r++) {
        memcpy(share->to, share->from, share->bytes);
        __asm__ volatile("" ::: "memory"); // each of them is done
    }
    return NULL;
}

static ToolStatus run_team(void* data, long rounds) {
    Team* team = data;
    int started = 1; // the caller does the first share
    for (; started < team->threads; started++) {
        Share* share = &team->shares[started];
        share->rounds = rounds;
        if (pthread_create(&share->thread, NULL, team->work, share) != 0) break;
    }
    team->shares[0].rounds = rounds;
    if (started == team->threads) team->work(&team->shares[0]);
    for (int i = 1; i < started; i++) pthread_join(team->shares[i].thread, NULL);
    if (started == team->threads) return kToolOk;
    return tool_fail(team->message, kToolFile, "thread %d of %d could not be started", started,
                     team->threads);
}

// Each thread copies a part of its own, so that small blocks stay in its caches.
static ToolStatus measure_copy(Team* team, char* memory, size_t bytes, ToolPeak* peak) {
    const size_t part = bytes / 2 / (size_t)team->threads;
    double rate = 0;
    if (part == 0) return kToolOk;
    for (int i = 0; i < team->threads; i++) {
        Share* share = &team->shares[i];
        share->from = memory + 2 * part * (size_t)i;
        share->to = memory + 2 * part * (size_t)i + part;
        share->bytes = part;
    }
    team->work = copy;
    const ToolStatus status = tool_rate(run_team, team, &rate);
    const double moved = 2.0 * (double)part * team->threads;
    if (status == kToolOk) tool_peak_add_copy(peak, moved, rate * moved);
    return status;
}

// Operations in a second.
static ToolStatus measure_loop(Team* team, Loop loop, double* result) {
    double rate = 0;
    for (int i = 0; i < team->threads; i++) team->shares[i].loop = loop;
    team->work = multiply;
    const ToolStatus status = tool_rate(run_team, team, &rate);
    *result = rate * 2.0 * kSteps * kChains * loop.multiplies * team->threads;
    return status;
}

static ToolStatus measure_floats(Team* team, ToolPeak* peak) {
    double rate = 0;
    const ToolStatus status = measure_loop(team, widest_loop(), &rate);
    tool_peak_add_float32(peak, rate);
    return status;
}

// The arithmetic is measured again between the copies: at some time the machine may do nothing else.
static ToolStatus measure(Team* team, ToolPeak* peak) {
    char* memory = malloc(kCopy);
    if (memory == NULL) return tool_out_of_memory(team->message);
    memset(memory, 1, kCopy);
    ToolStatus status = measure_floats(team, peak);
    for (int i = 0; i < kToolPeakCopies && status == kToolOk; i++) {
        status = measure_copy(team, memory, tool_peak_copy_bytes(kCopy, i), peak);
        if (status == kToolOk && i % 4 == 3) status = measure_floats(team, peak);
    }
    free(memory);
    return status;
}

static ToolStatus open_team(Team* team, int threads, ToolMessage* message) {
    *team = (Team){.threads = threads < kMaxThreads ? threads : kMaxThreads, .message = message};
    team->shares = calloc((size_t)team->threads, sizeof *team->shares);
    return team->shares != NULL ? kToolOk : tool_out_of_memory(message);
}

ToolStatus tool_peak_cpu_dots(int threads, double* rate, ToolMessage* message) {
    const Loop loop = widest_dots();
    Team team;
    *rate = 0;
    if (loop.run == NULL) return kToolOk;
    ToolStatus status = open_team(&team, threads, message);
    if (status == kToolOk) status = measure_loop(&team, loop, rate);
    free(team.shares);
    return status;
}

// No product of matrices is faster than its instructions, but there may be others.
static ToolStatus measure_bytes(Team* team, ToolPeak* peak) {
    double dots = 0;
    ToolStatus status = tool_peak_cpu_dots(team->threads, &dots, team->message);
    if (status != kToolOk) return status;
    peak->int8_vectors = dots;
#ifdef TOOL_AMX
    if (has_tiles()) status = measure_loop(team, (Loop){byte_tiles, kByteTilesMultiply}, &dots);
    if (status != kToolOk) return status;
#endif
    peak->int8_from = kToolPeakLibrary;
    const ToolStatus library = tool_matmul_rate(NULL, team->threads, kTfLiteInt8, &peak->int8, team->message);
    if (library != kToolOk || dots <= peak->int8) return library;
    peak->int8 = dots;
    peak->int8_from = kToolPeakDots;
    return kToolOk;
}

static ToolStatus measure_products(Team* team, ToolPeak* peak) {
#ifdef TOOL_AMX
    if (has_tiles()) return measure_loop(team, (Loop){tiles, kTilesMultiply}, &peak->products);
#endif
    (void)team, (void)peak;
    return kToolOk;
}

ToolStatus tool_peak_cpu(int threads, ToolPeak* peak, ToolMessage* message) {
    Team team;
    *peak = (ToolPeak){0};
    ToolStatus status = open_team(&team, threads, message);
    if (status == kToolOk) status = measure(&team, peak);
    if (status == kToolOk) status = measure_products(&team, peak);
    if (status == kToolOk) status = measure_bytes(&team, peak);
    free(team.shares);
    return status;
}
