// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/profile_message.h"

#include "oclite/oclite.h"
#include "tools/bench/table.h"
#include "tools/common/file.h"
#include "tools/common/protobuf.h"

// OpProfilingStat
static ToolProto stat_message(const ToolMoments* moments) {
    ToolProto proto = {0};
    tool_proto_integer(&proto, 1, (int64_t)moments->first);
    tool_proto_integer(&proto, 2, (int64_t)moments->last);
    tool_proto_integer(&proto, 3, (int64_t)moments->mean);
    tool_proto_float(&proto, 4, (float)tool_moments_deviation(moments));
    tool_proto_float(&proto, 5, (float)tool_moments_variance(moments));
    tool_proto_integer(&proto, 6, (int64_t)moments->min);
    tool_proto_integer(&proto, 7, (int64_t)moments->max);
    tool_proto_integer(&proto, 8, (int64_t)moments->sum);
    tool_proto_integer(&proto, 9, moments->count);
    return proto;
}

// Adds the rows of a table as OpProfileData, in the field of that number.
static void put_rows(ToolProto* proto, int field, const BenchTable* table) {
    for (int i = 0; i < table->count; i++) {
        const BenchRow* row = &table->rows[i];
        ToolProto op = {0};
        ToolProto times = stat_message(&row->microseconds);
        tool_proto_text(&op, 1, row->type);
        tool_proto_message(&op, 2, &times);
        tool_proto_integer(&op, 4, table->total.count > 0 ? row->microseconds.count / table->total.count : 0);
        tool_proto_text(&op, 5, row->name);
        tool_proto_integer(&op, 6, i);
        tool_proto_message(proto, field, &op);
    }
}

// Adds a SubGraphProfilingData to a ModelProfilingData.
static void put_subgraph(const Bench* bench, ToolProto* model, int subgraph, const BenchTable* table) {
    ToolProto proto = {0};
    tool_proto_text(&proto, 1, oclite_interpreter_subgraph_name(bench->session.interpreter, subgraph));
    tool_proto_integer(&proto, 2, subgraph);
    put_rows(&proto, 3, table);
    tool_proto_message(model, 1, &proto);
}

static ToolStatus put_runs(const Bench* bench, ToolProto* model, ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int s = 0; s < bench->profile.subgraph_count && status == kToolOk; s++) {
        if (s > 0 && bench->profile.totals[s].count == 0) continue;
        BenchTable table = {0};
        status = bench_table_nodes(bench, s, &table, message);
        put_subgraph(bench, model, s, &table);
        bench_table_free(&table);
    }
    if (status == kToolOk && bench->profile.kernel_count > 0) {
        BenchTable table = {0};
        ToolProto delegate = {0};
        status = bench_table_kernels(bench, &table, message);
        tool_proto_text(&delegate, 1, "oclite_opencl");
        put_rows(&delegate, 2, &table);
        tool_proto_message(model, 2, &delegate);
        bench_table_free(&table);
    }
    return status;
}

ToolStatus bench_put_profile(const Bench* bench, FILE* out, ToolMessage* message) {
    BenchTable table = {0};
    ToolProto init = {0};
    ToolProto runs = {0};
    ToolProto proto = {0};
    ToolStatus status = bench_table_init(bench, &table, message);
    put_subgraph(bench, &init, 0, &table);
    bench_table_free(&table);
    if (status == kToolOk) status = put_runs(bench, &runs, message);
    tool_proto_text(&proto, 1, bench->settings->graph);
    tool_proto_message(&proto, 2, &init);
    tool_proto_message(&proto, 3, &runs);
    if (status == kToolOk && proto.has_failed) status = tool_out_of_memory(message);
    if (status == kToolOk) fwrite(proto.data, 1, proto.size, out);
    tool_proto_free(&proto);
    return status;
}
