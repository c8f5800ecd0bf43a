// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_number(double value, int width) {
    if (isinf(value)) {
        printf(" %*s", width, value > 0 ? "inf" : "-inf");
    } else {
        printf(" %*.3g", width, value);
    }
}

static void print_heading(void) {
    printf("%5s  %-24s %7s  %-28s %9s %9s %8s %9s  %s\n", "node", "operator", "tensor", "shape", "max error",
           "mean", "SNR dB", "own error", "verdict");
}

static void print_verdict(const DiffRow* row) {
    const DiffError* error = &row->error;
    printf("  %s", diff_verdict_text(error->verdict));
    if (error->verdict >= kDiffDiffers) {
        if (error->count > 1) printf(", %zu of %zu", error->beyond, error->count);
        printf("; [%zu] ", error->worst);
        tool_print_name(error->values[0]);
        printf(" | ");
        tool_print_name(error->values[1]);
    }
    if (row->note.text[0]) printf(" (");
    tool_print_name(row->note.text);
    if (row->note.text[0]) printf(")");
    printf("\n");
}

static void print_shape(const DiffWork* work, const DiffRow* row) {
    char text[TOOL_SHAPE_TEXT];
    char shown[TOOL_SHAPE_TEXT + 32];
    const TfLiteTensor* tensor = diff_graph_tensor(&work->graph, row->tensor);
    const ToolInput* value = &work->values[0][row - work->rows];
    const ToolShape* shape = value->is_strings ? &value->strings.shape : &value->array.shape;
    snprintf(shown, sizeof(shown), "%s (%s)", TfLiteTypeGetName(TfLiteTensorType(tensor)),
             tool_shape_text(shape, text));
    printf("  %-28s", shown);
}

static void print_row(const DiffWork* work, const DiffRow* row) {
    const int writer = work->graph.writer[row->tensor];
    if (writer < 0) {
        printf("%5s  %-24s", "-", "(no node)");
    } else {
        printf("%5d  ", writer);
        const OcliteNode node = diff_graph_node(&work->graph, writer);
        tool_print_name(node.op);
        for (size_t i = strlen(node.op); i < 24; i++) printf(" ");
    }
    printf(" %7d", row->tensor);
    print_shape(work, row);
    print_number(row->error.max, 9);
    print_number(row->error.mean, 9);
    print_number(row->error.signal, 8);
    if (row->has_own) {
        print_number(row->own.max, 9);
    } else {
        printf(" %9s", "-");
    }
    print_verdict(row);
}

// Calls `print` for rows in the order of the graph: first for tensors that no node writes, then node by node.
static int print_rows(const DiffWork* work, bool only_beyond, int most) {
    int shown = 0;
    for (int n = -1; n < work->graph.node_count && shown < most; n++) {
        for (int r = 0; r < work->row_count && shown < most; r++) {
            const DiffRow* row = &work->rows[r];
            if (work->graph.writer[row->tensor] != n || diff_find_row(work, row->tensor) != row) continue;
            if (only_beyond && !diff_is_beyond(&row->error)) continue;
            print_row(work, row);
            shown++;
        }
    }
    return shown;
}

static int count_rows(const DiffWork* work, DiffVerdict least, DiffVerdict most) {
    int count = 0;
    for (int r = 0; r < work->row_count; r++) {
        const DiffVerdict verdict = work->rows[r].error.verdict;
        count += verdict >= least && verdict <= most &&
                 diff_find_row(work, work->rows[r].tensor) == &work->rows[r];
    }
    return count;
}

static void print_nodes(const DiffWork* work) {
    const DiffFinding* finding = &work->finding;
    printf("node%s", finding->node_count > 1 ? "s" : "");
    for (int n = 0; n < finding->node_count; n++) {
        printf(n ? ", #%d " : " #%d ", finding->nodes[n]);
        tool_print_name(diff_graph_node(&work->graph, finding->nodes[n]).op);
    }
}

static void print_worst(const DiffError* error) {
    printf("max error %.3g", error->max);
    if (error->count) {
        printf(" at [%zu]: ", error->worst);
        tool_print_name(error->values[0]);
        printf(" | ");
        tool_print_name(error->values[1]);
    }
    printf("\n");
}

