// SPDX-License-Identifier: Apache-2.0
// A line for each node and for each kernel on the device.
#include "oclite/oclite.h"
#include "tools/bench/bench.h"
#include "tools/file.h"

// In quotes, as RFC 4180 has them.
static void put_text(FILE* out, const char* text) {
    fputc('"', out);
    for (; *text; ++text) {
        if (*text == '"') fputc('"', out);
        fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    }
    fputc('"', out);
}

static void put_times(FILE* out, const ToolMoments* microseconds) {
    fprintf(out, ",%lld,%.6f,%.6f,%.6f,%.6f\r\n", (long long)microseconds->count, microseconds->mean * 1e-3,
            microseconds->min * 1e-3, microseconds->max * 1e-3, tool_moments_deviation(microseconds) * 1e-3);
}

static void put_nodes(FILE* out, const Bench* bench) {
    const ToolProfile* profile = &bench->profile;
    for (int i = 0; i < profile->row_count; ++i) {
        const ToolNodeTimes* times = &profile->rows[i];
        OcliteNode node;
        if (oclite_interpreter_node(bench->session.interpreter, times->subgraph, times->node, &node) !=
            kTfLiteOk) {
            continue;
        }
        fprintf(out, "node,%d,%d,", times->subgraph, times->node);
        put_text(out, node.op);
        fprintf(out, ",");
        put_times(out, &times->microseconds);
    }
}

static void put_kernels(FILE* out, const Bench* bench) {
    const ToolProfile* profile = &bench->profile;
    for (int i = 0; i < profile->kernel_count; ++i) {
        const ToolKernelTimes* kernel = &profile->kernels[i];
        fprintf(out, "kernel,%d,", kernel->graph);
        for (int n = 0; n < kernel->node_count; ++n) fprintf(out, "%s%d", n > 0 ? "+" : "", kernel->nodes[n]);
        fprintf(out, ",");
        put_text(out, kernel->op);
        fprintf(out, ",%s", kernel->kernel);
        put_times(out, &kernel->microseconds);
    }
}

ToolStatus bench_write_csv(const Bench* bench, ToolMessage* message) {
    ToolOutput output = {0};
    const ToolStatus status = tool_output_open(bench->settings->csv, &output, message);
    if (status != kToolOk) return status;
    fprintf(output.stream, "kind,graph,nodes,op,kernel,calls,mean_ms,min_ms,max_ms,deviation_ms\r\n");
    put_nodes(output.stream, bench);
    put_kernels(output.stream, bench);
    return tool_output_close(&output, status, message);
}
