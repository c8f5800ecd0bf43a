// SPDX-License-Identifier: Apache-2.0
// Placements for a host that goes on while the device works. Branches are sought where the graph divides:
// between two nodes that every other node either leads to or comes from, the rest falls apart into branches
// that do not know of each other.
//
//         .-- b -- c --.
//     a --+            +-- f       a and f are such nodes; {b, c} and {d, e} are branches
//         '-- d -- e --'
//
// From a known placement one branch after the other goes as a whole to the side where an inference ends
// earlier, in the order and after the time of timeline.h.
#ifndef PARTITIONER_OVERLAP_H_
#define PARTITIONER_OVERLAP_H_

#include "partitioner/price.h"

// How long an inference takes with a placement, whose cut is in *cut afterwards.
OclitePartitionStatus lite_overlap_span(const LiteProblem* problem, const bool* on_device, int limit,
                                        LiteCut* cut, int64_t* span);

// Changes the placement so that it takes less, if it can; *span is what it takes then. It has to be one
// within the limits.
OclitePartitionStatus lite_overlap_improve(const LiteProblem* problem, bool* on_device, int limit,
                                           LiteCut* cut, int64_t* span);

#endif
