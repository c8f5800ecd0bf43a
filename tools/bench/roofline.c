// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/roofline.h"

#include <math.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/bench/delegates.h"
#include "tools/common/element.h"
#include "tools/common/ints.h"
#include "tools/common/kernel_copy.h"
#include "tools/common/op_cost.h"
#include "tools/common/peak_cpu.h"
#include "tools/common/peak_opencl.h"

static bool find_node(const Bench* bench, int subgraph, int index, OcliteNode* node) {
    return oclite_interpreter_node(bench->session.interpreter, subgraph, index, node) == kTfLiteOk;
}

static const TfLiteTensor* tensor_at(const Bench* bench, int subgraph, int tensor) {
    return tensor < 0 ? NULL : oclite_interpreter_tensor(bench->session.interpreter, subgraph, tensor);
}

// Returns whether a node computes with bytes: the first input of quantized nodes says so.
static bool is_of_bytes(const Bench* bench, int subgraph, const OcliteNode* node) {
    const TfLiteTensor* tensor = node->input_count > 0 ? tensor_at(bench, subgraph, node->inputs[0]) : NULL;
    return tensor != NULL && (tensor->type == kTfLiteInt8 || tensor->type == kTfLiteUInt8);
}

// Returns what a node's arithmetic is held against. Only products of matrices may be faster than vectors.
static double arithmetic_peak(const Bench* bench, int subgraph, const OcliteNode* node,
                              const ToolPeak* peak) {
    const bool bytes = is_of_bytes(bench, subgraph, node);
    switch (node->builtin_code) {
    case kTfLiteBuiltinConv2d:
    case kTfLiteBuiltinConv3d:
    case kTfLiteBuiltinFullyConnected:
    case kTfLiteBuiltinTransposeConv:
        return bytes ? peak->int8 : fmax(peak->float32, peak->products);
    default:
        if (bytes) return peak->int8_vectors > 0 ? peak->int8_vectors : peak->int8;
        return peak->float32;
    }
}

static void compare(BenchRate* rate, const ToolPeak* peak, double arithmetic, int launches) {
    const double seconds = rate->milliseconds * 1e-3;
    if (rate->operations < 0 || (rate->operations > 0 && !(arithmetic > 0)) || !(peak->bandwidth > 0)) return;
    const double compute = rate->operations > 0 ? rate->operations / arithmetic : 0;
    const double memory = rate->bytes / tool_peak_bandwidth(peak, rate->bytes);
    const double launch = peak->launch * launches;
    const double least = fmax(fmax(compute, memory), launch);
    rate->roof = least > launch ? (compute > memory ? "compute" : "memory") : "launch";
    rate->share = seconds > 0 ? least / seconds * 100 : 0;
}

static BenchRate make_rate(double milliseconds, double operations, double bytes) {
    BenchRate rate = {.milliseconds = milliseconds,
                      .operations = operations,
                      .bytes = bytes,
                      .gflops = -1,
                      .share = -1,
                      .roof = ""};
    if (!(milliseconds > 0)) return rate;
    if (operations >= 0) rate.gflops = operations / milliseconds * 1e-6;
    rate.gigabytes = bytes / milliseconds * 1e-6;
    return rate;
}

// A node may be called several times in an inference.
static double per_inference(const Bench* bench, const ToolMoments* microseconds) {
    const double runs = (double)bench->runs.moments.count;
    return runs > 0 ? microseconds->sum / runs * 1e-3 : 0;
}

// The tensor may have no memory of its own inside of a delegate.
static double bytes_of(const TfLiteTensor* tensor) {
    const double elements = tool_op_cost_elements(tensor);
    return elements >= 0 ? elements * (double)tool_element_tensor_bytes(tensor->type, 8) / 8 : 0;
}

// Returns twice the bytes of the tensors between these nodes.
static double inner_bytes(const Bench* bench, int subgraph, const int* nodes, int count) {
    double bytes = 0;
    for (int from = 0; from < count; from++) {
        OcliteNode giver;
        if (!find_node(bench, subgraph, nodes[from], &giver)) continue;
        for (int to = from + 1; to < count; to++) {
            OcliteNode taker;
            if (!find_node(bench, subgraph, nodes[to], &taker)) continue;
            for (int o = 0; o < giver.output_count; o++) {
                const TfLiteTensor* tensor = tensor_at(bench, subgraph, giver.outputs[o]);
                if (tensor != NULL && tool_ints_contain(taker.inputs, taker.input_count, giver.outputs[o])) {
                    bytes += 2 * bytes_of(tensor);
                }
            }
        }
    }
    return bytes;
}

