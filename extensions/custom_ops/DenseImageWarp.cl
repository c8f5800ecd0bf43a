// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator: DenseImageWarp
   input:    image float32
   input:    flow float32
   output:   warped like image
   require:  image.rank == 4 && flow.rank == 4 && flow.dims[3] == 2
   require:  image.dims[0] == flow.dims[0] && image.dims[1] == flow.dims[1] && image.dims[2] == flow.dims[2]
   require:  image.dims[1] >= 2 && image.dims[2] >= 2
   kernel:   warp(image, flow, warped, int image.dims[1], int image.dims[2], int image.dims[3])
   work:     image.dims[3], image.dims[2], image.dims[0] * image.dims[1]
*/

// Item: a channel of a pixel. Places outside of the image are moved to its border, NaN to its first pixel.
__kernel void warp(__global const float* image, __global const float* flow, __global float* warped,
                   int height, int width, int channels) {
    const int c = get_global_id(0), x = get_global_id(1), row = get_global_id(2);
    const long pixel = (long)row * width + x;
    const float py = row % height - flow[2 * pixel], px = x - flow[2 * pixel + 1];
    const float top = fmin(fmax(0.0f, floor(py)), (float)(height - 2));
    const float left = fmin(fmax(0.0f, floor(px)), (float)(width - 2));
    const float part_y = fmin(fmax(0.0f, py - top), 1.0f), part_x = fmin(fmax(0.0f, px - left), 1.0f);
    image += (((long)(row / height) * height + (int)top) * width + (int)left) * channels + c;
    const float a = image[0], b = image[channels];
    const float d = image[(long)width * channels], e = image[(long)(width + 1) * channels];
    const float above = part_x * (b - a) + a, below = part_x * (e - d) + d;
    warped[pixel * channels + c] = part_y * (below - above) + above;
}
