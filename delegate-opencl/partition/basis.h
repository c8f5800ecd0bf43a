// SPDX-License-Identifier: Apache-2.0
// What a placement by cost rests on: the sizes of the graph's inputs, and what an inference takes.
#ifndef DELEGATE_OPENCL_PARTITION_BASIS_H_
#define DELEGATE_OPENCL_PARTITION_BASIS_H_

#include "core/base/trial.h"
#include "delegate-opencl/graph/graph.h"

typedef struct LiteClSized {
    int tensor;
    int64_t elements;
} LiteClSized;

// Nanoseconds of an inference, as measured; -1: not known.
typedef struct LiteClExpected {
    int64_t inference_ns;
    int64_t host_ns; // with nothing on the device, where something is
} LiteClExpected;

// All zero it rests on nothing, and holds for ever.
typedef struct LiteClBasis {
    char* key; // of what was measured, owned; NULL: nothing was
    LiteClExpected expected;
    int input_count;
    LiteClSized* inputs; // owned
    bool has_changed;    // when memory was last given to the graph, inputs had other sizes than these
} LiteClBasis;

typedef enum LiteClBasisState {
    kLiteClBasisHolds,
    kLiteClBasisResized, // an input is more than twice as large, or less than half
    kLiteClBasisSlow, // inferences take over a fifth longer than expected, or a twentieth than the host alone
} LiteClBasisState;

// Without memory it holds for ever.
void lite_cl_basis_note(LiteClBasis* basis, const LiteClGraph* graph, const LiteClExpected* expected);
// `use` is of the inferences until now. Inferences may always take longer than those on trial, if what they
// compute depends on the inputs: after a revision that does not count any more.
LiteClBasisState lite_cl_basis_check(LiteClBasis* basis, TfLiteContext* context, const LiteGraphUse* use,
                                     int revisions);
void lite_cl_basis_free(LiteClBasis* basis);

#endif