int bench_joined_node(const Bench* bench, int row) {
    const BenchProfile* profile = &bench->profile;
    const BenchNodeTimes* times = &profile->rows[row];
    const int* plan = NULL;
    int length = 0;
    oclite_interpreter_plan(bench->session.interpreter, times->subgraph, &plan, &length);
    for (int step = 1; step < length; step++) {
        if (plan[step] != times->node) continue;
        OcliteNode before;
        OcliteNode node;
        const int place = profile->first_rows[times->subgraph] + plan[step - 1];
        if (place >= profile->first_rows[times->subgraph + 1] || profile->index[place] >= 0) return -1;
        if (!find_node(bench, times->subgraph, plan[step - 1], &before) ||
            !find_node(bench, times->subgraph, times->node, &node)) {
            return -1;
        }
        const bool is_read =
            before.output_count == 1 && tool_ints_contain(node.inputs, node.input_count, before.outputs[0]);
        return is_read ? plan[step - 1] : -1;
    }
    return -1;
}

BenchRate bench_rate_node(const Bench* bench, int row) {
    const BenchNodeTimes* times = &bench->profile.rows[row];
    const int joined = bench_joined_node(bench, row);
    const int nodes[] = {joined, times->node};
    const ToolOpCostSum work = tool_op_cost_sum(bench->session.interpreter, times->subgraph,
                                                joined < 0 ? nodes + 1 : nodes, joined < 0 ? 1 : 2);
    const double inner = joined < 0 ? 0 : inner_bytes(bench, times->subgraph, nodes, 2);
    const double calls = (double)times->microseconds.count / fmax(1, (double)bench->runs.moments.count);
    BenchRate rate = make_rate(per_inference(bench, &times->microseconds),
                               work.unknown_count > 0 ? -1 : work.operations * calls,
                               (work.bytes_read + work.bytes_written - inner) * calls);
    OcliteNode node;
    if (!bench->has_peaks || !find_node(bench, times->subgraph, times->node, &node)) return rate;
    const bool is_on_device = node.is_delegate && bench_opencl(bench) != NULL;
    OcliteNode first = node;
    if (node.is_delegate && node.replaced_count > 0) {
        find_node(bench, times->subgraph, node.replaced[0], &first);
    }
    if (node.is_delegate && !is_on_device) return rate; // of a library: nothing is known of its device
    const ToolPeak* peak = is_on_device ? &bench->device_peak : &bench->cpu_peak;
    compare(&rate, peak, arithmetic_peak(bench, times->subgraph, &first, peak), 0);
    return rate;
}

int bench_next_operator(const BenchProfile* profile, int first) {
    int next = first + 1;
    while (next < profile->kernel_count &&
           tool_kernel_copy_same_nodes(&profile->kernels[first].launch, &profile->kernels[next].launch))
        next++;
    return next;
}

BenchRate bench_rate_operator(const Bench* bench, int first) {
    const BenchProfile* profile = &bench->profile;
    const BenchKernelTimes* kernel = &profile->kernels[first];
    const int next = bench_next_operator(profile, first);
    double milliseconds = 0;
    for (int k = first; k < next; k++)
        milliseconds += per_inference(bench, &profile->kernels[k].microseconds);
    // Only for the main graph it is known which of the delegate's graphs it is.
    if (kernel->launch.graph != 0 || kernel->launch.node_count == 0) return make_rate(milliseconds, -1, 0);
    const ToolOpCostSum work =
        tool_op_cost_sum(bench->session.interpreter, 0, kernel->launch.nodes, kernel->launch.node_count);
    const double bytes = work.bytes_read + work.bytes_written -
                         inner_bytes(bench, 0, kernel->launch.nodes, kernel->launch.node_count);
    BenchRate rate = make_rate(milliseconds, work.unknown_count > 0 ? -1 : work.operations, fmax(bytes, 0));
    OcliteNode node;
    if (bench->has_peaks && find_node(bench, 0, kernel->launch.nodes[0], &node)) {
        const double arithmetic = arithmetic_peak(bench, 0, &node, &bench->device_peak);
        compare(&rate, &bench->device_peak, arithmetic, next - first);
    }
    return rate;
}

ToolStatus bench_measure_peaks(Bench* bench, ToolMessage* message) {
    ToolStatus status = tool_peak_cpu(bench_threads(bench), &bench->cpu_peak, message);
    const TfLiteDelegate* opencl = bench_opencl(bench);
    if (status == kToolOk && opencl != NULL) status = tool_peak_opencl(opencl, &bench->device_peak, message);
    bench->has_peaks = status == kToolOk;
    return status;
}

static void print_number(FILE* log, double value, const char* format, int width) {
    char text[32] = "-";
    if (value >= 0) snprintf(text, sizeof(text), format, value);
    fprintf(log, " %*s", width, text);
}

