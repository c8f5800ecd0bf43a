// SPDX-License-Identifier: Apache-2.0
// The runs as trace events, which Perfetto and chrome://tracing show. Host and device are two processes of
// the trace.
#ifndef TOOLS_VIEW_TRACE_H_
#define TOOLS_VIEW_TRACE_H_

#include <stdio.h>

#include "tools/view/subject.h"

void view_print_trace(FILE* out, const ViewSubject* subject);

#endif
