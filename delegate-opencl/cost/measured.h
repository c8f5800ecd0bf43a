// SPDX-License-Identifier: Apache-2.0
// What was measured of a graph: its nodes on either side, and whole inferences of its model. The process
// keeps it with the device, and cache_dir for later processes.
#ifndef DELEGATE_OPENCL_COST_MEASURED_H_
#define DELEGATE_OPENCL_COST_MEASURED_H_

#include "delegate-opencl/plan/profile.h"

// How a graph can be computed.
typedef enum LiteClWay {
    kLiteClHost,       // no node is on the device that the host can run
    kLiteClAll,        // all are that the device can run
    kLiteClChosen,     // those for which the sum of all times is least
    kLiteClOverlapped, // the host is at work while the device is
    kLiteClWays
} LiteClWay;

// Times are nanoseconds; -1: not measured. Nodes are those of the host's graph, by index.
typedef struct LiteClMeasured {
    int node_count;
    int64_t* host;            // a node that runs others with it has their time, and they 0
    int64_t* device;          // likewise
    int32_t* together;        // nodes of one number are launched together; -1: alone
    int64_t run[kLiteClWays]; // whole inferences of the model
    int64_t partition;        // what a partition costs beside its launches
    int64_t checks;           // how many later processes have looked whether the two best are in order
    int32_t untried;          // bits of ways that promise something, for which there was no time yet
} LiteClMeasured;

// Makes room for so many nodes, of which nothing is measured. false: out of memory.
bool lite_cl_measured_init(LiteClMeasured* measured, int node_count);
void lite_cl_measured_free(LiteClMeasured* measured); // accepts a zeroed one

// Adds the times of a partition's launches: means of all their runs.
void lite_cl_measured_add(LiteClMeasured* measured, const LiteClProfile* profile);

// Sets measured->partition by measured->run[kLiteClAll], a whole inference, which says more than the sum of
// its nodes, timed one by one: `host` on the host and `device` in so many partitions. What it takes beyond
// them is what partitions cost. What is more than `most` for each is between the launches, or another
// program's work, and belongs to all nodes on the device alike, whose times it makes longer; and so does what
// it takes less, which makes them shorter. By no more than the double and the half.
void lite_cl_measured_fit(LiteClMeasured* measured, double host, double device, int partitions, double most);

// Sets the times of the nodes on the host so that they are measured->run[kLiteClHost] together: nobody timed
// them then. Not where that is half or double of what they take: then it was more than this graph, or less.
void lite_cl_measured_fit_host(LiteClMeasured* measured);

// What is kept under a key (lite_cl_measured_key), a copy that the caller frees; false where there is none
// for so many nodes.
bool lite_cl_measured_find(LiteClDevice* device, const char* key, int node_count, LiteClMeasured* measured);
// Keeps a copy, `lasting` for later processes, too. What cannot be kept is measured again. That nothing could
// be measured only this process keeps.
void lite_cl_measured_keep(LiteClDevice* device, const char* key, const LiteClMeasured* measured,
                           bool lasting);
// The key of a graph: all that decides how long its nodes take. `threads` are the host's. Owned by the
// caller; NULL when out of memory.
char* lite_cl_measured_key(const LiteClGraph* graph, const bool* supported, LiteClPrecision precision,
                           int threads);

#endif
