// SPDX-License-Identifier: Apache-2.0
// What the users of this folder hold. The fields are in graph.h, which is for the files of this folder.
#ifndef CORE_GRAPH_TYPES_H_
#define CORE_GRAPH_TYPES_H_

#include "core/model/model.h"
#include "tensorflow/lite/c/common.h"

// The subgraphs of one model with everything that changes while it runs. Several interpreters may share a
// model. Not thread-safe, except for lite_interpreter_cancel and lite_interpreter_invoke_async.
typedef struct LiteInterpreter LiteInterpreter;

// One graph of an interpreter: tensors, nodes, the plan in which nodes run, and memory. A plain inference
// runs subgraph 0, a signature the subgraph that it names. Functions that fail report through the
// interpreter's reporter.
//
// Where a tensor's memory is:
//   constants          in the model (kTfLiteMmapRo), also those that are listed as graph inputs
//   graph inputs       in buffers of their own, which keep address and contents until they are resized
//   variables          (kTfLiteArenaRwPersistent) in buffers of their own, zero after each allocation
//   dynamic tensors    (kTfLiteDynamic) on the heap; a kernel's invoke sizes them. So are strings
//   all others         in arenas. Tensors share memory when they are not alive at the same time, so only
//                      kernels may read what is not a graph output
typedef struct LiteSubgraph LiteSubgraph;

// An operator of a subgraph, or a delegate's kernel in the place of several.
typedef struct LiteNode LiteNode;
typedef struct LiteMethods LiteMethods;

#endif
