// SPDX-License-Identifier: Apache-2.0
// Pixels of an image at places (x, y), interpolated between four neighbours; what is outside counts as zero.
// Item: a place.
#include "kernels-cl/args/resampler.h"
#include "kernels-cl/common/common.cl"

KERNEL resample(ITEM const LiteClResamplerArgs a, const __global float* restrict image,
                const __global float* restrict warp, __global float* restrict y) {
    const int point = get_global_id(0);
    if (point >= a.points) return;
    const float2 at = vload2(point, warp), low = floor(at), part = at - low;
    const bool inside = at.x > -1.0f && at.y > -1.0f && at.x < (float)a.width && at.y < (float)a.height;
    const int left = inside ? (int)low.x : -2, top = inside ? (int)low.y : -2;
    image += point / a.image_points * a.height * a.width * a.channels;
    y += point * a.channels;
    for (int c = 0; c < a.channels; c++) y[c] = 0.0f;
    for (int corner = 0; corner < 4; corner++) {
        const int iy = top + corner / 2, ix = left + corner % 2;
        if (iy < 0 || iy >= a.height || ix < 0 || ix >= a.width) continue;
        const float weight =
            (corner / 2 == 0 ? 1.0f - part.y : part.y) * (corner % 2 == 0 ? 1.0f - part.x : part.x);
        for (int c = 0; c < a.channels; c++) y[c] += weight * image[(iy * a.width + ix) * a.channels + c];
    }
}
