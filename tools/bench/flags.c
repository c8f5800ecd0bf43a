// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/flags.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "tools/common/options.h"

#define OPTION(flag, letter, type, field, text)                                                              \
    .name = (flag), .value = (letter), .help = (text), .kind = (type),                                       \
    .offset = offsetof(BenchSettings, field)
#define FLAG(flag, field, text)                                                                              \
    { OPTION(flag, NULL, kToolFlag, field, text) }
#define INTEGER(flag, field, lowest, text)                                                                   \
    { OPTION(flag, "N", kToolInteger, field, text), .low = (lowest) }
#define REAL(flag, field, text)                                                                              \
    { OPTION(flag, "X", kToolReal, field, text), .low = -HUGE_VAL }
#define TEXT(flag, letter, field, text)                                                                      \
    { OPTION(flag, letter, kToolText, field, text) }
#define FILE_PATH(flag, field, text)                                                                         \
    { OPTION(flag, "FILE", kToolPath, field, text) }
#define CHOICE(flag, field, all, text)                                                                       \
    { OPTION(flag, all, kToolChoice, field, text), .choices = (all) }
#define CALL(flag, letter, function, text)                                                                   \
    { .name = (flag), .value = (letter), .help = (text), .kind = kToolCall, .take = (function) }

// Sets an exact number of inferences, however short they are.
static ToolStatus take_count(const char* option, const char* value, int low, int* count, double* seconds,
                             ToolMessage* message) {
    const char* end = tool_parse_int(value, count);
    if (end == NULL || *end || *count < low) {
        return tool_fail(message, kToolUsage, "--%s: '%s' is not an integer of at least %d", option, value,
                         low);
    }
    *seconds = 0;
    return kToolOk;
}

static ToolStatus take_runs(void* settings, const char* value, ToolMessage* message) {
    BenchSettings* bench = settings;
    return take_count("runs", value, 1, &bench->num_runs, &bench->min_secs, message);
}

static ToolStatus take_warmup(void* settings, const char* value, ToolMessage* message) {
    BenchSettings* bench = settings;
    return take_count("warmup", value, 0, &bench->warmup_runs, &bench->warmup_min_secs, message);
}