// Converters join the names of all that was fused, separated by ';'.
static void print_tensor(const DiffWork* work, int tensor, const char* where) {
    const char* name = TfLiteTensorName(diff_graph_tensor(&work->graph, tensor));
    char shown[64];
    const size_t first = strcspn(name, ";");
    const size_t most = sizeof(shown) - sizeof("...");
    snprintf(shown, sizeof(shown), "%.*s%s", (int)(first < most ? first : most), name,
             name[first] || first > most ? "..." : "");
    printf("  tensor %d \"", tensor);
    tool_print_name(shown);
    printf("\" %s", where);
}

static void print_finding(const DiffWork* work) {
    static const char* const texts[] = {
        [kDiffNode] = "first to differ: ",
        [kDiffFused] = "first to differ, computed at once and none of them by itself: ",
        [kDiffStored] = "differs only while the tensor between them stays on the device: ",
        [kDiffSum] = "no node differs by itself, small errors grow; the largest is that of ",
        [kDiffUnproven] = "first to differ, not computed by itself: ",
    };
    const DiffFinding* finding = &work->finding;
    if (finding->cause == kDiffNone) return;
    if (finding->cause == kDiffRandom) {
        printf("only what follows from random numbers differs: every side has its own\n");
        return;
    }
    printf("%s", texts[finding->cause]);
    if (finding->node_count) print_nodes(work);
    printf("\n");
    if (finding->cause == kDiffStored) {
        if (finding->tensor >= 0) print_tensor(work, finding->tensor, "between them\n");
        printf("  output of the model: ");
    } else {
        print_tensor(work, finding->tensor, "in the model: ");
    }
    print_worst(&finding->error);
    if (finding->is_alone) {
        print_tensor(work, finding->own_tensor, "by itself, from A's inputs: ");
        print_worst(&finding->own);
    }
    if (finding->node_count == 1 && diff_graph_is_control(&work->graph, finding->nodes[0])) {
        printf("  it is something in the graphs that this node runs\n");
    }
    if (finding->note.text[0]) {
        printf("  ");
        tool_print_name(finding->note.text);
        printf("\n");
    }
    if (finding->command[0]) {
        printf("  to see it again: ");
        tool_print_name(finding->command);
        printf("\n");
    }
}

// Prints what was not compared.
static void print_limits(const DiffWork* work) {
    const TfLiteInterpreter* interpreter = work->graph.session.interpreter;
    const int signatures = TfLiteInterpreterGetSignatureCount(interpreter);
    bool runs_graphs = false;
    for (int n = 0; n < work->graph.node_count; n++) {
        runs_graphs = runs_graphs || diff_graph_is_control(&work->graph, n);
    }
    if (runs_graphs) printf("graphs that nodes run (WHILE, IF ...) are compared by their results alone\n");
    if (signatures < 2) return;
    printf("of %d signatures that of the main graph is compared; --signature chooses another\n", signatures);
}

void diff_print(const DiffWork* work, int most_rows) {
    const int beyond = count_rows(work, kDiffDiffers, kDiffOtherShape);
    for (int s = 0; s < 2; s++) {
        printf("%c  ", 'A' + s);
        tool_print_name(work->about[s]);
        printf("\n");
    }
    print_limits(work);
    if (work->run > 0) printf("inference %d\n", work->run);
    print_heading();
    const int shown = print_rows(work, beyond > 0 && most_rows < work->row_count, most_rows);
    const int all = count_rows(work, kDiffNotCompared, kDiffOtherShape);
    if (shown < all) printf("(%d of %d tensors are shown; --all shows the others)\n", shown, all);
    printf("%d tensors are the same to the bit, %d agree, %d differ", count_rows(work, kDiffSame, kDiffSame),
           count_rows(work, kDiffAgrees, kDiffAgrees), beyond);
    const int skipped = count_rows(work, kDiffNotCompared, kDiffNotCompared);
    if (skipped) printf(", %d could not be compared", skipped);
    printf("\n");
    print_finding(work);
}
