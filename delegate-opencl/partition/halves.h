// SPDX-License-Identifier: Apache-2.0
// Whether tensors that are stored as float16 make an inference faster, which is measured.
#ifndef DELEGATE_OPENCL_PARTITION_HALVES_H_
#define DELEGATE_OPENCL_PARTITION_HALVES_H_

#include "delegate-opencl/partition/partition.h"

typedef struct LiteClHalvesTimes {
    uint64_t with_ns; // of an inference
    uint64_t without_ns;
} LiteClHalvesTimes;

// So much shorter that it is no matter of chance.
static inline bool lite_cl_halves_pay(const LiteClHalvesTimes* times) {
    return times->with_ns < times->without_ns - times->without_ns / 32;
}

// Runs inferences on the inputs that there are in which these nodes store float16, and others in which they
// do not. Afterwards, also after a failure, they want to, and the plan has to be built again.
TfLiteStatus lite_cl_halves_compare(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                    LiteClNode* const* nodes, int count, LiteClHalvesTimes* times,
                                    const LiteReporter* reporter);

// Can an inference be repeated? States and variables would change again, executions in flight would be lost,
// and the host does not see what is in buffers of the program.
bool lite_cl_is_repeatable(const LiteClPartition* partition, const TfLiteOpaqueContext* context);

// Tells the host, once for each delegate, where the program has asked for float16 on a device that does not
// offer it.
void lite_cl_halves_check_offer(const LiteClPartition* partition, const LiteReporter* reporter);

// The same where it is slower, which the first inference of a delegate measures where the device offers it.
TfLiteStatus lite_cl_halves_check_time(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                       const LiteReporter* reporter);

#endif
