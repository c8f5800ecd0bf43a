// SPDX-License-Identifier: Apache-2.0
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

void lite_policy_measure(const int* subset_of, int node_count, const int64_t* costs, int subset_count,
                         int* node_counts, int64_t* weights) {
    for (int s = 0; s < subset_count; ++s) {
        node_counts[s] = 0;
        if (weights) weights[s] = 0;
    }
    for (int n = 0; n < node_count; ++n) {
        const int s = subset_of[n];
        ++node_counts[s];
        if (!weights) continue;
        const int64_t cost = !costs ? 1 : costs[n] > 0 ? costs[n] : 0;
        weights[s] = weights[s] > INT64_MAX - cost ? INT64_MAX : weights[s] + cost;
    }
}

int lite_policy_choose(const LitePolicy* policy, const int* node_counts, const int64_t* weights,
                       int subset_count, bool* keep) {
    Candidate* candidates = lite_calloc((size_t)subset_count + 1, sizeof(Candidate));
    if (!candidates) return -1;
    int count = 0;
    for (int s = 0; s < subset_count; ++s) {
        if (keep[s] && node_counts[s] >= policy->min_nodes) {
            candidates[count++] = (Candidate){.weight = weights[s], .subset = s};
        }
        keep[s] = false;
    }
    qsort(candidates, (size_t)count, sizeof(Candidate), heaviest_first);
    if (policy->max_subsets >= 0 && count > policy->max_subsets) count = policy->max_subsets;
    for (int i = 0; i < count; ++i) keep[candidates[i].subset] = true;
    lite_free(candidates);
    return count;
}
