// SPDX-License-Identifier: Apache-2.0
// Brings the shapes and the plan of a partition up to date with its inputs.
#ifndef DELEGATE_OPENCL_PARTITION_PREPARE_H_
#define DELEGATE_OPENCL_PARTITION_PREPARE_H_

#include "delegate-opencl/partition/partition.h"

// Brings the plan, and the host's idea of the outputs' shapes, up to date with the inputs' shapes and
// parameters. Where parameters are known only in invoke, outputs become dynamic and the plan is built there.
TfLiteStatus lite_cl_partition_prepare(LiteClPartition* partition, TfLiteContext* context);
// In invoke: does the part that had to wait for parameters.
TfLiteStatus lite_cl_partition_prepare_late(LiteClPartition* partition, TfLiteContext* context);
// Is the plan up to date, so that prepare would have nothing to do?
bool lite_cl_partition_is_current(const LiteClPartition* partition, const TfLiteOpaqueContext* context);

#endif
