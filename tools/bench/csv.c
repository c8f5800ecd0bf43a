// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/csv.h"

#include "oclite/oclite.h"
#include "tools/bench/roofline.h"
#include "tools/common/file.h"

// Prints a text in quotes, as RFC 4180 demands.
static void put_text(FILE* out, const char* text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    }
    fputc('"', out);
}

static void put_times(FILE* out, const ToolMoments* microseconds) {
    fprintf(out, ",%lld,%.6f,%.6f,%.6f,%.6f", (long long)microseconds->count, microseconds->mean * 1e-3,
            microseconds->min * 1e-3, microseconds->max * 1e-3, tool_moments_deviation(microseconds) * 1e-3);
}

// Leaves out what is not known.
static void put_rate(FILE* out, const BenchRate* rate) {
    if (rate->operations >= 0) fprintf(out, ",%.0f,%.0f,%.4f", rate->operations, rate->bytes, rate->gflops);
    if (rate->operations < 0) fprintf(out, ",,%.0f,", rate->bytes);
    fprintf(out, ",%.4f", rate->gigabytes);
    if (rate->share >= 0) fprintf(out, ",%.2f,%s\r\n", rate->share, rate->roof);
    if (rate->share < 0) fprintf(out, ",,\r\n");
}

static void put_nodes(FILE* out, const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    for (int i = 0; i < profile->row_count; i++) {
        const BenchNodeTimes* times = &profile->rows[i];
        OcliteNode node;
        if (!bench_profile_node(profile, bench->session.interpreter, i, &node)) continue;
        fprintf(out, "node,%d,", times->subgraph);
        if (bench_joined_node(bench, i) >= 0) fprintf(out, "%d+", bench_joined_node(bench, i));
        fprintf(out, "%d,", times->node);
        put_text(out, node.op);
        fprintf(out, ",");
        put_times(out, &times->microseconds);
        const BenchRate rate = bench_rate_node(bench, i);
        put_rate(out, &rate);
    }
}

static void put_operator(FILE* out, const char* kind, const BenchKernelTimes* kernel) {
    fprintf(out, "%s,%d,", kind, kernel->launch.graph);
    for (int n = 0; n < kernel->launch.node_count; n++)
        fprintf(out, "%s%d", n > 0 ? "+" : "", kernel->launch.nodes[n]);
    fprintf(out, ",");
    put_text(out, kernel->launch.op);
}

static void put_operators(FILE* out, const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    for (int k = 0; k < profile->kernel_count; k = bench_next_operator(profile, k)) {
        const BenchRate rate = bench_rate_operator(bench, k);
        put_operator(out, "operator", &profile->kernels[k]);
        fprintf(out, ",,%lld,%.6f,,,", (long long)profile->kernels[k].microseconds.count, rate.milliseconds);
        put_rate(out, &rate);
    }
}

static void put_kernels(FILE* out, const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    for (int i = 0; i < profile->kernel_count; i++) {
        const BenchKernelTimes* kernel = &profile->kernels[i];
        put_operator(out, "kernel", kernel);
        fprintf(out, ",%s", kernel->launch.kernel);
        put_times(out, &kernel->microseconds);
        fprintf(out, ",,,,,,\r\n");
    }
}

ToolStatus bench_write_csv(const Bench* bench, ToolMessage* message) {
    ToolOutput output = {0};
    const ToolStatus status = tool_output_open(bench->settings->csv, &output, message);
    if (status != kToolOk) return status;
    fprintf(output.stream,
            "kind,graph,nodes,op,kernel,calls,mean_ms,min_ms,max_ms,deviation_ms,operations,bytes,gflops,"
            "gb_per_s,roof_percent,roof\r\n");
    put_nodes(output.stream, bench);
    put_operators(output.stream, bench);
    put_kernels(output.stream, bench);
    return tool_output_close(&output, status, message);
}
