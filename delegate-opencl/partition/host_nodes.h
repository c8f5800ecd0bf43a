// SPDX-License-Identifier: Apache-2.0
// The nodes of a partition as the host would compute them, for hosts that do not take nodes back from a
// delegate: its kernels are called here, and tensors between the nodes get memory.
#ifndef DELEGATE_OPENCL_PARTITION_HOST_NODES_H_
#define DELEGATE_OPENCL_PARTITION_HOST_NODES_H_

#include <stdbool.h>

#include "core/base/status.h"
#include "tensorflow/lite/c/common.h"

typedef struct LiteClHostNodes {
    struct LiteClHostNode* nodes; // in the order of the plan
    int count;
    int prepared;                  // so many are prepared for the present shapes
    const TfLiteIntArray* outputs; // of the partition; the host's
} LiteClHostNodes;

// Notes the nodes that `params` lists. Only while the host delegates. The host's arrays and data stay the
// host's.
TfLiteStatus lite_cl_host_nodes_read(LiteClHostNodes* nodes, TfLiteContext* context,
                                     const TfLiteDelegateParams* params, const LiteReporter* reporter);
void lite_cl_host_nodes_free(LiteClHostNodes* nodes);

// As prepare and invoke of a kernel. Failures have been reported.
TfLiteStatus lite_cl_host_nodes_prepare(LiteClHostNodes* nodes, TfLiteContext* context);
TfLiteStatus lite_cl_host_nodes_invoke(LiteClHostNodes* nodes, TfLiteContext* context);

#endif
