// SPDX-License-Identifier: Apache-2.0
// oclite view: writes a model as a page, a picture or a trace.
#include <stdlib.h>
#include <string.h>

#include "tools/commands.h"
#include "tools/common/file.h"
#include "tools/common/options.h"
#include "tools/view/data.h"
#include "tools/view/page.h"
#include "tools/view/picture.h"
#include "tools/view/trace.h"

typedef enum Format { kHtml, kDot, kSvg, kTrace, kFormats } Format;

static const char* const kFormatNames[kFormats] = {"html", "dot", "svg", "trace"};
static const char* const kEndings[kFormats] = {".html", ".dot", ".svg", ".json"};

typedef struct View {
    ToolSetup setup;
    const char* out;
    const char* format;
    const char* layout;
    double layout_seconds;
    int runs;
    ToolList shapes;
} View;

static ToolStatus find_format(const View* view, Format* format, ToolMessage* message) {
    const size_t length = strlen(view->out);
    for (int f = 0; f < kFormats; f++) {
        const size_t ending = strlen(kEndings[f]);
        const bool ends = length >= ending && strcmp(view->out + length - ending, kEndings[f]) == 0;
        if (view->format != NULL ? strcmp(view->format, kFormatNames[f]) == 0 : ends) {
            *format = (Format)f;
            return kToolOk;
        }
    }
    return tool_fail(
        message, kToolUsage,
        "--out: '%s' ends with none of .html, .dot, .svg, .json (a trace): --format says what is wanted",
        view->out);
}

static void print_drawing(const ViewDrawing* drawing, Format format, FILE* out) {
    if (format == kHtml) view_print_page(out, drawing);
    if (format == kSvg) view_print_svg(out, drawing);
    if (format == kDot) view_print_dot(out, drawing);
    if (format == kTrace) view_print_trace(out, drawing->subject);
}

// Opens the file after everything that takes long is done.
static ToolStatus write_drawing(const View* view, const ViewDrawing* drawing, Format format,
                                ToolMessage* message) {
    ToolOutput output;
    const ToolStatus status = tool_output_open(view->out, &output, message);
    if (status != kToolOk) return status;
    print_drawing(drawing, format, output.stream);
    return tool_output_close(&output, status, message);
}

static ToolStatus lay_out(const View* view, const ViewSubject* subject, Format format, ViewGraph* graphs,
                          ViewLayout* layouts, ToolMessage* message) {
    const bool is_simple = view->layout != NULL && strcmp(view->layout, "simple") == 0;
    ToolStatus status = kToolOk;
    if (format == kTrace) return status;
    for (int g = 0; g < subject->graph_count && status == kToolOk; g++) {
        status = view_graph_make(subject, g, &graphs[g], message);
    }
    if (status != kToolOk || format == kDot) return status;
    bool has_dot = true;
    status = view_layout_make(graphs, subject->graph_count, is_simple ? 0 : view->layout_seconds, layouts,
                              &has_dot, message);
    if (status != kToolOk || has_dot) return status;
    if (view->layout != NULL) {
        return tool_fail(message, kToolFile, "--layout dot: Graphviz's dot is not in the PATH");
    }
    fputs("oclite: Graphviz's dot is not in the PATH: the nodes are placed without it\n", stderr);
    return kToolOk;
}

static ToolStatus draw(const View* view, const ViewSubject* subject, Format format, ToolMessage* message) {
    const int count = subject->graph_count;
    ViewGraph* graphs = calloc((size_t)count + 1, sizeof(*graphs));
    ViewLayout* layouts = calloc((size_t)count + 1, sizeof(*layouts));
    const ViewDrawing drawing = {subject, graphs, layouts};
    ToolStatus status = graphs != NULL && layouts != NULL
                            ? lay_out(view, subject, format, graphs, layouts, message)
                            : tool_out_of_memory(message);
    if (status == kToolOk) status = write_drawing(view, &drawing, format, message);
    for (int g = 0; g < count && graphs != NULL && layouts != NULL; g++) {
        view_graph_free(&graphs[g]);
        view_layout_free(&layouts[g]);
    }
    free(graphs);
    free(layouts);
    return status;
}

