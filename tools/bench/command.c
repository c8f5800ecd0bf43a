// SPDX-License-Identifier: Apache-2.0
// oclite bench: times the inferences of a model.
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/bench/bench.h"
#include "tools/bench/csv.h"
#include "tools/bench/delegates.h"
#include "tools/bench/flags.h"
#include "tools/bench/json.h"
#include "tools/bench/log.h"
#include "tools/bench/measure.h"
#include "tools/bench/memory.h"
#include "tools/bench/profile_output.h"
#include "tools/bench/report.h"
#include "tools/bench/result_message.h"
#include "tools/bench/roofline.h"
#include "tools/bench/runtime_info.h"
#include "tools/bench/state.h"
#include "tools/bench/values.h"
#include "tools/commands.h"
#include "tools/common/timing.h"

static void list_signatures(const Bench* bench) {
    const int count = TfLiteInterpreterGetSignatureCount(bench->session.interpreter);
    fprintf(bench->log, "The Model contains %d signature key(s).\n", count);
    if (count > 0) fprintf(bench->log, "They are listed below: \n");
    for (int i = 0; i < count; i++) {
        fprintf(bench->log, "-> Signature Key: ");
        tool_put_name(bench->log, TfLiteInterpreterGetSignatureKey(bench->session.interpreter, i));
        fprintf(bench->log, "\n");
    }
}

static ToolStatus open_model(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    ToolSetup setup = settings->setup;
    setup.delegate = NULL; // applied later, in the order of the command line
    setup.partition = NULL;
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
    double start = tool_now_us();
    if (status == kToolOk) status = bench_apply_delegates(bench, message);
    bench->delegate_us = tool_now_us() - start;
    if (status != kToolOk) return status;
    start = tool_now_us();
    if (bench_runner_allocate(&bench->runner) != kTfLiteOk) {
        return tool_fail(message, kToolAllocate, "Failed to allocate tensors!");
    }
    bench->allocate_us = tool_now_us() - start;
    return kToolOk;
}

static ToolStatus run_and_tell(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    ToolStatus status = bench_fill_inputs(bench, message);
    if (status == kToolOk && settings->export_runtime_info) status = bench_write_runtime_info(bench, message);
    if (status == kToolOk && settings->profile) {
        status = bench_profile_start(&bench->profile, bench->session.interpreter, message);
    }
    if (status != kToolOk) return status;
    if (settings->print_before) bench_print_state(bench, "pre");
    status = bench_measure(bench, message);
    bench_profile_stop(&bench->profile);
    if (status != kToolOk) return status;
    bench->memory.peak = bench_peak_resident();
    bench->device_bytes = oclite_opencl_delegate_memory(bench_opencl(bench));
    bench->precision = bench_precision(bench);
    bench->tensor_bytes = oclite_interpreter_memory(bench->session.interpreter);
    (void)oclite_interpreter_packed_weights(bench->session.interpreter, &bench->weights);
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
    if (status == kToolOk && settings->example_path != NULL) status = bench_write_example(bench, message);
    if (status == kToolOk && settings->result_path != NULL) status = bench_write_result(bench, message);
    if (status == kToolOk && settings->csv != NULL && settings->profile)
        status = bench_write_csv(bench, message);
    if (status == kToolOk && settings->json != NULL) status = bench_write_json(bench, message);
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
    const double start = tool_now_us();
    ToolStatus status = open_model(bench, message);
    if (status == kToolOk && settings->list_signatures) {
        list_signatures(bench);
        bench_monitor_stop(monitor);
        return kToolOk;
    }
    if (status == kToolOk) status = prepare(bench, message);
    bench->init_us = tool_now_us() - start;
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
    bench_profile_free(&bench->profile);
    bench_runner_close(&bench->runner);
    tool_session_close(&bench->session);
    bench_delete_delegates(bench);
    bench_inputs_free(&bench->inputs);
    tool_series_free(&bench->warmup);
    tool_series_free(&bench->runs);
}

static bool goes_to_stdout(const char* path) {
    return path != NULL && strcmp(path, "-") == 0;
}

static ToolStatus complete(BenchSettings* settings, const ToolList* operands, ToolMessage* message) {
    if (operands->count > 0 && settings->graph != NULL) {
        return tool_fail(message, kToolUsage, "'%s' is one model too many beside --graph",
                         operands->items[0]);
    }
    if (operands->count > 0) settings->graph = operands->items[0];
    if (settings->graph == NULL || !*settings->graph) {
        return tool_fail(message, kToolUsage, "no model given: oclite bench MODEL, or --graph=MODEL");
    }
    settings->profile |= settings->roofline;
    if (settings->profile_csv_file != NULL && *settings->profile_csv_file) {
        settings->profile_mode = "csv";
        settings->profile_file = settings->profile_csv_file;
    }
    return kToolOk;
}

static ToolStatus bench_run(void* data, const ToolList* operands, ToolMessage* message) {
    BenchSettings* settings = data;
    ToolStatus status = complete(settings, operands, message);
    if (status != kToolOk) return status;
    const bool is_quiet = goes_to_stdout(settings->json) || goes_to_stdout(settings->csv);
    if (goes_to_stdout(settings->json) && goes_to_stdout(settings->csv)) {
        return tool_fail(message, kToolUsage, "--json and --csv cannot both be the standard output");
    }
    Bench bench = {.settings = settings, .log = is_quiet ? fopen("/dev/null", "we") : stdout};
    if (bench.log == NULL) return tool_fail(message, kToolFile, "/dev/null cannot be opened");
    status = work(&bench, message);
    release(&bench);
    if (bench.log != stdout) fclose(bench.log);
    return status;
}

const ToolCommand tool_bench_command = {
    .name = "bench",
    .summary = "times inference",
    .operands = "[MODEL]",
    .max_operands = 1,
    .description =
        "Times inferences of a model, and tells where the time and the memory go. It is installed as "
        "benchmark_model, too, takes the flags of TensorFlow Lite's program of that name, and prints the "
        "lines that readers of its output look for.\n\n"
        "Inputs are pseudo-random, the same in every run of the program, unless files are given. Times are "
        "of TfLiteInterpreterInvoke alone. With --enable_op_profiling they contain what the profile costs.",
    .examples = "  oclite bench model.tflite --threads 2\n"
                "  oclite bench model.tflite --delegate opencl --enable_op_profiling\n"
                "  oclite bench model.tflite --runs 100 --warmup 5 --json figures.json\n"
                "  benchmark_model --graph=model.tflite --num_threads=4 --use_gpu=true\n",
    .options = bench_options,
    .has_setup = true,
    .setup_offset = offsetof(BenchSettings, setup),
    .has_given = true,
    .given_offset = offsetof(BenchSettings, given),
    .size = sizeof(BenchSettings),
    .defaults = &bench_defaults,
    .run = bench_run,
};
