// SPDX-License-Identifier: Apache-2.0
// What a processor or an OpenCL device reaches, measured: about a second each, after compilation.
#ifndef TOOLS_PEAK_H_
#define TOOLS_PEAK_H_

#include "tensorflow/lite/c/common.h"
#include "tools/status.h"

// What `int8` is the rate of.
typedef enum ToolPeakBytes {
    kToolPeakDots,     // dot products of four bytes in a 32-bit sum, for which a device has an instruction
    kToolPeakIntegers, // multiply-adds of 32-bit integers, where OpenCL tells of no such instruction
    kToolPeakLibrary,  // products of matrices of the library's own (tools/product.h), where these are faster
} ToolPeakBytes;

// Per second; a multiply-add counts 2 operations. 0: not measured.
typedef struct ToolPeak {
    // Multiply-adds of vectors that stay in registers: what arithmetic units can do at most.
    double float32;
    double float16; // OpenCL with cl_khr_fp16
    // Multiply-adds of bytes. On CPUs compilers do not find the instructions for it, and the library does.
    double int8;
    ToolPeakBytes int8_from;
    // Bytes read and written by copying between two blocks of memory of `copy_bytes` bytes each.
    double bandwidth;
    double copy_bytes;
    // OpenCL, seconds: of one of many kernels of a single item that are enqueued one after the other, and of
    // enqueueing one and waiting for it.
    double launch;
    double round_trip;
} ToolPeak;

// Of the processor with so many threads, at least 1.
ToolStatus tool_peak_cpu(int threads, ToolPeak* peak, ToolMessage* message);

// Of an OpenCL delegate's device, in its context.
ToolStatus tool_peak_opencl(const TfLiteDelegate* delegate, ToolPeak* peak, ToolMessage* message);

#endif
