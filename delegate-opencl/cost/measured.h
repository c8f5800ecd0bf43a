// SPDX-License-Identifier: Apache-2.0
// What was measured of a graph: its nodes on either side, and whole inferences of its model. The process
// keeps it with the device, and cache_dir for later processes.
#ifndef DELEGATE_OPENCL_COST_MEASURED_H_
#define DELEGATE_OPENCL_COST_MEASURED_H_

#include "delegate-opencl/plan/profile.h"

// Times are nanoseconds; -1: not measured. Nodes are those of the host's graph, by index.
typedef struct LiteClMeasured {
    int node_count;
    int64_t* host;     // a node that runs others with it has their time, and they 0
    int64_t* device;   // likewise
    int32_t* together; // nodes of one number are launched together; -1: alone
    // Whole inferences of the model: with no node on the device, with all that it can run, and as costs say.
    int64_t host_run;
    int64_t all_run;
    int64_t chosen_run;
    int64_t overlapped_run; // the same, with the host at work while the device is
    int64_t partition;      // what a partition costs beside its launches
} LiteClMeasured;

// Makes room for so many nodes, of which nothing is measured. false: out of memory.
bool lite_cl_measured_init(LiteClMeasured* measured, int node_count);
void lite_cl_measured_free(LiteClMeasured* measured); // accepts a zeroed one

// Adds the times of a partition's launches: means of all their runs.
void lite_cl_measured_add(LiteClMeasured* measured, const LiteClProfile* profile);

// Sets measured->partition by measured->all_run, a whole inference, which says more than the sum of its
// nodes, timed one by one: `host` on the host and `device` in so many partitions. What it takes beyond them
// is what partitions cost. What is more than `most` for each is between the launches, or another program's
// work, and belongs to all nodes on the device alike, whose times it makes longer; and so does what it takes
// less, which makes them shorter. By no more than the double and the half.
void lite_cl_measured_fit(LiteClMeasured* measured, double host, double device, int partitions, double most);

// What is kept under a key (lite_cl_measured_key), a copy that the caller frees; false where there is none
// for so many nodes.
bool lite_cl_measured_find(LiteClDevice* device, const char* key, int node_count, LiteClMeasured* measured);
// Keeps a copy. What cannot be kept is measured again. That nothing could be measured only this process
// keeps.
void lite_cl_measured_keep(LiteClDevice* device, const char* key, const LiteClMeasured* measured);
// The key of a graph: all that decides how long its nodes take. `threads` are the host's. Owned by the
// caller; NULL when out of memory.
char* lite_cl_measured_key(const LiteClGraph* graph, const bool* supported, LiteClPrecision precision,
                           int threads);

#endif
