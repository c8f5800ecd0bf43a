// SPDX-License-Identifier: Apache-2.0
// Places the nodes of a graph on two sides, a host and a device, so that an inference takes the least time,
// given what each node costs on either side and what moving tensors between them costs. Integers in, integers
// out: it knows nothing of models and operators, and serves any delegate.
//
//     // Two nodes in a row: x -> node 0 -> y -> node 1 -> z. Moving a tensor costs 5 us.
//     const int32_t start[] = {0, 1, 2}, inputs[] = {0, 1}, outputs[] = {1, 2};
//     const int64_t host[] = {900000, 2000}, device[] = {100000, OCLITE_PARTITION_NEVER};
//     const int64_t move[] = {5000, 5000, 5000};
//     const bool wanted[] = {false, false, true};
//     const OclitePartitionProblem problem = {
//         .size = sizeof problem, .node_count = 2, .tensor_count = 3, .input_start = start, .inputs = inputs,
//         .output_start = start, .outputs = outputs, .host_ns = host, .device_ns = device,
//         .to_device_ns = move, .to_host_ns = move, .wanted_outside = wanted, .partition_ns = 20000};
//     OclitePartitionResult result = {.size = sizeof result};
//     int32_t partition_of[2];
//     if (oclite_partition(&problem, kOclitePartitionCost, partition_of, &result) != kOclitePartitionOk) {
//         printf("%s\n", oclite_partition_last_error());
//     }
//     // partition_of is {0, -1}, result.total_ns 132000, result.host_ns 902000.
//
// What a placement is. Each node is on the host or on the device. The nodes of the device are cut into
// partitions, which run as one each: into the fewest that can be executed one after the other and keep the
// order of the graph. A node waits for the last writer of each tensor it reads, for all earlier readers and
// writers of each tensor it writes, and for the nodes of control pairs. Along these edges every node gets an
// epoch, the earliest that is not before those it waits for, odd ones for the device, even ones for the host.
// An odd epoch is a partition.
//
//     epoch      1             2         3            device: a, b, d       host: c
//
//         x ---> a -----p----> c ---q--> d ---> z     partition 0: a, b     partition 1: d
//                |                       ^
//                '--r--> b -------s------'
//
// What it costs is the sum of
// - host_ns or device_ns of each node, where it is placed;
// - to_device_ns of each tensor, once for each partition that reads what was written outside of it: on the
//   host, in another partition, or by nobody (inputs of the graph and constants);
// - to_host_ns of each tensor, once for each time that a partition writes it for somebody outside of that
//   partition: a node of the host, another partition, or, if it is the last time that it is written,
//   whoever is told of by wanted_outside. Partitions exchange tensors through the host;
// - partition_ns for each partition.
// In the picture: device_ns of a, b and d, host_ns of c, 2 partition_ns; partition 0 pays to_device_ns of x
// and to_host_ns of p and s, partition 1 to_device_ns of q and s and, if it is wanted outside, to_host_ns of
// z. Nothing is paid for r, which stays in partition 0.
//
// Several devices have no problem of their own yet. Delegates are applied one after the other, and each
// places what those before it have left, with their kernels as nodes of the host: the next problem has one
// node for each partition of the last one (OCLITE_PARTITION_NEVER on the device), with its inputs and
// outputs, in the place of that partition's nodes. No step makes an inference slower, by the costs; but the
// result is not the best placement on three sides. docs/PARTITIONING.md says what it is, and where a better
// one would go: a later version adds fields behind the last ones, which `size` tells from this one.
//
// All functions may be called on any thread. They keep nothing but the message of the thread's last error.
#ifndef OCLITE_PARTITION_H_
#define OCLITE_PARTITION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// In host_ns and device_ns: this side cannot run the node.
#define OCLITE_PARTITION_NEVER INT64_C(-1)

