// SPDX-License-Identifier: Apache-2.0
// A profile in the form of the reference's tables.
#ifndef TOOLS_BENCH_TABLE_H_
#define TOOLS_BENCH_TABLE_H_

#include <stdio.h>

#include "tools/bench/bench.h"
#include "tools/common/statistics.h"

typedef struct BenchRow {
    char* type; // "CONV_2D"
    char* name; // "[outputs]:node"
    ToolMoments microseconds;
    double memory_kb;
} BenchRow;

typedef struct BenchTable {
    BenchRow* rows; // in the order of execution
    int count;
    ToolMoments total; // of all rows in an inference
} BenchTable;

// Release with bench_table_free, which accepts {0}. kToolFile: out of memory.
//
// Makes a table of what happened before the first inference: delegates and allocation.
ToolStatus bench_table_init(const Bench* bench, BenchTable* table, ToolMessage* message);
// Makes a table of the nodes of a subgraph that have run.
ToolStatus bench_table_nodes(const Bench* bench, int subgraph, BenchTable* table, ToolMessage* message);
// Makes a table of the kernels on the device.
ToolStatus bench_table_kernels(const Bench* bench, BenchTable* table, ToolMessage* message);
void bench_table_free(BenchTable* table);

// Print "Run Order", "Top by Computation Time", "Summary by node type", and the sums.
ToolStatus bench_table_print(FILE* out, const BenchTable* table, bool as_csv, ToolMessage* message);
void bench_table_print_total(FILE* out, const BenchTable* table);

#endif
