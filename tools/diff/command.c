// SPDX-License-Identifier: Apache-2.0
// oclite diff: compares a model in two configurations, tensor by tensor.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tools/commands.h"
#include "tools/common/options.h"
#include "tools/diff/compare_runs.h"
#include "tools/diff/cut.h"
#include "tools/diff/diff.h"
#include "tools/diff/folder.h"
#include "tools/diff/json.h"
#include "tools/diff/report.h"
#include "tools/diff/search.h"
#include "tools/diff/write.h"

typedef struct Line {
    const char* a;
    const char* b;
    ToolList files;
    ToolList shapes;
    int seed;
    int runs;
    int threads;
    const char* signature;
    const char* tolerance;
    const char* python;
    const char* out;
    const char* json;
    int rows;
    bool all;
} Line;

static ToolStatus open_sides(DiffWork* work, const Line* line, ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        status = diff_side_open(&work->sides[s], s ? 'B' : 'A', s ? line->b : line->a, line->threads,
                                line->python, work->folder, message);
    }
    return status;
}

// `path` is for the graph of a signature.
static ToolStatus choose_graph(DiffWork* work, const Line* line, char* path, size_t room,
                               ToolMessage* message) {
    bool is_written = false;
    ToolStatus status = kToolOk;
    snprintf(path, room, "%s/signature.tflite", work->folder);
    if (line->signature != NULL) {
        status = diff_cut_signature(work->model, line->signature, path, &is_written, message);
    }
    work->path = is_written ? path : work->model;
    return status;
}

static ToolStatus say_it_differs(const DiffWork* work, ToolMessage* message) {
    const DiffFinding* finding = &work->finding;
    if (finding->cause == kDiffNone || finding->cause == kDiffRandom) return kToolOk;
    if (finding->cause == kDiffSum || finding->node_count == 0) {
        return tool_fail(message, kToolFile, "%s: %s and %s differ, but no node by itself", work->model,
                         work->sides[0].text, work->sides[1].text);
    }
    const int node = finding->nodes[0];
    return tool_fail(message, kToolFile, "%s: %s and %s differ, first in node #%d %s", work->model,
                     work->sides[0].text, work->sides[1].text, node, diff_graph_node(&work->graph, node).op);
}

static ToolStatus compare(DiffWork* work, const Line* line, ToolMessage* message) {
    const DiffRuns runs = {
        .files = &line->files, .shapes = &line->shapes, .seed = line->seed, .count = line->runs};
    char path[DIFF_MAX_PATH];
    ToolStatus status = choose_graph(work, line, path, sizeof(path), message);
    if (status == kToolOk) status = open_sides(work, line, message);
    if (status == kToolOk) status = diff_compare_runs(work, &runs, message);
    if (status == kToolOk) status = diff_search(work, message);
    if (status == kToolOk && line->out != NULL) status = diff_write(work, line->out, message);
    if (status == kToolOk && line->json != NULL) status = diff_write_json(work, line->json, message);
    if (status != kToolOk) return status;
    if (line->json == NULL || strcmp(line->json, "-") != 0)
        diff_print(work, line->all ? INT_MAX : line->rows);
    return say_it_differs(work, message);
}

static void close_work(DiffWork* work) {
    for (int s = 0; s < 2; s++) {
        diff_side_close(&work->sides[s]);
        diff_values_free(work->values[s], work->row_count);
        free(work->values[s]);
    }
    diff_values_free(work->inputs, work->input_count);
    diff_values_free(work->inner, work->inner_count);
    free(work->inputs);
    free(work->inner);
    free(work->outputs);
    free(work->tensors);
    free(work->rows);
    free(work->value_of);
    free(work->finding.nodes);
    diff_graph_close(&work->graph);
}

static ToolStatus run_diff(void* settings, const ToolList* operands, ToolMessage* message) {
    const Line* line = settings;
    static char folder[DIFF_MAX_PATH / 2];
    DiffTolerance tolerance = diff_default_tolerance;
    ToolStatus status =
        line->tolerance != NULL ? diff_tolerance_parse(line->tolerance, &tolerance, message) : kToolOk;
    if (status == kToolOk) status = diff_folder_make(folder, sizeof(folder), message);
    if (status != kToolOk) return status;
    DiffWork* work = calloc(1, sizeof(*work));
    if (work != NULL) {
        work->model = operands->items[0];
        work->folder = folder;
        work->tolerance = tolerance;
        work->tolerance_text = line->tolerance;
        work->python = line->python;
        status = compare(work, line, message);
        close_work(work);
        free(work);
    } else {
        status = tool_out_of_memory(message);
    }
    diff_folder_remove(folder);
    return status;
}