static ToolStatus show(const View* view, const char* model, const ToolResize* resizes, ToolMessage* message) {
    Format format = kHtml;
    ToolStatus status = find_format(view, &format, message);
    if (status != kToolOk) return status;
    const bool is_trace = format == kTrace;
    const ViewMeasure measure = {.runs = is_trace && view->runs == 0 ? 1 : view->runs,
                                 .keep_events = is_trace,
                                 .resizes = resizes,
                                 .resize_count = view->shapes.count};
    ViewSubject subject;
    status = view_subject_open(&subject, model, &view->setup, &measure, message);
    // A trace needs a run; the other forms show what was wrong.
    if (status == kToolOk && is_trace && subject.problem.text[0]) {
        status = tool_fail(message, kToolInvoke, "%s", subject.problem.text);
    }
    if (status == kToolOk) status = draw(view, &subject, format, message);
    view_subject_close(&subject);
    return status;
}

static ToolStatus run_view(void* settings, const ToolList* operands, ToolMessage* message) {
    const View* view = settings;
    if (view->out == NULL) return tool_fail(message, kToolUsage, "--out is missing");
    ToolResize* resizes = calloc((size_t)view->shapes.count + 1, sizeof(*resizes));
    ToolStatus status = resizes != NULL ? kToolOk : tool_out_of_memory(message);
    for (int i = 0; i < view->shapes.count && status == kToolOk; i++) {
        status = tool_parse_resize(view->shapes.items[i], &resizes[i], message);
    }
    if (status == kToolOk) status = show(view, operands->items[0], resizes, message);
    free(resizes);
    return status;
}

static const ToolOption kOptions[] = {
    {.name = "out",
     .alias = "o",
     .value = "FILE",
     .help = "Where the view goes. Its ending says what it is: .html, .dot, .svg, .json for a trace. - is "
             "the standard output, with --format.",
     .kind = kToolPath,
     .offset = offsetof(View, out)},
    {.name = "format",
     .value = "html|dot|svg|trace",
     .help = "What the file is, whatever its ending.",
     .kind = kToolChoice,
     .choices = "html|dot|svg|trace",
     .offset = offsetof(View, format)},
    {.name = "runs",
     .value = "N",
     .help = "Inferences that are timed, behind one that is not; inputs are pseudo-random. 0, the default, "
             "for none: the model is only prepared. A trace has one at least.",
     .kind = kToolInteger,
     .offset = offsetof(View, runs)},
    TOOL_RESIZE_OPTION(View, shapes),
    {.name = "layout",
     .value = "dot|simple",
     .help = "What places the nodes: Graphviz's dot, or rows by depth. By default dot where it is there.",
     .kind = kToolChoice,
     .choices = "dot|simple",
     .offset = offsetof(View, layout)},
    {.name = "layout_seconds",
     .value = "N",
     .help = "How long dot may take, 20 by default; what it has not done by then is laid out in rows.",
     .kind = kToolReal,
     .offset = offsetof(View, layout_seconds)},
    {0},
};

static const View kDefaults = {.layout_seconds = 20};

const ToolCommand tool_view_command = {
    .name = "view",
    .summary = "writes a model as a page to look at, as a picture, or an inference as a trace",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "The page is one file, which needs no network: the graph of each subgraph, coloured by where nodes "
        "run; shapes, quantization and times of a node on a click; the memory plan; nodes sorted by their "
        "time.\n\n"
        "A model whose tensors cannot be allocated, or which cannot be run, is shown with the shapes of the "
        "file, and with the reason. Traces are for Perfetto (ui.perfetto.dev) and chrome://tracing.",
    .examples = "  oclite view model.tflite -o model.html --delegate opencl --runs 20\n"
                "  oclite view model.tflite -o trace.json --delegate opencl\n",
    .options = kOptions,
    .has_setup = true,
    .setup_offset = offsetof(View, setup),
    .size = sizeof(View),
    .defaults = &kDefaults,
    .run = run_view,
};