// The columns of the roof are there when it was measured.
static void print_rate(const Bench* bench, const BenchRate* rate, double total) {
    FILE* log = bench->log;
    fprintf(log, "%9.4f %6.1f", rate->milliseconds, total > 0 ? rate->milliseconds / total * 100 : 0);
    print_number(log, rate->operations < 0 ? -1 : rate->operations * 1e-6, "%.3f", 10);
    print_number(log, rate->bytes * 1e-6, "%.3f", 9);
    print_number(log, rate->gflops, "%.2f", 9);
    print_number(log, rate->gigabytes, "%.2f", 8);
    if (!bench->has_peaks) return;
    print_number(log, rate->share, "%.1f", 7);
    fprintf(log, "  %-8s", rate->roof);
}

static void print_head(const Bench* bench, const char* last) {
    fprintf(bench->log, "\n       ms      %%      MFLOP        MB   GFLOP/s     GB/s%s  %s\n",
            bench->has_peaks ? "  % roof  roof    " : "", last);
}

static void print_peak(FILE* log, const char* name, const ToolPeak* peak) {
    fprintf(log, "%s: %.1f GFLOP/s", name, peak->float32 * 1e-9);
    if (peak->products > 0) fprintf(log, ", %.1f of products as sums of BFLOAT16", peak->products * 1e-9);
    if (peak->int8 > 0) fprintf(log, ", %.1f GOP/s of bytes", peak->int8 * 1e-9);
    fprintf(log, ", %.1f GB/s, in caches up to %.1f", peak->bandwidth * 1e-9,
            tool_peak_bandwidth(peak, 0) * 1e-9);
    if (peak->launch > 0) fprintf(log, ", %.1f us for a launch", peak->launch * 1e6);
    fprintf(log, "\n");
    if (tool_peak_is_busy(peak)) {
        fprintf(log, "The machine is busy: the same arithmetic ran at %.1f to %.1f GFLOP/s.\n",
                peak->float32_least * 1e-9, peak->float32 * 1e-9);
    }
}

static void report_nodes(const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    double total = 0;
    // Nodes that run inside another node are part of its time.
    for (int s = 0; s < profile->subgraph_count; s++) {
        if (s == bench->runner.subgraph) total = per_inference(bench, &profile->totals[s]);
    }
    print_head(bench, "node");
    for (int i = 0; i < profile->row_count; i++) {
        const BenchNodeTimes* times = &profile->rows[i];
        const BenchRate rate = bench_rate_node(bench, i);
        OcliteNode node;
        if (!find_node(bench, times->subgraph, times->node, &node)) continue;
        print_rate(bench, &rate, total);
        if (times->subgraph != bench->runner.subgraph) fprintf(bench->log, "  graph %d", times->subgraph);
        const int joined = bench_joined_node(bench, i);
        OcliteNode before;
        if (joined >= 0 && find_node(bench, times->subgraph, joined, &before)) {
            fprintf(bench->log, "  #%d+%d ", joined, times->node);
            tool_put_name(bench->log, before.op);
            fprintf(bench->log, "+");
        } else {
            fprintf(bench->log, "  #%d ", times->node);
        }
        tool_put_name(bench->log, node.op);
        fprintf(bench->log, "\n");
    }
}

static void report_kernels(const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    double total = 0;
    for (int k = 0; k < profile->kernel_count; k++) {
        total += per_inference(bench, &profile->kernels[k].microseconds);
    }
    print_head(bench, "on the device");
    for (int k = 0; k < profile->kernel_count; k = bench_next_operator(profile, k)) {
        const BenchKernelTimes* kernel = &profile->kernels[k];
        const BenchRate rate = bench_rate_operator(bench, k);
        print_rate(bench, &rate, total);
        if (kernel->launch.graph != 0) fprintf(bench->log, "  graph %d", kernel->launch.graph);
        fprintf(bench->log, " ");
        for (int n = 0; n < kernel->launch.node_count; n++) {
            fprintf(bench->log, "%s%d", n > 0 ? "+" : " #", kernel->launch.nodes[n]);
        }
        fprintf(bench->log, " ");
        tool_put_name(bench->log, kernel->launch.op);
        for (int i = k; i < bench_next_operator(profile, k); i++) {
            fprintf(bench->log, "%s%s", i > k ? ", " : ": ", profile->kernels[i].launch.kernel);
        }
        fprintf(bench->log, "\n");
    }
}

void bench_report_rates(const Bench* bench) {
    char name[48];
    const int threads = bench_threads(bench);
    snprintf(name, sizeof(name), "\nProcessor, %d thread%s", threads, threads == 1 ? "" : "s");
    if (bench->has_peaks) print_peak(bench->log, name, &bench->cpu_peak);
    if (bench->has_peaks && bench_opencl(bench) != NULL) {
        print_peak(bench->log, oclite_opencl_delegate_device(bench_opencl(bench)), &bench->device_peak);
    }
    report_nodes(bench);
    if (bench->profile.kernel_count > 0) report_kernels(bench);
    if (!bench->has_peaks)
        fprintf(bench->log,
                "\n--roofline measures what is possible here, and tells how near each comes to it.\n");
}
