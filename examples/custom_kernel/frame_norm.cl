// SPDX-License-Identifier: Apache-2.0
/* oclite
   operator: FrameNorm
   input:    frames float32
   output:   normed like frames
   option:   epsilon float = 1e-5
   require:  frames.rank == 3
   kernel:   frame_norm(frames, normed, int frames.dims[2], float epsilon)
   work:     frames.dims[1], frames.dims[0]
*/

// Each row of frames [batches, rows, columns] gets mean 0 and deviation 1.
__kernel void frame_norm(__global const float* frames, __global float* normed, int columns, float epsilon) {
    const size_t row = (get_global_id(1) * get_global_size(0) + get_global_id(0)) * columns;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < columns; i++) sum += frames[row + i];
    const float mean = sum / columns;
    for (int i = 0; i < columns; i++) squares += (frames[row + i] - mean) * (frames[row + i] - mean);
    const float scale = 1.0f / sqrt(squares / columns + epsilon);
    for (int i = 0; i < columns; i++) normed[row + i] = (frames[row + i] - mean) * scale;
}
