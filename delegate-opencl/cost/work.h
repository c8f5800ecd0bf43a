// SPDX-License-Identifier: Apache-2.0
// The work of a node, from its shapes, and how long it may take: for nodes that nobody has measured.
#ifndef DELEGATE_OPENCL_COST_WORK_H_
#define DELEGATE_OPENCL_COST_WORK_H_

#include "delegate-opencl/device/device.h"
#include "delegate-opencl/graph/graph.h"

// What bounds the rate of an operator.
typedef enum LiteClWorkKind {
    kLiteClWorkProduct,   // sums of products in tiles: convolutions, products of matrices
    kLiteClWorkRow,       // the same for a single row: reading the weights
    kLiteClWorkDepthwise, // sums of products of few neighbours
    kLiteClWorkSteps,     // steps that wait for each other: recurrent operators
    kLiteClWorkElements,  // each element by itself, or moved
    LITE_CL_WORK_KINDS
} LiteClWorkKind;

// A multiplication with an addition counts 2 operations. Bytes are those of the tensors, each read or written
// once. Tensors whose shapes are not known count as nothing.
typedef struct LiteClWork {
    LiteClWorkKind kind;
    double operations;
    double bytes;
    double steps; // of kLiteClWorkSteps, else 1
    bool quantized;
} LiteClWork;

LiteClWork lite_cl_work(const LiteClNode* node);

// The way of a tensor between the host's memory and the device's: bytes a nanosecond, 0: there is nothing to
// bring; and nanoseconds that each takes beside its bytes.
typedef struct LiteClTransfer {
    double rate;
    double latency;
} LiteClTransfer;

// How fast a side is, in operations and bytes a nanosecond, and nanoseconds.
typedef struct LiteClRates {
    double operations[LITE_CL_WORK_KINDS];
    double quantized; // times that for 8 bits
    double bytes;
    double node;      // of a node itself: a launch, a call
    double partition; // of a run of several: the way there and back
    LiteClTransfer to_device;
    LiteClTransfer to_host;
} LiteClRates;

// Estimated from what the processor and the device say of themselves: units, clock, vectors.
LiteClRates lite_cl_rates_of_host(int threads);
LiteClRates lite_cl_rates_of_device(const LiteClDevice* device);

// Nanoseconds.
int64_t lite_cl_work_time(const LiteClWork* work, const LiteClRates* rates);
int64_t lite_cl_transfer_time(double bytes, const LiteClTransfer* transfer);

#endif
