// SPDX-License-Identifier: Apache-2.0
// The measured peak of a processor or an OpenCL device. Measuring takes about a second each, after
// compilation.
#ifndef TOOLS_COMMON_PEAK_H_
#define TOOLS_COMMON_PEAK_H_

// What `int8` is the rate of.
typedef enum ToolPeakBytes {
    kToolPeakDots,     // dot products of four bytes in a 32-bit sum, for which a device has an instruction
    kToolPeakIntegers, // multiply-adds of 32-bit integers, where OpenCL tells of no such instruction
    kToolPeakLibrary,  // products of matrices of the library's own (tools/common/matmul_rate.h), where these
                       // are faster
} ToolPeakBytes;

// Rates per second; a multiply-add counts 2 operations. 0: not measured.
typedef struct ToolPeak {
    // Multiply-adds of vectors that stay in registers: the limit of the arithmetic units.
    double float32;
    double float16; // OpenCL with cl_khr_fp16
    // Multiply-adds of bytes. On CPUs the library's own products are measured, because compilers do not find
    // the instructions.
    double int8;
    ToolPeakBytes int8_from;
    // Bytes read and written by copying between two blocks of memory of `copy_bytes` bytes each.
    double bandwidth;
    double copy_bytes;
    // OpenCL, in seconds: the time of one of many kernels of a single work-item that are enqueued one after
    // the other, and the time to enqueue one and wait for it.
    double launch;
    double round_trip;
} ToolPeak;

#endif
