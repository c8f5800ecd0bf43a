// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_RNG_BIT_GENERATOR: the counter-based generators Philox4x32-10 and Threefry2x32-20 (Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3"). The state is a key of 64 bits and a counter: block i of the
// output is a function of the key and the counter plus i.
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/support/philox.h"
#include "kernels-cpu/support/size.h"

enum {
    kMaxWords = 4, // of a block
    kGrain = 4096  // blocks worth a thread
};

static const char op[] = "STABLEHLO_RNG_BIT_GENERATOR";

typedef struct Generator Generator;
struct Generator {
    uint32_t key[2];
    uint64_t counter; // its lower half, which counts
    uint32_t upper[2];
    int words; // of a block
    void (*block)(const Generator* g, uint64_t counter, uint32_t words[kMaxWords]);
    char* output;
    size_t bytes;
};

static void philox(const Generator* g, uint64_t counter, uint32_t words[kMaxWords]) {
    const uint32_t number[kMaxWords] = {(uint32_t)counter, (uint32_t)(counter >> 32), g->upper[0],
                                        g->upper[1]};
    memcpy(words, number, sizeof(number));
    lite_philox_block(g->key, words);
}

static void threefry(const Generator* g, uint64_t counter, uint32_t words[kMaxWords]) {
    static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    const uint32_t key[3] = {g->key[0], g->key[1], g->key[0] ^ g->key[1] ^ 0x1BD11BDAu};
    uint32_t x = (uint32_t)counter + key[0], y = (uint32_t)(counter >> 32) + key[1];
    for (uint32_t group = 1; group <= 5; group++) {
        for (int i = 0; i < 4; i++) {
            const int by = rotations[(group - 1) % 2][i];
            x += y;
            y = (y << by | y >> (32 - by)) ^ x;
        }
        x += key[group % 3];
        y += key[(group + 1) % 3] + group;
    }
    words[0] = x;
    words[1] = y;
}

static void fill_blocks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Generator* g = argument;
    const size_t size = (size_t)g->words * sizeof(uint32_t);
    for (int64_t i = begin; i < end; i++) {
        uint32_t words[kMaxWords];
        const size_t at = (size_t)i * size, left = g->bytes - at;
        g->block(g, g->counter + (uint64_t)i, words);
        memcpy(g->output + at, words, left < size ? left : size);
    }
}

static TfLiteStatus get_algorithm(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const LiteView* state,
                                  bool* is_threefry) {
    const TfLiteStablehloRngBitGeneratorParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", op);
    *is_threefry = params->algorithm == kTfLiteRngAlgorithmThreefry;
    if (!*is_threefry && params->algorithm != kTfLiteRngAlgorithmPhilox &&
        params->algorithm != kTfLiteRngAlgorithmDefault) {
        return lite_fail(context, "%s: algorithm %d is unknown", op, (int)params->algorithm);
    }
    const bool right = state->count == 2 || (state->count == 3 && !*is_threefry);
    if (right) return kTfLiteOk;
    return lite_fail(context, "%s: a state of %lld numbers, expected %s", op, (long long)state->count,
                     *is_threefry ? "2" : "2 or 3");
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView state, new_state, output;
    bool is_threefry;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 2));
    LITE_TRY(lite_kernel_input(context, node, op, 0, &state));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &new_state));
    LITE_TRY(lite_kernel_output(context, node, op, 1, &output));
    LITE_TRY(lite_check_types(context, op, "state", &state, LITE_TYPE(UInt64)));
    LITE_TRY(lite_check_same_type(context, op, &state, &new_state));
    LITE_TRY(lite_check_types(context, op, "output", &output,
                              LITE_TYPE(Int32) | LITE_TYPE(UInt32) | LITE_TYPE(Int64) | LITE_TYPE(UInt64)));
    if (state.shape.rank != 1 || !lite_shape_equal(&state.shape, &new_state.shape)) {
        return lite_fail(context, "%s: a state of %d dimensions and %lld numbers becomes one of %d and %lld",
                         op, state.shape.rank, (long long)state.count, new_state.shape.rank,
                         (long long)new_state.count);
    }
    LITE_TRY(get_algorithm(context, node, &state, &is_threefry));
    LITE_TRY(lite_kernel_resize(context, new_state.tensor, &state.shape));
    return lite_kernel_resize(context, output.tensor, &output.shape);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView state, new_state, output;
    bool is_threefry;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &state));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &new_state));
    LITE_TRY(lite_kernel_output(context, node, op, 1, &output));
    LITE_TRY(get_algorithm(context, node, &state, &is_threefry));
    if (new_state.bytes < state.bytes) return lite_fail(context, "%s: the new state is too small", op);
    uint64_t numbers[3] = {0}; // key, counter, and the rest of a long counter
    memcpy(numbers, state.data, (size_t)state.count * sizeof(uint64_t));
    const uint64_t upper = numbers[state.count == 3 ? 2 : 0];
    Generator g = {
        .key = {(uint32_t)numbers[0], (uint32_t)(numbers[0] >> 32)},
        .counter = numbers[1],
        .upper = {(uint32_t)upper, (uint32_t)(upper >> 32)},
        .words = is_threefry ? 2 : 4,
        .block = is_threefry ? threefry : philox,
        .output = output.data,
        .bytes = (size_t)output.count * lite_type_size(output.type),
    };
    const size_t size = (size_t)g.words * sizeof(uint32_t);
    const int64_t blocks = (int64_t)((g.bytes + size - 1) / size);
    lite_parallel_for(lite_kernel_num_threads(context), blocks, kGrain, fill_blocks, &g);
    numbers[1] += (uint64_t)blocks;
    memcpy(new_state.data, numbers, (size_t)state.count * sizeof(uint64_t));
    return kTfLiteOk;
}

const LiteKernel lite_kernel_STABLEHLO_RNG_BIT_GENERATOR = {.prepare = prepare, .invoke = invoke};
