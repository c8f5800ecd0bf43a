// SPDX-License-Identifier: Apache-2.0
// oclite run: one job from the command line, or many from a file.
#include <stdio.h>
#include <stdlib.h>

#include "tools/arguments.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/job.h"

// Room for as many pieces as there are arguments; runs point into `resizes` and `files`.
typedef struct CommandLine {
    ToolJob job;
    ToolSetup setup;
    const char* batch;
    ToolRun* runs;
    ToolResize* resizes;
    const char** files;
    int resize_count;
    int file_count;
} CommandLine;

static void start_run(CommandLine* line) {
    line->runs[line->job.run_count++] =
        (ToolRun){.resizes = line->resizes + line->resize_count, .files = line->files + line->file_count};
}

static ToolStatus take_argument(ToolArguments* arguments, CommandLine* line, ToolMessage* message) {
    ToolRun* run = &line->runs[line->job.run_count - 1];
    bool matched = false;
    const ToolStatus status = tool_argument_setup(arguments, &line->setup, &matched, message);
    if (matched) return status;
    if (tool_argument_is(arguments, "--run")) {
        start_run(line);
        return kToolOk;
    }
    if (tool_argument_is(arguments, "--out")) {
        line->job.out = tool_argument_value(arguments, "--out", message);
        return line->job.out ? kToolOk : kToolUsage;
    }
    if (tool_argument_is(arguments, "--batch")) {
        line->batch = tool_argument_value(arguments, "--batch", message);
        return line->batch ? kToolOk : kToolUsage;
    }
    if (tool_argument_is(arguments, "--resize")) {
        ++run->resize_count;
        return tool_argument_resize(arguments, &line->resizes[line->resize_count++], message) ? kToolOk
                                                                                              : kToolUsage;
    }
    if (tool_argument_is(arguments, "--in")) {
        const char* file = tool_argument_value(arguments, "--in", message);
        if (!file) return kToolUsage;
        ++run->file_count;
        line->files[line->file_count++] = file;
        return kToolOk;
    }
    return tool_argument_model(arguments, &line->job.model, message);
}

static ToolStatus parse_line(int count, char** items, CommandLine* line, ToolMessage* message) {
    ToolArguments arguments = {.count = count, .items = items};
    start_run(line);
    while (arguments.next < count) {
        const ToolStatus status = take_argument(&arguments, line, message);
        if (status != kToolOk) return status;
    }
    const bool has_job =
        line->job.model || line->job.out || line->file_count || line->resize_count || line->job.run_count > 1;
    if (line->batch && has_job) {
        return tool_fail(message, kToolUsage, "--batch takes models, files and shapes from its list");
    }
    if (!line->batch && !line->job.model) return tool_fail(message, kToolUsage, "no model given");
    if (!line->batch && !line->job.out) return tool_fail(message, kToolUsage, "--out is missing");
    return kToolOk;
}

ToolStatus tool_command_run(int count, char** arguments, ToolMessage* message) {
    const size_t room = (size_t)count + 1;
    CommandLine line = {
        .runs = calloc(room, sizeof(*line.runs)),
        .resizes = calloc(room, sizeof(*line.resizes)),
        .files = calloc(room, sizeof(*line.files)),
    };
    ToolStatus status = kToolFile;
    if (line.runs && line.resizes && line.files) {
        line.job.runs = line.runs;
        status = parse_line(count, arguments, &line, message);
        if (status == kToolOk) {
            status = line.batch ? tool_batch_run(line.batch, &line.setup, message)
                                : tool_job_run(&line.job, &line.setup, message);
        }
    } else {
        tool_fail(message, kToolFile, "out of memory");
    }
    free(line.runs);
    free(line.resizes);
    free(line.files);
    return status;
}
