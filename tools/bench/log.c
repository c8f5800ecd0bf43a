// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/log.h"

#include <string.h>

#include "tools/bench/flags.h"
#include "tools/common/options.h"

// In the reference's order.
static const struct {
    const char* name;
    const char* label;
} kLabels[] = {
    {"num_runs", "Min num runs"},
    {"min_secs", "Min runs duration (seconds)"},
    {"max_secs", "Max runs duration (seconds)"},
    {"run_delay", "Inter-run delay (seconds)"},
    {"run_frequency", "Number of prorated runs per second"},
    {"num_threads", "Num threads"},
    {"use_caching", "Use caching"},
    {"benchmark_name", "Benchmark name"},
    {"output_prefix", "Output prefix"},
    {"warmup_runs", "Min warmup runs"},
    {"warmup_min_secs", "Min warmup runs duration (seconds)"},
    {"dry_run", "Run w/o invoking kernels"},
    {"report_peak_memory_footprint", "Report the peak memory footprint"},
    {"memory_footprint_check_interval_ms", "Memory footprint check interval (ms)"},
    {"graph", "Graph"},
    {"signature_to_run_for", "Signature to run"},
    {"list_signatures", "List signatures from the provided model"},
    {"input_layer", "Input layers"},
    {"input_layer_shape", "Input shapes"},
    {"input_layer_value_range", "Input value ranges"},
    {"input_layer_value_files", "Input value files"},
    {"allow_fp16", "Allow fp16"},
    {"require_full_delegation", "Require full delegation"},
    {"enable_op_profiling", "Enable op profiling"},
    {"op_profiling_output_mode", "Op profiling output mode."},
    {"op_profiling_output_file", "Op profiling output file."},
    {"max_profiling_buffer_entries", "Max initial profiling buffer entries"},
    {"allow_dynamic_profiling_buffer_increase", "Allow dynamic increase on profiling buffer entries"},
    {"profiling_output_csv_file", "CSV File to export profiling data to"},
    {"export_model_runtime_info", "Enable Model Runtime Info Export"},
    {"model_runtime_info_output_file", "Proto File to export model runtime info to"},
    {"print_preinvoke_state", "Print pre-invoke interpreter state"},
    {"print_postinvoke_state", "Print post-invoke interpreter state"},
    {"release_dynamic_tensors", "Release dynamic tensor memory"},
    {"optimize_memory_for_large_tensors", "Optimize memory usage for large tensors"},
    {"disable_delegate_clustering", "Disable delegate clustering"},
    {"enable_builtin_cast_constant_cache", "Constant CAST output cache"},
    {"output_filepath", "File path to export outputs layer to"},
    {"output_proto_filepath", "File path to export outputs layer as tf example to"},
    {"result_file_path", "File path to save the benchmark result in binary proto format"},
    {"tensor_name_display_length", "Tensor name display length"},
    {"tensor_type_display_length", "Tensor type display length"},
    {"alloc_type_display_length", "Tensor allocation type display length"},
    {"num_threads", "#threads used for CPU inference"},
    {"max_delegated_partitions", "Max number of delegated partitions"},
    {"min_nodes_per_partition", "Min nodes per partition"},
    {"first_delegate_node_index", "Index of the first node that could be delegated"},
    {"last_delegate_node_index", "Index of the last node that could be delegated"},
    {"gpu_invoke_loop_times", "Number of GPU delegate invoke loop iterations"},
    {"delegate_serialize_dir", "Directory for delegate serialization"},
    {"delegate_serialize_token", "Model-specific token/key for delegate serialization."},
    {"external_delegate_path", "External delegate path"},
    {"external_delegate_options", "External delegate options"},
    {"use_gpu", "Use gpu"},
    {"gpu_precision_loss_allowed", "Allow lower precision in gpu"},
    {"gpu_experimental_enable_quant", "Enable running quant models in gpu"},
    {"gpu_inference_for_sustained_speed", "Prefer maximizing the throughput in gpu"},
    {"gpu_backend", "GPU backend"},
    {"use_xnnpack", "Use xnnpack"},
    {"xnnpack_force_fp16", "xnnpack_force_fp16"},
    {"xnnpack_weight_cache_file_path", "xnnpack_weight_cache_file_path"},
    {"xnnpack_runtime_flags", "Extra flags for XNNPACK runtime"},
};
enum { LABELS = sizeof(kLabels) / sizeof(kLabels[0]) };

