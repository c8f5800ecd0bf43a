// SPDX-License-Identifier: Apache-2.0
// One operator on an OpenCL device against plain C: random data, the comparison, and devices of several
// classes.
#ifndef TESTS_SUPPORT_OPENCL_OP_CASE_H_
#define TESTS_SUPPORT_OPENCL_OP_CASE_H_

#include "tensorflow/lite/c/builtin_op_data.h"
#include "tests/support/delegate_host.h"

enum { kOpElements = 200000 };
extern float op_data_a[kOpElements], op_data_b[kOpElements], op_data_c[kOpElements], op_expected[kOpElements];

void op_case_random(float* data, int count); // -2 to 2
TfLiteFusedActivation op_case_activation(void);
int op_case_elements(int rank, const int* dims);
float op_case_clamp(float x, TfLiteFusedActivation activation);

typedef struct OpImage {
    int n, h, w, c;
} OpImage;

// 0 outside of the image.
float op_case_pixel(const float* data, OpImage image, int n, int y, int x, int c);

// A variable; `data` gets random contents for it, which op_case_compare writes into it after prepare.
int op_case_input(DelegateHost* host, int rank, const int* dims, float* data);
int op_case_output(DelegateHost* host);

// Delegates, prepares and runs; the output has to have `count` elements near those in op_expected. Ends the
// host.
void op_case_compare(DelegateHost* host, int input, const float* input_data, int output, int count);

// Set-ups of cmocka groups: the device as it is; as a GPU, with small tiles, work-groups of many items and
// memory of its own; as a CPU with narrow registers.
int op_case_open(void** state);
int op_case_open_as_gpu(void** state);
int op_case_open_with_local_tiles(void** state); // as a GPU with fast local memory
int op_case_open_as_narrow_cpu(void** state);
int op_case_close(void** state);

#endif
