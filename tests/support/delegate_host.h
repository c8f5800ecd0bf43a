// SPDX-License-Identifier: Apache-2.0
// A minimal host of a delegate. It has tensors and nodes in fixed arrays, the callbacks of TfLiteContext that
// delegates use, and no kernels. All taken nodes become one partition.
//
// The memory of each tensor ends at an unreadable page: a kernel that reads past the end crashes.
#ifndef TESTS_SUPPORT_DELEGATE_HOST_H_
#define TESTS_SUPPORT_DELEGATE_HOST_H_

#include <stdbool.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/common.h"

enum { HOST_TENSORS = 48, HOST_NODES = 24 };

typedef struct DelegateHost {
    TfLiteContext context; // the first field: callbacks get the host from its address
    TfLiteTensor tensors[HOST_TENSORS];
    int tensor_count;
    TfLiteNode nodes[HOST_NODES];
    TfLiteRegistration registrations[HOST_NODES];
    int node_count;
    TfLiteIntArray* plan;
    TfLiteRegistration partition; // what the delegate registered
    TfLiteNode partition_node;
    TfLiteIntArray* taken; // the nodes that the delegate asked for; NULL for none
    int extra_output;
    char message[2048]; // the last report
} DelegateHost;

void host_init(DelegateHost* host);
void host_free(DelegateHost* host);

// Add a tensor. `data` is copied; when it is NULL, the tensor has memory of its own that is filled with a
// pattern.
int host_variable(DelegateHost* host, int rank, const int* dims);
int host_constant(DelegateHost* host, TfLiteType type, int rank, const int* dims, const void* data);

// Changes an input's shape, as a user's resize does.
void host_resize(DelegateHost* host, int tensor, int rank, const int* dims);

// Adds a node; `params` must outlive the host. Inputs of -1 are absent.
int host_node(DelegateHost* host, int builtin_code, const char* custom_name, void* params, int input_count,
              const int* inputs, int output);

// Applies the delegate and makes its partition. The inputs of the partition are all variables that taken
// nodes read and none of them writes. Its outputs are all tensors that taken nodes write and none of them
// reads, and the tensor `extra_output` (-1: none).
TfLiteStatus host_delegate(DelegateHost* host, TfLiteDelegate* delegate, int extra_output);
TfLiteStatus host_prepare(DelegateHost* host);
TfLiteStatus host_invoke(DelegateHost* host);

// Returns whether there is an OpenCL device; prints why not.
bool host_has_opencl(void);

static inline float* host_floats(DelegateHost* host, int tensor) {
    return host->tensors[tensor].data.f;
}
int host_elements(const DelegateHost* host, int tensor);

#endif
