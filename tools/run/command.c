// SPDX-License-Identifier: Apache-2.0
// oclite run: one job from the command line, or many from a file.
#include <stdlib.h>

#include "tools/commands.h"
#include "tools/common/job.h"
#include "tools/common/options.h"
#include "tools/run/batch.h"

// The shapes and files of all runs, one after the other. `ends` holds how many there were at each --run.
typedef struct Line {
    ToolSetup setup;
    const char* out;
    const char* batch;
    ToolList shapes;
    ToolList files;
    int (*ends)[2];
    int end_count;
} Line;

static ToolStatus begin_run(void* settings, const char* value, ToolMessage* message) {
    (void)value;
    Line* line = settings;
    int(*ends)[2] = realloc(line->ends, ((size_t)line->end_count + 1) * sizeof(*ends));
    if (ends == NULL) return tool_out_of_memory(message);
    line->ends = ends;
    ends[line->end_count][0] = line->shapes.count;
    ends[line->end_count++][1] = line->files.count;
    return kToolOk;
}

static ToolStatus run_job(const Line* line, const char* model, ToolRun* runs, ToolResize* resizes,
                          ToolMessage* message) {
    for (int i = 0; i < line->shapes.count; i++) {
        const ToolStatus status = tool_parse_resize(line->shapes.items[i], &resizes[i], message);
        if (status != kToolOk) return status;
    }
    for (int r = 0, shape = 0, file = 0; r < line->end_count; r++) {
        runs[r] = (ToolRun){.resizes = resizes + shape, .files = line->files.items + file};
        runs[r].resize_count = line->ends[r][0] - shape;
        runs[r].file_count = line->ends[r][1] - file;
        shape = line->ends[r][0];
        file = line->ends[r][1];
    }
    const ToolJob job = {.model = model, .out = line->out, .run_count = line->end_count, .runs = runs};
    return tool_job_run(&job, &line->setup, message);
}

static ToolStatus run_line(Line* line, const ToolList* operands, ToolMessage* message) {
    const bool has_job =
        operands->count || line->out != NULL || line->files.count || line->shapes.count || line->ends != NULL;
    if (line->batch != NULL && has_job) {
        return tool_fail(message, kToolUsage, "--batch takes models, files and shapes from its list");
    }
    if (line->batch != NULL) return tool_batch_run(line->batch, &line->setup, message);
    if (!operands->count) return tool_fail(message, kToolUsage, "no model given");
    if (line->out == NULL) return tool_fail(message, kToolUsage, "--out is missing");
    const ToolStatus status = begin_run(line, NULL, message); // ends the last one
    if (status != kToolOk) return status;
    ToolRun* runs = calloc((size_t)line->end_count, sizeof(*runs));
    ToolResize* resizes = calloc((size_t)line->shapes.count + 1, sizeof(*resizes));
    const ToolStatus result = runs != NULL && resizes != NULL
                                  ? run_job(line, operands->items[0], runs, resizes, message)
                                  : tool_out_of_memory(message);
    free(runs);
    free(resizes);
    return result;
}

static ToolStatus run(void* settings, const ToolList* operands, ToolMessage* message) {
    return run_line(settings, operands, message);
}

static void release(void* settings) {
    free(((Line*)settings)->ends);
}

static const ToolOption kOptions[] = {
    {.name = "out",
     .alias = "o",
     .value = "DIR",
     .help = "Where outputs go: DIR/out0.npy ..., of later runs DIR/run1_out0.npy ...",
     .kind = kToolPath,
     .offset = offsetof(Line, out)},
    {.name = "in",
     .value = "FILE",
     .help = "The next input, in the order of the model's inputs.",
     .kind = kToolPaths,
     .offset = offsetof(Line, files)},
    TOOL_RESIZE_OPTION(Line, shapes),
    {.name = "run",
     .help = "What follows is of one more run, in the same interpreter: variables keep their values.",
     .kind = kToolCall,
     .take = begin_run},
    {.name = "batch",
     .value = "LIST.json",
     .help = "Runs many models in place of one: {\"cases\": [{\"name\": N, \"model\": M, \"out\": DIR, "
             "\"runs\": [{\"resize\": {\"0\": [2, 3]}, \"in\": [FILES]}]}]}. Writes {\"rc\": exit status} to "
             "DIR/status.json.",
     .kind = kToolPath,
     .offset = offsetof(Line, batch)},
    {0},
};

const ToolCommand tool_run_command = {
    .name = "run",
    .summary = "runs a model on inputs from files, and writes its outputs",
    .operands = "MODEL",
    .max_operands = 1,
    .description = "Runs the model once, and once more for each --run. Inputs without a file are zero; "
                   "without --resize an input takes the shape of its file.\n\nFiles: .npy, and for string "
                   "tensors .json, a list of the elements in base64 or {\"shape\": [2], \"data\": [list]}. "
                   "bfloat16 is stored as float32, 4-bit and 2-bit integers as int8.",
    .examples = "  oclite run model.tflite --in picture.npy --out results --threads 2\n",
    .options = kOptions,
    .has_setup = true,
    .setup_offset = offsetof(Line, setup),
    .size = sizeof(Line),
    .has_detailed_status = true,
    .run = run,
    .release = release,
};
