// SPDX-License-Identifier: Apache-2.0
// oclite: runs, shows and times .tflite models from the command line.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tools/commands.h"

static const char kHelp[] =
    "oclite: runs .tflite models\n"
    "\n"
    "  oclite run MODEL --out DIR [--resize I=1x224x224x3]... [--in FILE]... [--run ...]... [SETUP]\n"
    "      Runs the model once, and once more for each --run, in the same interpreter: variables keep their\n"
    "      values. Files follow the order of the model's inputs; inputs without a file are zero. --resize "
    "gives\n"
    "      the I-th input a shape (\"I=\": a scalar, \"I=0x3\": an empty tensor); without it an input takes "
    "the\n"
    "      shape of its file. Outputs go to DIR/out0.npy ..., of later runs to DIR/run1_out0.npy ...\n"
    "      Files: .npy, and for string tensors .json, a list of the elements in base64 or\n"
    "      {\"shape\": [2], \"data\": [list]}. bfloat16 is stored as float32, 4-bit and 2-bit integers as "
    "int8.\n"
    "  oclite run --batch LIST.json [SETUP]\n"
    "      Runs many models: {\"cases\": [{\"name\": N, \"model\": M, \"out\": DIR, \"runs\":\n"
    "      [{\"resize\": {\"0\": [2, 3]}, \"in\": [FILES]}]}]}. Writes {\"rc\": exit status} to "
    "DIR/status.json.\n"
    "  oclite info MODEL [SETUP]\n"
    "      Shows inputs, outputs and nodes; with a delegate, which nodes it takes, and why not the others.\n"
    "  oclite bench MODEL [--runs N] [--warmup N] [--resize ...]... [--profile] [SETUP]\n"
    "      Times inference and prints one line of JSON, times in milliseconds; --profile: then one line per "
    "node,\n"
    "      and with --delegate opencl:profiling=1 one per kernel on the device.\n"
    "  oclite cpu\n"
    "      Prints the CPU paths that this machine and build have, one per line.\n"
    "  oclite --help, --version\n"
    "\n"
    "SETUP\n"
    "  --delegate none|opencl[:key=value,...]   keys: device, max_partitions, min_nodes, allow, deny, "
    "precision, ...\n"
    "  --cpu PATH                               auto, reference (plain C), vec128, avx2, avxvnni, "
    "avx512, avx512vnni,\n"
    "                                           avx512amx, onednn: what computes on the CPU; oclite cpu "
    "prints those "
    "here\n"
    "  --threads N                              threads on the CPU\n"
    "  --memory-limit BYTES                     what tensors may take, also 512K, 64M, 2G; by default the "
    "machine's memory\n"
    "\n"
    "Exit status: 0 all right, 1 a file cannot be read or written, 2 wrong usage (also: an input file of "
    "another\n"
    "type than the input), 10 the model did not load, 11 a resize or allocation failed, 12 a run failed.\n"
    "The custom operator \"Atan\" is registered.\n";

static ToolStatus print_cpu_paths(int count, char** arguments, ToolMessage* message) {
    if (count > 0) return tool_fail(message, kToolUsage, "'%s': cpu takes no arguments", arguments[0]);
    for (int i = 0; oclite_available_cpu_path(i); ++i) puts(oclite_available_cpu_path(i));
    return kToolOk;
}

static const struct Command {
    const char* name;
    ToolStatus (*run)(int count, char** arguments, ToolMessage* message);
} kCommands[] = {
    {"run", tool_command_run},
    {"info", tool_command_info},
    {"bench", tool_command_bench},
    {"cpu", print_cpu_paths},
};

static bool has_argument(int count, char** arguments, const char* name) {
    for (int i = 1; i < count; ++i) {
        if (strcmp(arguments[i], name) == 0) return true;
    }
    return false;
}

static ToolStatus dispatch(int count, char** arguments, ToolMessage* message) {
    for (size_t i = 0; i < sizeof(kCommands) / sizeof(kCommands[0]); ++i) {
        if (count > 1 && strcmp(arguments[1], kCommands[i].name) == 0) {
            return kCommands[i].run(count - 2, arguments + 2, message);
        }
    }
    if (count < 2) return tool_fail(message, kToolUsage, "no command given, see oclite --help");
    return tool_fail(message, kToolUsage, "unknown command '%s', see oclite --help", arguments[1]);
}

int main(int count, char** arguments) {
    if (has_argument(count, arguments, "--help") || has_argument(count, arguments, "-h")) {
        fputs(kHelp, stdout);
        return kToolOk;
    }
    if (has_argument(count, arguments, "--version")) {
        printf("oclite %s (TensorFlow Lite API %s)\n", oclite_version(), TfLiteVersion());
        return kToolOk;
    }
    ToolMessage message = {{0}};
    const ToolStatus status = dispatch(count, arguments, &message);
    if (status != kToolOk) fprintf(stderr, "oclite: %s\n", message.text);
    return status;
}
