// SPDX-License-Identifier: Apache-2.0
// What the delegate has done, for users who ask by an option: lines on the standard error (verbose), a file
// of JSON (report). The file is whole after each change: when the delegate is created, when it has decided
// about a graph, after the first inference of a partition, when a partition ends, and when the delegate does.
#ifndef DELEGATE_OPENCL_PARTITION_ACCOUNT_H_
#define DELEGATE_OPENCL_PARTITION_ACCOUNT_H_

#include "delegate-opencl/partition/shared.h"

// Opens the file. An error, after a report, where it cannot be written.
TfLiteStatus lite_cl_account_init(LiteClAccount* account, bool verbose, const char* path,
                                  const LiteReporter* reporter);
void lite_cl_account_destroy(LiteClAccount* account);

// Does anybody want to know?
bool lite_cl_account_is_open(const LiteClAccount* account);

// The functions below do nothing where nobody wants to know.

// Tells of the delegate, which has been made. Reports a file that cannot be written.
TfLiteStatus lite_cl_account_begin(LiteClShared* shared, const LiteReporter* reporter);
// Tells of the graph, about whose nodes all has been decided.
void lite_cl_account_decided(LiteClShared* shared, int graph, const LiteReporter* reporter);
// Writes the file, after a partition's first inference, and when one has ended.
void lite_cl_account_update(LiteClShared* shared);
// Keeps the times of a partition's launches, which are about to go.
void lite_cl_account_keep(LiteClShared* shared, const LiteClProfile* profile);
// Tells of what is over: the times, and failures.
void lite_cl_account_end(LiteClShared* shared);

#endif
