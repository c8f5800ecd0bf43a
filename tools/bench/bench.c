// SPDX-License-Identifier: Apache-2.0
// oclite bench, from the model to the figures.
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/bench/bench.h"
#include "tools/bench/roofline.h"
#include "tools/commands.h"

int bench_threads(const Bench* bench) {
    const TfLiteContext* context =
        oclite_interpreter_context(bench->session.interpreter, bench->runner.subgraph);
    return oclite_context_num_threads((const TfLiteOpaqueContext*)context);
}

static void list_signatures(const Bench* bench) {
    const int count = TfLiteInterpreterGetSignatureCount(bench->session.interpreter);
    fprintf(bench->log, "The Model contains %d signature key(s).\n", count);
    if (count > 0) fprintf(bench->log, "They are listed below: \n");
    for (int i = 0; i < count; ++i) {
        fprintf(bench->log, "-> Signature Key: ");
        tool_put_name(bench->log, TfLiteInterpreterGetSignatureKey(bench->session.interpreter, i));
        fprintf(bench->log, "\n");
    }
}

static ToolStatus open_model(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    ToolSetup setup = settings->setup;
    setup.delegate = NULL; // applied later, in their order
    if (settings->num_threads > 0) setup.threads = settings->num_threads;
    const ToolStatus status = tool_session_open(settings->graph, &setup, &bench->session, message);
    if (status != kToolOk) return status;
    size_t bytes = 0;
    oclite_model_data(bench->session.model, &bytes);
    bench->model_bytes = (double)bytes;
    fprintf(bench->log, "Loaded model %s\n", settings->graph);
    return bench_runner_open(&bench->runner, bench->session.interpreter, settings->signature, message);
}

static ToolStatus prepare(Bench* bench, ToolMessage* message) {
    ToolStatus status = bench_shape_inputs(bench, message);
    double start = bench_now_us();
    if (status == kToolOk) status = bench_apply_delegates(bench, message);
    bench->delegate_us = bench_now_us() - start;
    if (status != kToolOk) return status;
    start = bench_now_us();
    if (bench_runner_allocate(&bench->runner) != kTfLiteOk) {
        return tool_fail(message, kToolAllocate, "Failed to allocate tensors!");
    }
    bench->allocate_us = bench_now_us() - start;
    return kToolOk;
}

static ToolStatus run_and_tell(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    ToolStatus status = bench_fill_inputs(bench, message);
    if (status == kToolOk && settings->export_runtime_info) status = bench_write_runtime_info(bench, message);
    if (status == kToolOk && settings->profile) {
        status = tool_profile_start(&bench->profile, bench->session.interpreter, message);
    }
    if (status != kToolOk) return status;
    if (settings->print_before) bench_print_state(bench, "pre");
    status = bench_measure(bench, message);
    tool_profile_stop(&bench->profile);
    if (status != kToolOk) return status;
    bench->memory.peak = bench_peak_resident();
    bench->device_bytes = oclite_opencl_delegate_memory(bench_opencl(bench));
    bench->tensor_bytes = oclite_interpreter_memory(bench->session.interpreter);
    return kToolOk;
}

static ToolStatus write_files(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    ToolStatus status = kToolOk;
    bench_report_reference(bench);
    if (settings->profile) status = bench_write_profile(bench, message);
    if (status == kToolOk && settings->roofline) status = bench_measure_peaks(bench, message);
    if (status == kToolOk && settings->profile) bench_report_rates(bench);
    bench_report(bench);
    if (settings->print_after) bench_print_state(bench, "post");
    if (status == kToolOk) status = bench_save_outputs(bench, message);
    if (status == kToolOk && settings->example_path) status = bench_write_example(bench, message);
    if (status == kToolOk && settings->result_path) status = bench_write_result(bench, message);
    if (status == kToolOk && settings->csv && settings->profile) status = bench_write_csv(bench, message);
    if (status == kToolOk && settings->json) status = bench_write_json(bench, message);
    return status;
}

static ToolStatus work(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    fprintf(bench->log, "STARTING!\n");
    bench_log_settings(bench);
    bench_log_idle(bench);
    const int interval = settings->memory_interval > 0 ? settings->memory_interval : 50;
    BenchMonitor* monitor = settings->peak_memory ? bench_monitor_start(interval) : NULL;
    bench->memory.peak_before = bench_peak_resident();
    const double start = bench_now_us();
    ToolStatus status = open_model(bench, message);
    if (status == kToolOk && settings->list_signatures) {
        list_signatures(bench);
        bench_monitor_stop(monitor);
        return kToolOk;
    }
    if (status == kToolOk) status = prepare(bench, message);
    bench->init_us = bench_now_us() - start;
    bench->memory.peak_ready = bench_peak_resident();
    if (status == kToolOk) {
        fprintf(bench->log, "The input model file size (MB): %g\n", bench->model_bytes * 1e-6);
        fprintf(bench->log, "Initialized session in %gms.\n", bench->init_us * 1e-3);
        status = run_and_tell(bench, message);
    }
    bench->memory.peak_seen = bench_monitor_stop(monitor);
    return status == kToolOk ? write_files(bench, message) : status;
}

static void release(Bench* bench) {
    tool_profile_free(&bench->profile);
    bench_runner_close(&bench->runner);
    tool_session_close(&bench->session);
    bench_delete_delegates(bench);
    bench_inputs_free(&bench->inputs);
    tool_series_free(&bench->warmup);
    tool_series_free(&bench->runs);
}

static bool goes_to_stdout(const char* path) {
    return path && strcmp(path, "-") == 0;
}

static ToolStatus complete(BenchSettings* settings, const ToolList* operands, ToolMessage* message) {
    if (operands->count > 0 && settings->graph) {
        return tool_fail(message, kToolUsage, "'%s' is one model too many beside --graph",
                         operands->items[0]);
    }
    if (operands->count > 0) settings->graph = operands->items[0];
    if (!settings->graph || !*settings->graph) {
        return tool_fail(message, kToolUsage, "no model given: oclite bench MODEL, or --graph=MODEL");
    }
    settings->profile |= settings->roofline;
    if (settings->profile_csv_file && *settings->profile_csv_file) {
        settings->profile_mode = "csv";
        settings->profile_file = settings->profile_csv_file;
    }
    return kToolOk;
}

ToolStatus bench_run(void* data, const ToolList* operands, ToolMessage* message) {
    BenchSettings* settings = data;
    ToolStatus status = complete(settings, operands, message);
    if (status != kToolOk) return status;
    const bool is_quiet = goes_to_stdout(settings->json) || goes_to_stdout(settings->csv);
    if (goes_to_stdout(settings->json) && goes_to_stdout(settings->csv)) {
        return tool_fail(message, kToolUsage, "--json and --csv cannot both be the standard output");
    }
    Bench bench = {.settings = settings, .log = is_quiet ? fopen("/dev/null", "we") : stdout};
    if (!bench.log) return tool_fail(message, kToolFile, "/dev/null cannot be opened");
    status = work(&bench, message);
    release(&bench);
    if (bench.log != stdout) fclose(bench.log);
    return status;
}
