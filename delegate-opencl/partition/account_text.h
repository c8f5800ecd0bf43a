// SPDX-License-Identifier: Apache-2.0
// The words of account.h: JSON, and lines.
#ifndef DELEGATE_OPENCL_PARTITION_ACCOUNT_TEXT_H_
#define DELEGATE_OPENCL_PARTITION_ACCOUNT_TEXT_H_

#include "core/base/text.h"
#include "delegate-opencl/partition/shared.h"

// A launch whose partition has gone, or has another plan now.
typedef struct LiteClAccountKernel {
    OcliteOpenclKernel kernel; // whose pointers are owned
} LiteClAccountKernel;

// false: out of memory.
bool lite_cl_account_kernel_init(LiteClAccountKernel* kept, const OcliteOpenclKernel* kernel);
void lite_cl_account_kernel_free(LiteClAccountKernel* kept);
// Adds the times if it is the same kernel for the same nodes.
bool lite_cl_account_kernel_add(LiteClAccountKernel* kept, const OcliteOpenclKernel* kernel);

// All that is known, as a document of JSON. The account's mutex is held, for the functions below too.
void lite_cl_account_json(LiteClShared* shared, LiteText* text);

void lite_cl_account_lines_of_device(const LiteClShared* shared, LiteText* text);
void lite_cl_account_lines_of_graph(LiteClShared* shared, int graph, LiteText* text);
void lite_cl_account_lines_of_times(LiteClShared* shared, LiteText* text);

#endif
