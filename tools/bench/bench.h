// SPDX-License-Identifier: Apache-2.0
// oclite bench, the reference's benchmark_model: settings as the command line gives them, and what was
// measured.
#ifndef TOOLS_BENCH_BENCH_H_
#define TOOLS_BENCH_BENCH_H_

#include <stdbool.h>
#include <stdio.h>

#include "tools/bench/inputs.h"
#include "tools/bench/runner.h"
#include "tools/command.h"
#include "tools/peak.h"
#include "tools/profile.h"
#include "tools/session.h"
#include "tools/statistics.h"

typedef struct BenchSettings {
    ToolSetup setup;
    ToolList given; // names of the options that were
    const char* graph;
    // How often.
    int num_threads;
    int num_runs;
    int warmup_runs;
    double min_secs;
    double max_secs;
    double warmup_min_secs;
    double run_delay;
    double run_frequency;
    bool dry_run;
    // Inputs.
    const char* signature;
    bool list_signatures;
    const char* input_layer;
    const char* input_layer_shape;
    const char* input_layer_value_range;
    const char* input_layer_value_files;
    ToolList resizes;
    // Delegates.
    bool use_gpu;
    bool gpu_precision_loss_allowed;
    bool gpu_experimental_enable_quant;
    const char* gpu_backend;
    bool require_full_delegation;
    int max_delegated_partitions;
    int min_nodes_per_partition;
    const char* serialize_dir;
    const char* serialize_token;
    int first_delegate_node;
    int last_delegate_node;
    const char* external_path;
    const char* external_options;
    // What is told.
    bool verbose;
    bool profile;
    const char* profile_mode; // "stdout", "csv" or "proto"
    const char* profile_file;
    const char* profile_csv_file;
    bool export_runtime_info;
    const char* runtime_info_file;
    bool peak_memory;
    int memory_interval;
    bool print_before;
    bool print_after;
    int name_width;
    int type_width;
    int allocation_width;
    const char* output_path;
    const char* example_path;
    const char* result_path;
    const char* benchmark_name;
    bool roofline;
    const char* json;
    const char* csv;
#define IDLE_FLAG(name, standard, why) bool idle_##name;
#define IDLE_NUMBER(name, standard, why) int idle_##name;
#define IDLE_TEXT(name, why) const char* idle_##name;
#include "tools/bench/idle.def"
} BenchSettings;

ToolStatus bench_run(void* settings, const ToolList* operands, ToolMessage* message);

// Whether an option was on the command line.
bool bench_is_given(const BenchSettings* settings, const char* name);

typedef struct BenchDelegate {
    TfLiteDelegate* delegate;
    bool is_external; // out of a library, not ours
    const char* name; // the reference's: "GPU", "EXTERNAL"
} BenchDelegate;

enum { kBenchDelegates = 3 };

// Bytes. What the operating system says of the process.
typedef struct BenchMemory {
    double peak_before; // the model was loaded
    double peak_ready;  // it had been prepared
    double peak;        // at the end
    double peak_seen;   // by looking periodically; 0: nobody did
} BenchMemory;

typedef struct Bench {
    const BenchSettings* settings;
    FILE* log; // the text for people and for readers of the reference's
    ToolSession session;
    BenchDelegate delegates[kBenchDelegates];
    int delegate_count;
    BenchRunner runner;
    BenchInputs inputs;
    ToolProfile profile;
    double model_bytes;
    double init_us; // loading and preparing, of which these are parts
    double delegate_us;
    double allocate_us;
    double clock_us;   // reading the clock, which is taken off the times of inferences
    ToolSeries warmup; // microseconds
    ToolSeries runs;
    BenchMemory memory;
    size_t tensor_bytes;
    size_t device_bytes;
    bool has_peaks; // what follows is measured
    ToolPeak cpu_peak;
    ToolPeak device_peak; // of bench_opencl's device
} Bench;

// Threads that operators on the CPU may use.
int bench_threads(const Bench* bench);

// OpenCL's delegate, NULL when there is none.
const TfLiteDelegate* bench_opencl(const Bench* bench);

// The flags and their values, as far as they were given.
void bench_log_settings(const Bench* bench);
// One line for each given flag that changes nothing, and why.
void bench_log_idle(const Bench* bench);

// Applies the delegates that the settings ask for, in the order of the command line.
ToolStatus bench_apply_delegates(Bench* bench, ToolMessage* message);
void bench_delete_delegates(Bench* bench); // behind the interpreter

// Shapes, then, with tensors allocated, contents.
ToolStatus bench_shape_inputs(Bench* bench, ToolMessage* message);
ToolStatus bench_fill_inputs(Bench* bench, ToolMessage* message);
// Writes the outputs' bytes, one behind the other.
ToolStatus bench_save_outputs(const Bench* bench, ToolMessage* message);

// Figures, and outputs, in Protocol Buffers, to the paths of the settings.
ToolStatus bench_write_result(Bench* bench, ToolMessage* message);
ToolStatus bench_write_example(const Bench* bench, ToolMessage* message);

// Warms up and measures.
ToolStatus bench_measure(Bench* bench, ToolMessage* message);

double bench_now_us(void);
// Of the process, in bytes: the most that was resident so far, and what is now.
double bench_peak_resident(void);
double bench_resident(double* shared); // of which so much is of files and shared; may be NULL
// Looks at what is resident every `milliseconds`, on a thread of its own, until the end is asked for.
typedef struct BenchMonitor BenchMonitor;
BenchMonitor* bench_monitor_start(int milliseconds); // NULL: no thread, no memory
double bench_monitor_stop(BenchMonitor* monitor);    // the most that was seen; accepts NULL

// Prints subgraphs, tensors and nodes.
void bench_print_state(const Bench* bench, const char* when); // "pre" or "post"

// What was measured: the reference's lines,
void bench_report_reference(const Bench* bench);
// and ours.
void bench_report(Bench* bench);
ToolStatus bench_write_json(Bench* bench, ToolMessage* message);
ToolStatus bench_write_csv(const Bench* bench, ToolMessage* message);
// The profile in the form that --op_profiling_output_mode names.
ToolStatus bench_write_profile(const Bench* bench, ToolMessage* message);
// What the interpreter consists of, in Protocol Buffers.
ToolStatus bench_write_runtime_info(const Bench* bench, ToolMessage* message);

#endif
