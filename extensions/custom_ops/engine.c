// SPDX-License-Identifier: Apache-2.0
#include "extensions/custom_ops/engine.h"

#include <stdlib.h>

#define MODULUS UINT64_C(2147483647)
#define RANGE (MODULUS - 1) // draws are in [1, RANGE]

// In [0, RANGE).
static uint64_t draw(LiteCustomEngine* engine) {
    engine->state = (uint32_t)(engine->state * UINT64_C(16807) % MODULUS);
    return engine->state - 1;
}

float lite_custom_engine_float(LiteCustomEngine* engine) {
    const float value = (float)draw(engine) / (float)RANGE;
    return value < 1.0f ? value : 0x1.fffffep-1f;
}

double lite_custom_engine_double(LiteCustomEngine* engine) {
    const double low = (double)draw(engine), high = (double)draw(engine);
    const double value = (low + high * (double)RANGE) / ((double)RANGE * (double)RANGE);
    return value < 1.0 ? value : 0x1.fffffffffffffp-1;
}

// In [0, highest]. Draws that would make some numbers more probable than others are left out.
static uint64_t draw_up_to(LiteCustomEngine* engine, uint64_t highest) {
    uint64_t value, high;
    if (highest == RANGE - 1) return draw(engine);
    if (highest < RANGE) {
        const uint64_t part = (RANGE - 1) / (highest + 1);
        do value = draw(engine);
        while (value >= part * (highest + 1));
        return value / part;
    }
    // More than a draw has: it is the low digit.
    do {
        high = RANGE * draw_up_to(engine, highest / RANGE);
        value = high + draw(engine);
    } while (value > highest || value < high);
    return value;
}

int64_t lite_custom_engine_integer(LiteCustomEngine* engine, int64_t low, int64_t high) {
    return (int64_t)((uint64_t)low + draw_up_to(engine, (uint64_t)high - (uint64_t)low));
}

void* lite_custom_engine_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    LiteCustomEngine* engine = calloc(1, sizeof(*engine));
    if (engine != NULL) engine->state = 1;
    return engine;
}

void lite_custom_engine_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    free(data);
}
