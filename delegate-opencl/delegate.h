// SPDX-License-Identifier: Apache-2.0
// The delegate object.
#ifndef DELEGATE_OPENCL_DELEGATE_H_
#define DELEGATE_OPENCL_DELEGATE_H_

#include "core/base/status.h"
#include "core/base/telemetry.h"
#include "delegate-opencl/binding.h"
#include "delegate-opencl/device.h"
#include "delegate-opencl/graph.h"
#include "delegate-opencl/health.h"
#include "delegate-opencl/options.h"
#include "delegate-opencl/profile.h"

// A delegate with the given options, which it takes over, also on failure (NULL, after a report).
TfLiteDelegate* lite_cl_delegate_create(LiteClOptions* options, const LiteReporter* reporter);
void lite_cl_delegate_delete(TfLiteDelegate* delegate);

LiteClDevice* lite_cl_delegate_device(const TfLiteDelegate* delegate);
const LiteClOptions* lite_cl_delegate_options(const TfLiteDelegate* delegate);
LiteClBindings* lite_cl_delegate_bindings(const TfLiteDelegate* delegate);
LiteClHealth* lite_cl_delegate_health(const TfLiteDelegate* delegate);
LiteClProfiler* lite_cl_delegate_profiler(const TfLiteDelegate* delegate);
atomic_size_t* lite_cl_delegate_memory(const TfLiteDelegate* delegate); // bytes on the device
// All nodes of the host's graph that is being delegated, for partitions of it that are made now; else NULL.
const LiteClGraph* lite_cl_delegate_graph(const TfLiteDelegate* delegate, const TfLiteContext* context);

// Remembers which nodes of a partition store halves now, for those who ask for explanations.
void lite_cl_delegate_note_precisions(const TfLiteDelegate* delegate, const LiteClGraph* partition);

// Reports through the host's error reporter.
LiteReporter lite_cl_context_reporter(TfLiteContext* context);

#endif
