// SPDX-License-Identifier: Apache-2.0
#include "tools/common/delegate_keys.h"

#include <string.h>

const ToolDelegateKey tool_delegate_keys[] = {
    {"device", "any|gpu|cpu|N|TEXT", "any|gpu|cpu|accelerator",
     "The first device of that type, the N-th of oclite devices, or the first whose names contain TEXT."},
    {"max_partitions", "N", NULL, "Only the N largest partitions; 0, the default, is all of them."},
    {"min_nodes", "N", NULL, "Partitions with fewer nodes stay with the CPU."},
    {"allow", "NODES", NULL,
     "Only these nodes: operators' names and nodes' numbers, separated by '+': CONV_2D+17. 1:17 is node 17 "
     "of "
     "graph 1."},
    {"deny", "NODES", NULL, "None of these nodes."},
    {"precision", "float32|float16|auto", "float32|float16|auto",
     "How FLOAT32 tensors are stored on the device; auto: as FLOAT16 as far as error_budget allows."},
    {"error_budget", "X", NULL,
     "With precision=auto: how much an output may differ, relative to its largest value (0.001)."},
    {"precision_float32", "NODES", NULL, "These nodes are stored as FLOAT32 whatever precision says."},
    {"precision_float16", "NODES", NULL, "These nodes are stored as FLOAT16 whatever precision says."},
    {"cache_dir", "FOLDER", "",
     "Compiled programs are kept there, see docs/DELEGATE.md for who may own it; off: they are not kept."},
    {"custom_ops", "FILE:FILE...", "", "OpenCL files with operators of your own."},
    {"watchdog_ms", "N", NULL, "A partition that takes longer is given up, and the device; 0: no limit."},
    {"priority", "high|medium|low", "high|medium|low", "Of the kernels, where the driver knows priorities."},
    {"throttle", "high|medium|low", "high|medium|low", "The energy that kernels may take, likewise."},
    {"profiling", "0|1", "0|1", "Whether kernels are timed."},
    {"verbose", "0|1", "0|1",
     "Says on the standard error what the delegate takes and leaves, and why, and the times."},
    {"report", "FILE", "", "The same as JSON."},
    {"selftest", "on|off|force", "on|off|force",
     "Whether a driver that is not known is tried in a process of its own first; force: again."},
    {"tuning", "0|1", "0|1", "Whether ways to launch kernels are measured first, which takes seconds."},
    {"gemm", "auto|own|clblast", "auto|own|clblast",
     "Who multiplies matrices: the delegate, CLBlast, or with tuning whichever is faster."},
    {"partition", "cost|greedy|all|none", "cost|greedy|all|none",
     "What runs on the device: what is fastest, the largest partitions, all that it can, nothing."},
    {"overlap", "cost|on|off", "cost|on|off",
     "Whether the CPU goes on with what does not wait for the device; cost: where that is faster."},
    {"winograd", "auto|off|2x2|4x4", "auto|off|2x2|4x4",
     "Whether filters of 3 x 3 take fewer multiplications, and in which tiles; auto: where that is faster."},
    {"series", "0|1", "0|1",
     "Whether one launch computes all kernels of a partition, on PoCL; 0: each kernel is a launch."},
    {0},
};

bool tool_option_takes_keys(const ToolOption* option) {
    return option->choices != NULL && strstr(option->choices, "opencl:") != NULL;
}
