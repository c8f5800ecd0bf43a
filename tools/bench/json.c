// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/json.h"

#include <cjson/cJSON.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/bench/delegates.h"
#include "tools/bench/figures.h"
#include "tools/bench/roofline.h"
#include "tools/common/facts.h"

static void add_times(cJSON* root, Bench* bench) {
    const BenchSettings* settings = bench->settings;
    cJSON_AddStringToObject(root, "model", settings->graph);
    if (settings->benchmark_name != NULL) cJSON_AddStringToObject(root, "name", settings->benchmark_name);
    cJSON_AddNumberToObject(root, "threads", bench_threads(bench));
    cJSON_AddNumberToObject(root, "runs", (double)bench->runs.moments.count);
    cJSON_AddNumberToObject(root, "warmup_runs", (double)bench->warmup.moments.count);
    cJSON_AddNumberToObject(root, "load_ms", bench->init_us * 1e-3);
    cJSON_AddNumberToObject(root, "first_ms", bench_first_us(bench) * 1e-3);
    cJSON_AddNumberToObject(root, "warmup_mean_ms", bench->warmup.moments.mean * 1e-3);
    for (int i = 0; i < kBenchFigures; i++) {
        char name[32];
        snprintf(name, sizeof(name), "%s_ms", bench_figure_name(i));
        cJSON_AddNumberToObject(root, name, bench_figure(bench, i));
    }
}

static void add_memory(cJSON* root, const Bench* bench) {
    cJSON* memory = cJSON_AddObjectToObject(root, "memory");
    cJSON_AddNumberToObject(memory, "model_bytes", bench->model_bytes);
    cJSON_AddNumberToObject(memory, "tensor_bytes", (double)bench->tensor_bytes);
    const OclitePackedWeights* weights = &bench->weights;
    cJSON_AddNumberToObject(memory, "packed_weight_bytes", (double)weights->bytes);
    cJSON_AddNumberToObject(memory, "packed_bfloat16_bytes", (double)weights->bfloat16_bytes);
    cJSON_AddNumberToObject(memory, "packed_float16_bytes", (double)weights->float16_bytes);
    cJSON_AddNumberToObject(memory, "packed_mapped_bytes", (double)weights->mapped_bytes);
    if (bench_opencl(bench) != NULL) {
        cJSON_AddNumberToObject(memory, "device_bytes", (double)bench->device_bytes);
    }
    cJSON_AddNumberToObject(memory, "peak_resident_bytes", bench->memory.peak);
}

static void add_series(cJSON* object, const ToolMoments* microseconds) {
    cJSON_AddNumberToObject(object, "calls", (double)microseconds->count);
    cJSON_AddNumberToObject(object, "mean_ms", microseconds->mean * 1e-3);
    cJSON_AddNumberToObject(object, "min_ms", microseconds->min * 1e-3);
    cJSON_AddNumberToObject(object, "max_ms", microseconds->max * 1e-3);
    cJSON_AddNumberToObject(object, "deviation_ms", tool_moments_deviation(microseconds) * 1e-3);
}

// Leaves out what is not known.
static void add_rate(cJSON* object, const BenchRate* rate) {
    if (rate->operations >= 0) {
        cJSON_AddNumberToObject(object, "operations", rate->operations);
        cJSON_AddNumberToObject(object, "gflops", rate->gflops);
    }
    cJSON_AddNumberToObject(object, "bytes", rate->bytes);
    cJSON_AddNumberToObject(object, "gb_per_s", rate->gigabytes);
    if (rate->share < 0) return;
    cJSON_AddNumberToObject(object, "roof_percent", rate->share);
    cJSON_AddStringToObject(object, "roof", rate->roof);
}

static void add_nodes(cJSON* root, const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    cJSON* nodes = cJSON_AddArrayToObject(root, "nodes");
    for (int i = 0; i < profile->row_count; i++) {
        const BenchNodeTimes* times = &profile->rows[i];
        OcliteNode node;
        if (!bench_profile_node(profile, bench->session.interpreter, i, &node)) continue;
        cJSON* object = cJSON_CreateObject();
        cJSON_AddItemToArray(nodes, object);
        cJSON_AddNumberToObject(object, "subgraph", times->subgraph);
        cJSON_AddNumberToObject(object, "node", times->node);
        cJSON_AddStringToObject(object, "op", node.op);
        if (bench_joined_node(bench, i) >= 0) {
            cJSON_AddNumberToObject(object, "joined_node", bench_joined_node(bench, i));
        }
        add_series(object, &times->microseconds);
        const BenchRate rate = bench_rate_node(bench, i);
        add_rate(object, &rate);
    }
}

