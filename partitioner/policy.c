// SPDX-License-Identifier: Apache-2.0
// Which subsets are kept.
#include "partitioner/policy.h"

#include <stdlib.h>

#include "core/base/memory.h"

typedef struct Candidate {
    int64_t weight;
    int subset;
} Candidate;

static int heaviest_first(const void* left, const void* right) {
    const Candidate* a = left;
    const Candidate* b = right;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return a->subset < b->subset ? -1 : 1;
}

int lite_policy_choose(const LitePolicy* policy, const int* node_counts, const int64_t* weights,
                       int subset_count, bool* keep) {
    Candidate* candidates = lite_calloc((size_t)subset_count + 1, sizeof(Candidate));
    if (candidates == NULL) return -1;
    int count = 0;
    for (int s = 0; s < subset_count; s++) {
        if (keep[s] && node_counts[s] >= policy->min_nodes) {
            candidates[count++] = (Candidate){.weight = weights[s], .subset = s};
        }
        keep[s] = false;
    }
    qsort(candidates, (size_t)count, sizeof(Candidate), heaviest_first);
    if (policy->max_subsets >= 0 && count > policy->max_subsets) count = policy->max_subsets;
    for (int i = 0; i < count; i++) keep[candidates[i].subset] = true;
    lite_free(candidates);
    return count;
}