// Times are in nanoseconds, or in any other unit that is the same everywhere. None is negative, and the sum
// of all that a placement can cost stays below 2^62: a time may not be above 2^62 divided by 1 + 2 node_count
// + the number of inputs and outputs of all nodes.
typedef struct OclitePartitionProblem {
    size_t size; // the caller's sizeof(OclitePartitionProblem); lets later versions add fields at the end
    int32_t node_count; // in the order of execution
    int32_t tensor_count;
    // The inputs of node n are inputs[input_start[n]] to inputs[input_start[n + 1] - 1], indices of tensors.
    // Negative ones are absent. The same holds for the outputs. The starts have node_count + 1 elements.
    const int32_t* input_start;
    const int32_t* inputs;
    const int32_t* output_start;
    const int32_t* outputs;
    // Node control_to[c] runs after control_from[c], which has a smaller index. By such pairs the caller
    // orders nodes with side effects, and those that use the same variable or resource.
    int32_t control_count;
    const int32_t* control_from;
    const int32_t* control_to;
    const int64_t* host_ns;      // of each node; OCLITE_PARTITION_NEVER: it is always on the device
    const int64_t* device_ns;    // of each node; OCLITE_PARTITION_NEVER: it is always on the host
    const int64_t* to_device_ns; // of each tensor; 0 for constants that the device keeps. NULL: all 0
    const int64_t* to_host_ns;   // of each tensor. NULL: all 0
    // Of each node: nodes with the same number go to the same side, because they run as one there. Negative:
    // the node is in no group. NULL: there are no groups.
    const int32_t* group_of;
    const bool* wanted_outside; // of each tensor: the host needs it in the end. NULL: none
    int64_t partition_ns;       // what a partition costs beside its nodes: enqueueing, waiting
    // Limits. A node that only the device can run, alone or for its group, is on the device whatever they
    // are: a partition with such a node may be smaller, and if these nodes alone make more partitions, then
    // their number is the limit.
    int32_t max_partitions; // 0: no limit
    int32_t min_nodes;      // a partition has at least so many nodes
} OclitePartitionProblem;

typedef enum OclitePartitionMode {
    kOclitePartitionCost = 0,   // the placement that costs least
    kOclitePartitionGreedy = 1, // every node that the device can run; of the partitions that are large enough
                                // the max_partitions largest ones, of equal ones the earlier
    kOclitePartitionAll = 2,    // every node that the device can run; where there are limits, as Greedy
    kOclitePartitionNone = 3,   // only nodes that the host cannot run
    // For a host that goes on while the device works: that placement of those that are tried with which an
    // inference ends first. The host hands a partition over, executes what does not wait for it, and waits
    // for it before the first node that does and before the next partition. What leads to a partition it
    // executes first. total_ns is when both sides have ended; a partition takes the time of its nodes and
    // transfers, and partition_ns. It is never above total_ns of the other modes. Tried are the placements of
    // the other modes, with branches of the graph on other sides (docs/PARTITIONING.md).
    kOclitePartitionOverlap = 4,
} OclitePartitionMode;

typedef struct OclitePartitionResult {
    size_t size; // the caller's sizeof(OclitePartitionResult)
    int64_t total_ns;
    int64_t host_ns; // what the placement of mode None costs
    int64_t all_ns;  // what it costs when the device runs every node that it can, whatever the limits
    int32_t partition_count;
    // Whether it is known that no placement within the limits costs less. It is known in mode Cost for all
    // graphs of up to 16 nodes and, in practice, for large ones of few branches.
    bool exact;
} OclitePartitionResult;

typedef enum OclitePartitionStatus {
    kOclitePartitionOk = 0,
    kOclitePartitionBadGraph = 1,   // an index out of range, an order that is none, a missing array
    kOclitePartitionBadCost = 2,    // a time that is negative or too large
    kOclitePartitionImpossible = 3, // a node, or a group, that neither side can run
    kOclitePartitionNoMemory = 4,
} OclitePartitionStatus;

// Places the nodes. partition_of has room for node_count numbers and receives for each node the number of its
// partition, in the order of execution, or -1 for the host. `result` may be NULL. Equal arguments give equal
// results. In mode Cost the placement is never worse than those of modes Greedy, All and None. On failure
// nothing is written.
TFL_CAPI_EXPORT extern OclitePartitionStatus oclite_partition(const OclitePartitionProblem* problem,
                                                              OclitePartitionMode mode, int32_t* partition_of,
                                                              OclitePartitionResult* result);

// Says what a given placement costs, for example that with one more node on the device: on_device has
// node_count elements. A node on a side that cannot run it, or a group on both, is
// kOclitePartitionImpossible; limits do not matter. partition_of, as above, and `result`, whose `exact` is
// false, may be NULL.
TFL_CAPI_EXPORT extern OclitePartitionStatus oclite_partition_price(const OclitePartitionProblem* problem,
                                                                    const bool* on_device,
                                                                    int32_t* partition_of,
                                                                    OclitePartitionResult* result);

// Returns what the calling thread's last call of the two has found wrong, where, and with which value; "" if
// nothing. Never returns NULL. The text is valid until the thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_partition_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
