// SPDX-License-Identifier: Apache-2.0
// What kernels of control flow may do with other subgraphs.
#ifndef CORE_GRAPH_HOST_H_
#define CORE_GRAPH_HOST_H_

#include "core/base/host.h"

void lite_host_fill(LiteHost* host);

#endif