#define SIDES "reference|cpu|opencl|opencl:|litert|litert:reference|litert:builtin"

static const ToolOption kOptions[] = {
    {.name = "a",
     .value = "CONFIG",
     .help =
         "The side that counts as right: reference (the default), cpu, the name of a CPU path (oclite "
         "cpu prints them), these with :bfloat16 or :float16 as of --precision, opencl[:KEY=VALUE,...] as of "
         "--delegate, litert, litert:reference, litert:builtin (LiteRT's kernels without XNNPACK).",
     .kind = kToolText,
     .choices = SIDES,
     .offset = offsetof(Line, a)},
    {.name = "b",
     .value = "CONFIG",
     .help = "The side that is compared with it; cpu by default.",
     .kind = kToolText,
     .choices = SIDES,
     .offset = offsetof(Line, b)},
    {.name = "in",
     .value = "FILE",
     .help = "The next input, in the order of the model's inputs; the others are random.",
     .kind = kToolPaths,
     .offset = offsetof(Line, files)},
    TOOL_RESIZE_OPTION(Line, shapes),
    {.name = "signature",
     .value = "KEY",
     .help = "Compares the graph of this signature. Where that is not the main one, its inputs are those "
             "that it reads, in the order in which it does, and what other graphs do before is not done.",
     .kind = kToolText,
     .offset = offsetof(Line, signature)},
    {.name = "seed",
     .value = "N",
     .help = "Of random inputs; 0 by default.",
     .kind = kToolInteger,
     .offset = offsetof(Line, seed)},
    {.name = "runs",
     .value = "N",
     .help = "So many inferences with other random inputs, in the same interpreters, until one differs.",
     .kind = kToolInteger,
     .low = 1,
     .offset = offsetof(Line, runs)},
    {.name = "tolerance",
     .value = "T",
     .help = "What may differ: rel=1e-4,abs=1e-6,ulp=4,steps=1 is the default, and an element agrees when "
             "any of these allows it. rel is relative to the tensor's largest magnitude (for float16 the "
             "default is 2e-3, for bfloat16 1.6e-2), steps are of quantized tensors. A number alone stands "
             "for rel with nothing else for floats, 0 for equality of everything.",
     .kind = kToolText,
     .offset = offsetof(Line, tolerance)},
    {.name = "out",
     .alias = "o",
     .value = "DIR",
     .help = "Writes the node that differs first as a model of its own, its inputs, and the command that "
             "shows it again.",
     .kind = kToolPath,
     .offset = offsetof(Line, out)},
    {.name = "json",
     .value = "FILE",
     .help = "Writes all of it as JSON; - for the standard output, in place of the table.",
     .kind = kToolPath,
     .offset = offsetof(Line, json)},
    {.name = "rows",
     .value = "N",
     .help = "So many tensors are shown; 10 by default.",
     .kind = kToolInteger,
     .offset = offsetof(Line, rows)},
    {.name = "all", .help = "All tensors are shown.", .kind = kToolFlag, .offset = offsetof(Line, all)},
    TOOL_THREADS_OPTION(Line, threads),
    {.name = "python",
     .value = "PATH",
     .help = "A Python that has ai-edge-litert, tflite-runtime or tensorflow, for litert; without it "
             "$OCLITE_PYTHON, else python3.",
     .kind = kToolPath,
     .offset = offsetof(Line, python)},
    {0},
};

const ToolCommand tool_diff_command = {
    .name = "diff",
    .summary =
        "compares every tensor of a model in two configurations, and finds the node that differs first",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Runs the model on both sides with the same inputs and compares all tensors that leave a node, or a "
        "group of nodes that a side computes at once. Nodes whose results differ are computed by themselves, "
        "on both sides from what A gave them: the first that still differs is the cause. When outputs differ "
        "only while nobody looks at the tensors between, as a device may store those in another form, the "
        "tensor is found by bisection.\n\nExit status: 0 when all agrees, 1 when it does not, or cannot be "
        "compared, and 2 for wrong usage.",
    .examples = "  oclite diff model.tflite --b opencl:precision=float16 --out found\n"
                "  oclite diff model.tflite --a litert --b cpu --in picture.npy\n",
    .options = kOptions,
    .size = sizeof(Line),
    .defaults = &(const Line){.a = "reference", .b = "cpu", .runs = 1, .rows = 10},
    .run = run_diff,
};
