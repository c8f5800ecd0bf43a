// SPDX-License-Identifier: Apache-2.0
// The settings of oclite bench, which is the reference's benchmark_model, and what it has measured.
#ifndef TOOLS_BENCH_BENCH_H_
#define TOOLS_BENCH_BENCH_H_

#include <stdbool.h>
#include <stdio.h>

#include "oclite/oclite.h"
#include "tools/bench/inputs.h"
#include "tools/bench/profile.h"
#include "tools/bench/runner.h"
#include "tools/common/command.h"
#include "tools/common/peak.h"
#include "tools/common/session.h"
#include "tools/common/statistics.h"

typedef struct BenchSettings {
    ToolSetup setup;
    ToolList given; // names of the options on the command line
    const char* graph;
    // Number and pace of the inferences.
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
    // Output.
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

typedef struct BenchDelegate {
    TfLiteDelegate* delegate;
    bool is_external; // from an external library
    const char* name; // as the reference calls it: "GPU", "EXTERNAL"
} BenchDelegate;

enum { kBenchDelegates = 3 };

// Resident memory of the process in bytes, as the operating system reports it.
typedef struct BenchMemory {
    double peak_before; // peak until the model was loaded
    double peak_ready;  // peak until it was prepared
    double peak;        // peak until the end
    double peak_seen;   // the most that periodic checks saw; 0 without them
} BenchMemory;

// How the OpenCL delegate has computed.
typedef struct BenchPrecision {
    int nodes;   // on the device
    int float16; // of these, which store their float32 tensors as float16
} BenchPrecision;

typedef struct Bench {
    const BenchSettings* settings;
    FILE* log; // the report, for people and for parsers of the reference's output
    ToolSession session;
    BenchDelegate delegates[kBenchDelegates];
    int delegate_count;
    BenchRunner runner;
    BenchInputs inputs;
    BenchProfile profile;
    double model_bytes;
    double init_us; // loading and preparing; the next two are parts of it
    double delegate_us;
    double allocate_us;
    double clock_us;   // of reading the clock; subtracted from the times of inferences
    ToolSeries warmup; // microseconds
    ToolSeries runs;
    BenchMemory memory;
    size_t tensor_bytes;
    OclitePackedWeights weights;
    size_t device_bytes;
    BenchPrecision precision;
    bool has_peaks; // whether the next two are measured
    ToolPeak cpu_peak;
    ToolPeak device_peak; // of the OpenCL delegate's device
} Bench;

// Returns whether an option was on the command line.
bool bench_is_given(const BenchSettings* settings, const char* name);

// Returns the number of threads that operators on the CPU may use.
int bench_threads(const Bench* bench);

#endif
