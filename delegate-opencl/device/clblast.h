// SPDX-License-Identifier: Apache-2.0
// CLBlast, a library of matrix products tuned for many devices, opened at run time: where it is missing,
// nobody misses it.
#ifndef DELEGATE_OPENCL_DEVICE_CLBLAST_H_
#define DELEGATE_OPENCL_DEVICE_CLBLAST_H_

#include "delegate-opencl/device/device.h"

// 0 in builds of selected operators, which do not use it.
#ifndef LITE_CL_HAS_CLBLAST
#define LITE_CL_HAS_CLBLAST 1
#endif

// A matrix in a buffer, row by row, without gaps.
typedef struct LiteClMatrix {
    bool transposed; // as it is stored
    size_t first;    // element
    size_t stride;   // elements from one matrix to the next of a batch
} LiteClMatrix;

// c = a * b, of rows x depth and depth x columns elements; `count` times. Of halves, which are also what sums
// are kept in, or floats.
typedef struct LiteClProduct {
    bool halves;
    size_t rows, depth, columns;
    LiteClMatrix a, b, c;
    size_t count;
} LiteClProduct;

// Buffers of a product: its operands, the result, and scratch memory.
enum { kLiteClProductScratch = 3, LITE_CL_PRODUCT_BUFFERS };

// Products that CLBlast has programs of their own for.
typedef enum LiteClClblastKind {
    kLiteClClblastFloats,
    kLiteClClblastHalves,
    kLiteClClblastBatches,
    kLiteClClblastHalfBatches
} LiteClClblastKind;

// Opens CLBlast, once in a process, and lets it compute a small product of that kind on the device, once for
// each, for which it compiles its kernels: that takes seconds. What it computes wrongly, or not at all, is
// not to be used. True, and then the functions below may be called, or false after a report.
bool lite_cl_clblast_has(LiteClDevice* device, LiteClClblastKind kind, const LiteReporter* reporter);

// "CLBlastSgemm", ...
const char* lite_cl_product_name(const LiteClProduct* product);
// Bytes of scratch memory; *bytes may become 0. Returns OpenCL's or CLBlast's error.
cl_int lite_cl_product_scratch(const LiteClProduct* product, cl_command_queue queue, size_t* bytes);
// Enqueues the product; the event, where one is wanted, is that of its last kernel. A program that CLBlast
// has to build for it is kept in the device's cache_folder.
cl_int lite_cl_product_enqueue(const LiteClDevice* device, const LiteClProduct* product,
                               const cl_mem buffers[LITE_CL_PRODUCT_BUFFERS], cl_command_queue queue,
                               cl_event* event);

// CLBlast keeps programs, and with them contexts, until the process ends. For the end of a device that it was
// opened for.
void lite_cl_clblast_forget(const LiteClDevice* device);

#endif
