// SPDX-License-Identifier: Apache-2.0
// Placements without a search: by what the sides can run, by sizes, and with what does not pay taken back.
#ifndef PARTITIONER_GREEDY_H_
#define PARTITIONER_GREEDY_H_

#include "partitioner/price.h"

// Only the nodes that the host cannot run are on the device.
void lite_place_none(const LiteProblem* problem, bool* on_device);
// All nodes that the device can run are.
void lite_place_all(const LiteProblem* problem, bool* on_device);

// Of a placement, with its cut, takes as many partitions back to the host as the limits want, by
// lite_policy_choose. What remains is within the limits: that of lite_place_none where nothing else is.
OclitePartitionStatus lite_keep_largest(const LiteProblem* problem, int limit, const LiteCut* cut,
                                        bool* on_device);

// Takes all partitions back to the host that cost more than their nodes do there. Partitions with parts of
// one group go together. A placement within the limits remains so.
OclitePartitionStatus lite_drop_losses(const LiteProblem* problem, const LiteCut* cut, bool* on_device);

#endif
