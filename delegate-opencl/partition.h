// SPDX-License-Identifier: Apache-2.0
// The kernel of a delegated partition: the node by which the host replaces the nodes that were taken.
#ifndef DELEGATE_OPENCL_PARTITION_H_
#define DELEGATE_OPENCL_PARTITION_H_

#include "tensorflow/lite/c/common.h"

TfLiteRegistration lite_cl_partition_registration(void);

#endif
