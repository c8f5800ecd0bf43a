// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/profile_output.h"

#include <string.h>

#include "oclite/oclite.h"
#include "tools/bench/profile_message.h"
#include "tools/bench/table.h"
#include "tools/common/file.h"

static ToolStatus print_init(const Bench* bench, FILE* out, bool as_csv, ToolMessage* message) {
    BenchTable table = {0};
    ToolStatus status = bench_table_init(bench, &table, message);
    fprintf(out, "Profiling Info for Benchmark Initialization:\n");
    if (status == kToolOk) status = bench_table_print(out, &table, as_csv, message);
    bench_table_print_total(out, &table);
    fprintf(out, "\n");
    bench_table_free(&table);
    return status;
}

static void print_head(const Bench* bench, FILE* out, int subgraph) {
    if (subgraph == 0) fprintf(out, "Primary graph (name: ");
    if (subgraph != 0) fprintf(out, "Subgraph (index: %d, name: ", subgraph);
    tool_put_name(out, oclite_interpreter_subgraph_name(bench->session.interpreter, subgraph));
    fprintf(out, ") ");
}

static ToolStatus print_subgraphs(const Bench* bench, FILE* out, bool as_csv, ToolMessage* message) {
    ToolStatus status = kToolOk;
    bool has_others = false;
    const int count = bench->profile.subgraph_count;
    for (int s = 1; s < count; s++) has_others |= bench->profile.totals[s].count > 0;
    for (int s = 0; s < count && status == kToolOk; s++) {
        if (s > 0 && bench->profile.totals[s].count == 0) continue;
        BenchTable table = {0};
        if (has_others) print_head(bench, out, s);
        if (has_others) fprintf(out, "profile:\n");
        status = bench_table_nodes(bench, s, &table, message);
        if (status == kToolOk) status = bench_table_print(out, &table, as_csv, message);
        if (s > 0) print_head(bench, out, s);
        bench_table_print_total(out, &table);
        bench_table_free(&table);
    }
    return status;
}

static ToolStatus print_kernels(const Bench* bench, FILE* out, bool as_csv, ToolMessage* message) {
    if (bench->profile.kernel_count == 0) return kToolOk;
    BenchTable table = {0};
    ToolStatus status = bench_table_kernels(bench, &table, message);
    fprintf(out, "Delegate internal: \n");
    if (status == kToolOk) status = bench_table_print(out, &table, as_csv, message);
    bench_table_print_total(out, &table);
    bench_table_free(&table);
    return status;
}

static ToolStatus print_profile(const Bench* bench, FILE* out, ToolMessage* message) {
    if (strcmp(bench->settings->profile_mode, "proto") == 0) {
        return bench_put_profile(bench, out, message);
    }
    const bool as_csv = strcmp(bench->settings->profile_mode, "csv") == 0;
    ToolStatus status = print_init(bench, out, as_csv, message);
    fprintf(out, "Operator-wise Profiling Info for Regular Benchmark Runs:\n");
    if (status == kToolOk) status = print_subgraphs(bench, out, as_csv, message);
    if (status == kToolOk) status = print_kernels(bench, out, as_csv, message);
    fprintf(out, "\n");
    return status;
}

ToolStatus bench_write_profile(const Bench* bench, ToolMessage* message) {
    const char* path = bench->settings->profile_file;
    if (path == NULL || !*path) return print_profile(bench, bench->log, message);
    ToolOutput output = {0};
    ToolStatus status = tool_output_open(path, &output, message);
    if (status != kToolOk) return status;
    status = print_profile(bench, output.stream, message);
    return tool_output_close(&output, status, message);
}