static void add_operators(cJSON* root, const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    cJSON* operators = cJSON_AddArrayToObject(root, "device_operators");
    for (int k = 0; k < profile->kernel_count; k = bench_next_operator(profile, k)) {
        const BenchKernelTimes* kernel = &profile->kernels[k];
        const BenchRate rate = bench_rate_operator(bench, k);
        cJSON* object = cJSON_CreateObject();
        cJSON_AddItemToArray(operators, object);
        cJSON_AddNumberToObject(object, "graph", kernel->launch.graph);
        cJSON_AddItemToObject(object, "nodes",
                              cJSON_CreateIntArray(kernel->launch.nodes, kernel->launch.node_count));
        cJSON_AddStringToObject(object, "op", kernel->launch.op);
        cJSON_AddNumberToObject(object, "kernels", bench_next_operator(profile, k) - k);
        cJSON_AddNumberToObject(object, "mean_ms", rate.milliseconds);
        add_rate(object, &rate);
    }
}

static void add_peak(cJSON* root, const char* key, const ToolPeak* peak) {
    cJSON* object = cJSON_AddObjectToObject(root, key);
    cJSON_AddNumberToObject(object, "float32_gflops", peak->float32 * 1e-9);
    if (peak->products > 0) cJSON_AddNumberToObject(object, "products_gflops", peak->products * 1e-9);
    if (peak->int8 > 0) cJSON_AddNumberToObject(object, "int8_gops", peak->int8 * 1e-9);
    if (peak->int8_vectors > 0)
        cJSON_AddNumberToObject(object, "int8_vectors_gops", peak->int8_vectors * 1e-9);
    cJSON_AddNumberToObject(object, "gb_per_s", peak->bandwidth * 1e-9);
    cJSON* copies = cJSON_AddArrayToObject(object, "copies");
    for (int i = 0; i < peak->copy_count; i++) {
        cJSON* copy = cJSON_CreateObject();
        cJSON_AddItemToArray(copies, copy);
        cJSON_AddNumberToObject(copy, "bytes", peak->copies[i].bytes);
        cJSON_AddNumberToObject(copy, "gb_per_s", peak->copies[i].rate * 1e-9);
    }
    cJSON_AddBoolToObject(object, "busy", tool_peak_is_busy(peak));
    if (peak->launch > 0) cJSON_AddNumberToObject(object, "launch_us", peak->launch * 1e6);
}

static void add_kernels(cJSON* root, const Bench* bench) {
    const BenchProfile* profile = &bench->profile;
    cJSON* kernels = cJSON_AddArrayToObject(root, "kernels");
    for (int i = 0; i < profile->kernel_count; i++) {
        const BenchKernelTimes* kernel = &profile->kernels[i];
        cJSON* object = cJSON_CreateObject();
        cJSON_AddItemToArray(kernels, object);
        cJSON_AddNumberToObject(object, "graph", kernel->launch.graph);
        cJSON_AddItemToObject(object, "nodes",
                              cJSON_CreateIntArray(kernel->launch.nodes, kernel->launch.node_count));
        cJSON_AddStringToObject(object, "op", kernel->launch.op);
        cJSON_AddStringToObject(object, "kernel", kernel->launch.kernel);
        const double global[] = {(double)kernel->launch.global[0], (double)kernel->launch.global[1],
                                 (double)kernel->launch.global[2]};
        const double local[] = {(double)kernel->launch.local[0], (double)kernel->launch.local[1],
                                (double)kernel->launch.local[2]};
        cJSON_AddItemToObject(object, "global", cJSON_CreateDoubleArray(global, 3));
        cJSON_AddItemToObject(object, "local", cJSON_CreateDoubleArray(local, 3));
        add_series(object, &kernel->microseconds);
    }
}

ToolStatus bench_write_json(Bench* bench, ToolMessage* message) {
    cJSON* root = cJSON_CreateObject();
    add_times(root, bench);
    const TfLiteDelegate* opencl = bench_opencl(bench);
    if (opencl != NULL) {
        cJSON_AddStringToObject(root, "device", oclite_opencl_delegate_device(opencl));
        cJSON_AddNumberToObject(root, "device_nodes", bench->precision.nodes);
        cJSON_AddNumberToObject(root, "float16_nodes", bench->precision.float16);
        // Where there is one, the times are the processor's.
        const char* failure = oclite_opencl_delegate_failure(opencl);
        if (failure != NULL && failure[0] != '\0') cJSON_AddStringToObject(root, "device_failure", failure);
    }
    add_memory(root, bench);
    if (bench->settings->profile) {
        add_nodes(root, bench);
        add_operators(root, bench);
        add_kernels(root, bench);
    }
    if (bench->has_peaks) {
        add_peak(root, "processor_peak", &bench->cpu_peak);
        if (opencl != NULL) add_peak(root, "device_peak", &bench->device_peak);
    }
    const ToolStatus status = tool_facts_write_line(root, bench->settings->json, message);
    cJSON_Delete(root);
    return status;
}
