// SPDX-License-Identifier: Apache-2.0
// The measured peak of a processor or an OpenCL device. Measuring takes about a second each, after
// compilation.
#ifndef TOOLS_COMMON_PEAK_H_
#define TOOLS_COMMON_PEAK_H_

#include <stdbool.h>
#include <stddef.h>

// What `int8` is the rate of.
typedef enum ToolPeakBytes {
    kToolPeakDots,     // dot products of bytes in a 32-bit sum, for which a device has an instruction
    kToolPeakIntegers, // multiply-adds of 32-bit integers, where OpenCL tells of no such instruction
    kToolPeakLibrary,  // products of matrices of the library's own (tools/common/matmul_rate.h), where these
                       // are faster
} ToolPeakBytes;

enum { kToolPeakCopies = 8 };

// Copies between two blocks that have `bytes` bytes together; the rate counts bytes read and written.
typedef struct ToolPeakCopy {
    double bytes;
    double rate;
} ToolPeakCopy;

// Rates per second; a multiply-add counts 2 operations. 0: not measured.
typedef struct ToolPeak {
    // Multiply-adds of vectors that stay in registers: the limit of the arithmetic units.
    double float32;
    double float32_least; // of the same measurement some times later: much less on a machine that is busy
    double products;      // of floats by other instructions: on CPUs with AMX as sums of BFLOAT16
    double float16;       // OpenCL with cl_khr_fp16
    // Multiply-adds of bytes: by instructions, on CPUs written out, because compilers do not find them.
    double int8;
    ToolPeakBytes int8_from;
    double int8_vectors; // of CPUs: without tiles, which only products of matrices can use
    // From blocks that fit into the nearest cache to such that fit into none, each four times as large as the
    // one before. `bandwidth` is the rate of the largest.
    ToolPeakCopy copies[kToolPeakCopies];
    int copy_count;
    double bandwidth;
    // OpenCL, in seconds: the time of one of many kernels of a single work-item that are enqueued one after
    // the other, and the time to enqueue one and wait for it.
    double launch;
    double round_trip;
} ToolPeak;

// Returns how many bytes can be moved in a second at most by a node that moves `bytes`: the best rate of
// copies of as many bytes (the next smaller size that was measured) or more. What a node reads may still lie
// in a cache, so less data has a higher limit.
double tool_peak_bandwidth(const ToolPeak* peak, double bytes);

// Returns the bytes of the blocks of copy `index` of kToolPeakCopies, when the largest has `most` bytes.
size_t tool_peak_copy_bytes(size_t most, int index);

// Adds the rate of the next larger size.
void tool_peak_add_copy(ToolPeak* peak, double bytes, double rate);

// Adds one more measurement of `float32`.
void tool_peak_add_float32(ToolPeak* peak, double rate);

// Returns whether measurements of the same differ so much that something else computes on the machine.
bool tool_peak_is_busy(const ToolPeak* peak);

#endif
