// SPDX-License-Identifier: Apache-2.0
// Filters that remember: each filter's last products are its state, oldest first. Item: a unit of a batch.
//
// Prelude, of the integer form: QUANTIZED, STATE (the type of state and weights of time)
#include "kernels-cl/args/activation.h"
#include "kernels-cl/args/svdf.h"
#include "kernels-cl/common/common.cl"

#ifndef QUANTIZED
KERNEL svdf(ITEM const LiteClSvdfArgs a, const __global float* restrict products,
            const __global float* restrict time, const __global float* restrict bias,
            __global float* restrict state, __global float* restrict y) {
    const int unit = get_global_id(0), batch = get_global_id(1);
    if (unit >= a.units || batch >= a.batches) return;
    float sum = bias[unit];
    for (int filter = unit * a.rank; filter < (unit + 1) * a.rank; filter++) {
        __global float* memory = state + (batch * a.units * a.rank + filter) * a.memory;
        const __global float* w = time + filter * a.memory;
        float product = 0.0f;
        for (int m = 0; m < a.memory - 1; m++) {
            memory[m] = memory[m + 1];
            product += w[m] * memory[m];
        }
        memory[a.memory - 1] = products[batch * a.width + filter];
        sum += product + w[a.memory - 1] * memory[a.memory - 1];
    }
    const LiteClActivation f = a.activation;
    y[batch * a.units + unit] = f.function == LITE_CL_TANH      ? tanh(sum)
                                : f.function == LITE_CL_SIGMOID ? 1.0f / (1.0f + exp(-sum))
                                : f.low > -INFINITY             ? fmin(fmax(sum, f.low), f.high)
                                                                : sum; // NaN as on the host
}
#else
KERNEL svdf(ITEM const LiteClSvdfArgs a, const __global char* restrict x,
            const __global char* restrict features, const __global STATE* restrict time,
            const __global int* restrict bias, __global STATE* restrict state, __global char* restrict y) {
    const int unit = get_global_id(0), batch = get_global_id(1);
    if (unit >= a.units || batch >= a.batches) return;
    x += batch * a.depth;
    uint sum = (uint)bias[unit];
    for (int filter = unit * a.rank; filter < (unit + 1) * a.rank; filter++) {
        __global STATE* memory = state + (batch * a.units * a.rank + filter) * a.memory;
        const __global STATE* w = time + filter * a.memory;
        uint dot = 0;
        for (int i = 0; i < a.depth; i++) dot += (uint)((x[i] - a.zero_x) * features[filter * a.depth + i]);
        const int newest = add_sat(multiply((int)dot, a.to_state), a.zero_state);
        for (int m = 0; m < a.memory - 1; m++) {
            memory[m] = memory[m + 1];
            sum += (uint)(w[m] * (memory[m] - a.zero_state));
        }
        memory[a.memory - 1] = (STATE)clamp(newest, a.state_low, a.state_high);
        sum += (uint)(w[a.memory - 1] * (memory[a.memory - 1] - a.zero_state));
    }
    const int result = (int)((uint)multiply((int)sum, a.to_output) + (uint)a.zero_y);
    y[batch * a.units + unit] = (char)clamp(result, CHAR_MIN, CHAR_MAX);
}
#endif
