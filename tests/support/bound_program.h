// SPDX-License-Identifier: Apache-2.0
// A program that runs a model on OpenCL and binds tensors to buffers of its own, for tests of such buffers.
// What fails where it should not ends the test.
#ifndef TESTS_SUPPORT_BOUND_PROGRAM_H_
#define TESTS_SUPPORT_BOUND_PROGRAM_H_

#include "delegate-opencl/device/cl.h"
#include "tests/support/graph_fixture.h"

// Elements and bytes of each tensor.
enum { kBoundCount = 64, kBoundBytes = kBoundCount * sizeof(float) };

// Tensor 3 = (2 x)^2, x being tensor 0.
ModelBuilder* bound_whole_model(void);
// The same in tensor 3, and the host's own nodes: 2 = 2 x, by Twice, and 4 = 2 (2 x)^2.
ModelBuilder* bound_mixed_model(void);

typedef struct BoundProgram {
    Fixture f;
    TfLiteDelegate* delegate;
    cl_context context;
    cl_command_queue queue; // of the program, to fill and look at buffers
    const LiteCl* cl;
} BoundProgram;

// The delegate must outlive the program. The first form creates one, for the caller to delete.
void bound_open(BoundProgram* p, ModelBuilder* model);
void bound_open_with(BoundProgram* p, ModelBuilder* model, TfLiteDelegate* delegate);
void bound_close(BoundProgram* p);

const TfLiteTensor* bound_tensor(const BoundProgram* p, int index);

// A buffer for the caller to release; `count` floats of it become `value`; kBoundCount equal floats of it are
// read.
cl_mem bound_buffer(const BoundProgram* p, cl_mem_flags flags, size_t bytes);
void bound_fill(const BoundProgram* p, cl_mem memory, size_t offset, int count, float value);
float bound_value(const BoundProgram* p, cl_mem memory, size_t offset);

// Binds a tensor to a whole buffer. Expects that a binding is refused with a message that has `why` in it.
void bound_bind(const BoundProgram* p, int index, cl_mem memory);
void bound_expect_refused(const BoundProgram* p, int index, cl_mem memory, size_t offset, size_t bytes,
                          const char* why);

#endif
