// SPDX-License-Identifier: Apache-2.0
// Which way to compute a graph is the fastest: by trials, by what is kept of earlier ones, or by estimates.
#ifndef DELEGATE_OPENCL_PARTITION_MEASURE_H_
#define DELEGATE_OPENCL_PARTITION_MEASURE_H_

#include "delegate-opencl/partition/placing.h"

// Would the device be so much slower, by estimates, that a trial is not worth the compilation of its
// programs? Leaves the cut by cost.
TfLiteStatus lite_cl_measure_hope(LiteClPlacing* p, const LiteClMeasured* measured, bool* is_hopeless,
                                  const LiteReporter* reporter);

// What is measured of the graph, now or earlier; what could not be measured is estimated. The caller frees
// `measured`, unless this fails.
TfLiteStatus lite_cl_measure(LiteClPlacing* p, TfLiteContext* context, const char* key,
                             LiteClMeasured* measured, const LiteReporter* reporter);

// Of the ways that were measured the one that takes least; where none was, by p->result, the cut by cost.
LiteClWay lite_cl_measure_fastest(const LiteClPlacing* p, const LiteClMeasured* measured);

#endif