static const ToolOption* find(const char* name) {
    const ToolOption* option = bench_options;
    while (option->name != NULL && strcmp(option->name, name) != 0) option++;
    return option->name != NULL ? option : NULL;
}

static void log_value(FILE* log, const char* label, const ToolOption* option, const void* settings) {
    const void* field = (const char*)settings + option->offset;
    fprintf(log, "%s: [", label);
    switch (option->kind) {
    case kToolFlag:
        fprintf(log, "%d", *(const bool*)field);
        break;
    case kToolInteger:
        fprintf(log, "%d", *(const int*)field);
        break;
    case kToolReal:
        fprintf(log, "%g", *(const double*)field);
        break;
    default:
        fprintf(log, "%s", *(const char* const*)field != NULL ? *(const char* const*)field : "");
    }
    fprintf(log, "]\n");
}

void bench_log_settings(const Bench* bench) {
    const BenchSettings* settings = bench->settings;
    fprintf(bench->log, "Log parameter values verbosely: [%d]\n", settings->verbose);
    for (int i = 0; i < LABELS; i++) {
        const ToolOption* option = find(kLabels[i].name);
        const bool is_always_told =
            strcmp(kLabels[i].name, "graph") == 0 || strcmp(kLabels[i].name, "signature_to_run_for") == 0;
        if (!is_always_told && !settings->verbose && !bench_is_given(settings, kLabels[i].name)) continue;
        log_value(bench->log, kLabels[i].label, option, settings);
    }
}

static void log_idle(const Bench* bench, const char* name, const char* why) {
    if (bench_is_given(bench->settings, name)) fprintf(bench->log, "--%s has no effect: %s\n", name, why);
}

static void log_without_gpu(const Bench* bench, const char* name) {
    if (!bench->settings->use_gpu) log_idle(bench, name, "it goes with --use_gpu");
}

void bench_log_idle(const Bench* bench) {
    const BenchSettings* settings = bench->settings;
#define IDLE_FLAG(name, standard, why) log_idle(bench, #name, why);
#define IDLE_NUMBER(name, standard, why) log_idle(bench, #name, why);
#define IDLE_TEXT(name, why) log_idle(bench, #name, why);
#include "tools/bench/idle.def"
    static const char* const gpu_flags[] = {
        "gpu_precision_loss_allowed", "gpu_experimental_enable_quant", "gpu_backend",
        "max_delegated_partitions",   "min_nodes_per_partition",       "first_delegate_node_index",
        "last_delegate_node_index",   "delegate_serialize_dir",        "delegate_serialize_token"};
    for (size_t i = 0; i < sizeof(gpu_flags) / sizeof(gpu_flags[0]); i++)
        log_without_gpu(bench, gpu_flags[i]);
    if (settings->use_gpu && (settings->serialize_dir == NULL) != (settings->serialize_token == NULL)) {
        log_idle(bench, "delegate_serialize_dir", "it needs a --delegate_serialize_token");
        log_idle(bench, "delegate_serialize_token", "it needs a --delegate_serialize_dir");
    }
    if (settings->external_path == NULL)
        log_idle(bench, "external_delegate_options", "no --external_delegate_path");
    if (!settings->profile) {
        static const char* const flags[] = {"op_profiling_output_mode", "op_profiling_output_file",
                                            "profiling_output_csv_file", "csv"};
        for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
            log_idle(bench, flags[i], "it goes with --enable_op_profiling");
        }
    }
    if (!settings->export_runtime_info) {
        log_idle(bench, "model_runtime_info_output_file", "it goes with --export_model_runtime_info");
    }
    if (!settings->peak_memory) {
        log_idle(bench, "memory_footprint_check_interval_ms", "it goes with --report_peak_memory_footprint");
    }
}
