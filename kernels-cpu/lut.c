// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/lut.h"

#include <math.h>
#include <string.h>

#include "core/base/quant.h"

// To an integer within [low, high]; NaN becomes 0.
static int32_t to_integer(float x, int32_t low, int32_t high) {
    if (isnan(x)) return 0;
    if (x <= (float)low) return low;
    if (x >= (float)high) return high;
    return (int32_t)x;
}

void lite_lut16(const LiteView* input, const LiteView* output, LiteFunction function, float alpha,
                int16_t table[LITE_LUT16_SIZE]) {
    const int steps = LITE_LUT16_SIZE - 1;
    const float input_min = input->scale * (float)(INT16_MIN - input->zero_point);
    const float input_max = input->scale * (float)(INT16_MAX - input->zero_point);
    const float output_min = output->scale * (float)(INT16_MIN - output->zero_point);
    const float output_max = output->scale * (float)(INT16_MAX - output->zero_point);
    const float step = (input_max - input_min) / (float)steps;
    const float half_step = step / 2.0f;
    const float inverse_scale = 65536.0f / (output_max - output_min);
    for (int i = 0; i < steps; i++) {
        const float x = input_min + (float)i * step;
        const float value = function(x, alpha);
        const float middle = function(x + half_step, alpha);
        const float next = function(input_min + (float)(i + 1) * step, alpha);
        // Half of the error in the middle of the step is taken off the ends.
        const float sample = roundf(value * inverse_scale);
        const float interpolated = roundf((next * inverse_scale + sample) / 2.0f);
        const float bias = roundf((interpolated - roundf(middle * inverse_scale)) / 2.0f);
        table[i] = (int16_t)to_integer(sample - bias, INT16_MIN, INT16_MAX);
    }
    const float last = roundf(function(input_max, alpha) * inverse_scale);
    table[steps] = (int16_t)to_integer(last, INT16_MIN, INT16_MAX);
}

const uint16_t lite_sigmoid_table[256] = {
    32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498, 40149, 40794, 41432, 42064,
    42688, 43304, 43912, 44511, 45102, 45683, 46255, 46817, 47369, 47911, 48443, 48964, 49475, 49975, 50464,
    50942, 51409, 51865, 52311, 52745, 53169, 53581, 53983, 54374, 54755, 55125, 55485, 55834, 56174, 56503,
    56823, 57133, 57433, 57724, 58007, 58280, 58544, 58800, 59048, 59288, 59519, 59743, 59959, 60168, 60370,
    60565, 60753, 60935, 61110, 61279, 61441, 61599, 61750, 61896, 62036, 62172, 62302, 62428, 62549, 62666,
    62778, 62886, 62990, 63090, 63186, 63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835, 63903, 63968,
    64030, 64090, 64148, 64204, 64257, 64308, 64357, 64405, 64450, 64494, 64536, 64576, 64614, 64652, 64687,
    64721, 64754, 64786, 64816, 64845, 64873, 64900, 64926, 64950, 64974, 64997, 65019, 65039, 65060, 65079,
    65097, 65115, 65132, 65149, 65164, 65179, 65194, 65208, 65221, 65234, 65246, 65258, 65269, 65280, 65291,
    65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360, 65367, 65374, 65381, 65387, 65393, 65399, 65404,
    65410, 65415, 65420, 65425, 65429, 65433, 65438, 65442, 65445, 65449, 65453, 65456, 65459, 65462, 65465,
    65468, 65471, 65474, 65476, 65479, 65481, 65483, 65485, 65488, 65489, 65491, 65493, 65495, 65497, 65498,
    65500, 65501, 65503, 65504, 65505, 65507, 65508, 65509, 65510, 65511, 65512, 65513, 65514, 65515, 65516,
    65517, 65517, 65518, 65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524, 65525, 65525,
    65526, 65526, 65526, 65527, 65527, 65528, 65528, 65528, 65529, 65529, 65529, 65529, 65530, 65530, 65530,
    65530, 65531, 65531, 65531, 65531, 65531, 65532, 65532, 65532, 65532, 65532, 65532, 65533, 65533, 65533,
    65533, 65533, 65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534,
    65535,
};