const ToolOption bench_options[] = {
    FILE_PATH("graph", graph, "The model, in place of MODEL."),
    INTEGER("num_threads", num_threads, -1, "Threads on the CPU; -1 and 0: the library's choice."),
    INTEGER("num_runs", num_runs, 0, "Timed inferences, at least (50)."),
    REAL("min_secs", min_secs, "Seconds that they take together, at least (1)."),
    REAL("max_secs", max_secs, "Seconds after which none is begun (150)."),
    INTEGER("warmup_runs", warmup_runs, 0, "Inferences before them, at least (1),"),
    REAL("warmup_min_secs", warmup_min_secs, "and their seconds (0.5)."),
    REAL("run_delay", run_delay, "Seconds between two inferences; none when not above 0."),
    REAL("run_frequency", run_frequency, "Inferences in a second, in place of --run_delay."),
    FLAG("dry_run", dry_run, "Load and prepare the model, but run nothing."),
    TEXT("signature_to_run_for", "KEY", signature, "The signature to run; by default the main graph."),
    FLAG("list_signatures", list_signatures, "Print the model's signatures, and end."),
    TEXT("input_layer", "NAME,...", input_layer, "Names of all inputs, for the following options."),
    TEXT("input_layer_shape", "1,224,224,3:...", input_layer_shape, "Their shapes."),
    TEXT("input_layer_value_range", "NAME,LOW,HIGH:...", input_layer_value_range,
         "Random values from LOW to HIGH."),
    TEXT("input_layer_value_files", "NAME:FILE,...", input_layer_value_files,
         "Values from files: .npy, or the bytes of the tensor, or strings that end with NUL. '::' stands for "
         "a ':' in a name."),
    FLAG("use_gpu", use_gpu, "The OpenCL delegate; --delegate tells more."),
    FLAG("gpu_precision_loss_allowed", gpu_precision_loss_allowed,
         "With --use_gpu: precision=float16. On by default, as in TensorFlow Lite."),
    FLAG("gpu_experimental_enable_quant", gpu_experimental_enable_quant,
         "With --use_gpu: quantized operators, too. On by default."),
    TEXT("gpu_backend", "cl", gpu_backend, "There is OpenCL, cl, and no other."),
    FLAG("require_full_delegation", require_full_delegation, "Fail unless a delegate takes the whole graph."),
    INTEGER("max_delegated_partitions", max_delegated_partitions, INT_MIN, "With --use_gpu; 0: all."),
    INTEGER("min_nodes_per_partition", min_nodes_per_partition, INT_MIN,
            "With --use_gpu: smaller partitions stay with the CPU."),
    INTEGER("first_delegate_node_index", first_delegate_node, 0,
            "With --use_gpu: nodes before stay with the CPU,"),
    INTEGER("last_delegate_node_index", last_delegate_node, 0, "and those behind."),
    TEXT("delegate_serialize_dir", "FOLDER", serialize_dir,
         "With --use_gpu and a token: keeps compiled programs there."),
    TEXT("delegate_serialize_token", "TOKEN", serialize_token,
         "Any text; the programs tell themselves apart."),
    FILE_PATH("external_delegate_path", external_path, "A library that has a delegate."),
    TEXT("external_delegate_options", "KEY:VALUE;...", external_options, "Its options."),
    {OPTION("enable_op_profiling", NULL, kToolFlag, profile,
            "Times of each node and, on the device, of each kernel, with work and achieved rates."),
     .alias = "profile"},
    CHOICE("op_profiling_output_mode", profile_mode, "stdout|csv|proto",
           "Their form: TensorFlow Lite's tables, these with commas, or protocol buffers."),
    FILE_PATH("op_profiling_output_file", profile_file, "Where they go."),
    FILE_PATH("profiling_output_csv_file", profile_csv_file, "The same, with mode csv."),
    FLAG("export_model_runtime_info", export_runtime_info, "Write what the interpreter consists of"),
    FILE_PATH("model_runtime_info_output_file", runtime_info_file, "to this file, in protocol buffers."),
    FLAG("report_peak_memory_footprint", peak_memory, "Look at the process's memory periodically,"),
    INTEGER("memory_footprint_check_interval_ms", memory_interval, INT_MIN,
            "every so many milliseconds (50)."),
    FLAG("print_preinvoke_state", print_before, "Print tensors and nodes before the first inference,"),
    FLAG("print_postinvoke_state", print_after, "and after the last."),
    INTEGER("tensor_name_display_length", name_width, 1, "Columns of their table: names (25),"),
    INTEGER("tensor_type_display_length", type_width, 1, "types (15),"),
    INTEGER("alloc_type_display_length", allocation_width, 1, "kinds of memory (18)."),
    FILE_PATH("output_filepath", output_path, "Write the bytes of all outputs, of the last inference."),
    FILE_PATH("output_proto_filepath", example_path, "Write the outputs as a tensorflow.Example."),
    FILE_PATH("result_file_path", result_path, "Write the figures in Protocol Buffers."),
    TEXT("benchmark_name", "NAME", benchmark_name, "A name to go with the figures."),
    FLAG("verbose", verbose, "Print all flags, not only those that are given."),
    CALL("runs", "N", take_runs, "Just so many timed inferences: --num_runs=N --min_secs=0."),
    CALL("warmup", "N", take_warmup, "And before them: --warmup_runs=N --warmup_min_secs=0."),
    TOOL_RESIZE_OPTION(BenchSettings, resizes),
    FLAG("roofline", roofline,
         "The same as --enable_op_profiling, and afterwards measures what the processor and the device "
         "reach: the share of it that each node has."),
    FILE_PATH("json", json, "Write all figures as JSON; '-' is the standard output, without the report."),
    FILE_PATH("csv", csv, "Write a line for each node and kernel, with --enable_op_profiling."),
#define IDLE_FLAG(name, standard, why) FLAG(#name, idle_##name, NULL),
#define IDLE_NUMBER(name, standard, why) INTEGER(#name, idle_##name, INT_MIN, NULL),
#define IDLE_TEXT(name, why) TEXT(#name, "TEXT", idle_##name, NULL),
#include "tools/bench/idle.def"
    {0},
};

const BenchSettings bench_defaults = {
    .num_threads = -1,
    .num_runs = 50,
    .warmup_runs = 1,
    .min_secs = 1,
    .max_secs = 150,
    .warmup_min_secs = 0.5,
    .run_delay = -1,
    .run_frequency = -1,
    .gpu_precision_loss_allowed = true,
    .gpu_experimental_enable_quant = true,
    .last_delegate_node = INT_MAX,
    .profile_mode = "stdout",
    .memory_interval = 50,
    .name_width = 25,
    .type_width = 15,
    .allocation_width = 18,
#define IDLE_FLAG(name, standard, why) .idle_##name = (standard),
#define IDLE_NUMBER(name, standard, why) .idle_##name = (standard),
#define IDLE_TEXT(name, why)
#include "tools/bench/idle.def"
};
