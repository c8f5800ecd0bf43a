// SPDX-License-Identifier: Apache-2.0
#include "tools/common/op_cost.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tools/common/element.h"

// A node, its tensors, and the rule for its operator. A value that the shapes do not determine is NAN, which
// any product keeps.
typedef struct View {
    const TfLiteInterpreter* interpreter;
    int subgraph;
    OcliteNode node;
    const struct Rule* rule;
} View;

enum { kOutput = -1 }; // in the place of an input's number

typedef struct Rule {
    double (*operations)(const View* view); // NULL: not known
    double factor;
    int input; // or kOutput
    int axis;
    uint64_t weights; // inputs, one bit for each
    bool picks;       // reads only a part of `input`
    bool looks;       // reads no contents at all
} Rule;

static const TfLiteTensor* tensor_of(const View* view, int input) {
    const OcliteNode* node = &view->node;
    int tensor = -1;
    if (input == kOutput && node->output_count > 0) tensor = node->outputs[0];
    if (input >= 0 && input < node->input_count) tensor = node->inputs[input];
    return tensor < 0 ? NULL : oclite_interpreter_tensor(view->interpreter, view->subgraph, tensor);
}

double tool_op_cost_elements(const TfLiteTensor* tensor) {
    double elements = 1;
    if (tensor == NULL || tensor->dims == NULL) return NAN;
    for (int d = 0; d < tensor->dims->size; d++) {
        if (tensor->dims->data[d] < 0) return NAN;
        elements *= tensor->dims->data[d];
    }
    return elements;
}

static double elements_of(const View* view, int input) {
    return tool_op_cost_elements(tensor_of(view, input));
}

// Negative axes count from the end.
static double length_of(const View* view, int input, int axis) {
    const TfLiteTensor* tensor = tensor_of(view, input);
    if (tensor == NULL || tensor->dims == NULL) return NAN;
    if (axis < 0) axis += tensor->dims->size;
    return axis >= 0 && axis < tensor->dims->size ? tensor->dims->data[axis] : NAN;
}

// Returns the number of elements that share a place along the axis.
static double slice_of(const View* view, int input, int axis) {
    const double elements = elements_of(view, input);
    const double length = length_of(view, input, axis);
    return elements == 0 && length >= 0 ? 0 : elements / length;
}

static double none(const View* view) {
    (void)view;
    return 0;
}

static double per_element(const View* view) {
    return view->rule->factor * elements_of(view, view->rule->input);
}

static double product(const View* view) {
    return 2 * elements_of(view, view->rule->input) * slice_of(view, 1, view->rule->axis);
}

static double batch_matmul(const View* view) {
    const TfLiteBatchMatMulParams* params = view->node.node->builtin_data;
    return 2 * elements_of(view, kOutput) * length_of(view, 0, params != NULL && params->adj_x ? -2 : -1);
}

// Counts the operations of one step: three gates, two activations, three products and a sum for each cell,
// and eight operations for each element that is normalized.
static double cell_work(const View* view, bool is_basic) {
    if (is_basic) return 9 * length_of(view, 2, 0) / 4;
    double work = 9 * length_of(view, 3, 0);
    if (view->node.builtin_code == kTfLiteBuiltinBidirectionalSequenceLstm) {
        return work + 9 * length_of(view, 20, 0);
    }
    for (int i = 20; i < 24; i++) {
        if (tensor_of(view, i) != NULL) work += 8 * elements_of(view, i);
    }
    return work;
}

static double recurrent(const View* view) {
    const int code = view->node.builtin_code;
    const bool is_basic = code == kTfLiteBuiltinLstm && view->node.input_count == 5;
    const uint64_t weights = is_basic ? UINT64_C(1) << 2 : view->rule->weights;
    double step = 0;
    for (int i = 0; i < 64; i++) {
        if (weights >> i & 1 && tensor_of(view, i) != NULL) step += 2 * elements_of(view, i);
    }
    if (code == kTfLiteBuiltinSvdf) step += length_of(view, 1, 0); // sums over the rank
    const bool is_lstm = code == kTfLiteBuiltinLstm || code == kTfLiteBuiltinUnidirectionalSequenceLstm ||
                         code == kTfLiteBuiltinBidirectionalSequenceLstm;
    if (is_lstm) step += cell_work(view, is_basic);
    return slice_of(view, 0, -1) * step;
}

static double pool(const View* view) {
    const TfLitePoolParams* params = view->node.node->builtin_data;
    if (params == NULL) return NAN;
    const int each = view->node.builtin_code == kTfLiteBuiltinL2Pool2d ? 2 : 1;
    return each * elements_of(view, kOutput) * params->filter_width * params->filter_height;
}

static double reduce_window(const View* view) {
    const TfLiteTensor* window = tensor_of(view, 2);
    if (window == NULL || window->type != kTfLiteInt64 || window->allocation_type != kTfLiteMmapRo)
        return NAN;
    const int64_t* lengths = TfLiteTensorData(window);
    const size_t rank = TfLiteTensorByteSize(window) / sizeof(*lengths);
    double operations = elements_of(view, kOutput);
    for (size_t d = 0; d < rank; d++) operations *= (double)lengths[d];
    return operations;
}

static double stablehlo_reduce_window(const View* view) {
    const TfLiteStablehloReduceWindowParams* params = view->node.node->builtin_data;
    const TfLiteTensor* input = tensor_of(view, 0);
    if (params == NULL || input == NULL || input->dims == NULL) return NAN;
    double operations = elements_of(view, kOutput);
    for (int d = 0; d < input->dims->size && d < TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT;
         d++) {
        operations *= (double)params->window_dimensions[d];
    }
    return operations;
}

// Counts squares and their sum; then scale, bias, power and quotient.
static double local_response_normalization(const View* view) {
    const TfLiteLocalResponseNormParams* params = view->node.node->builtin_data;
    return params != NULL ? (2 * (2.0 * params->radius + 1) + 4) * elements_of(view, kOutput) : NAN;
}

// Counts 5 n log2 n for n complex numbers, and half of that for real ones.
static double rfft2d(const View* view) {
    const double rows = length_of(view, kOutput, -2);
    const double columns = length_of(view, kOutput, -1);
    const double length = rows * (columns > 1 ? 2 * (columns - 1) : 1);
    if (length < 1) return 0;
    return elements_of(view, kOutput) / (rows * columns) * 2.5 * length * log2(length);
}

static double embedding_lookup_sparse(const View* view) {
    return 2 * elements_of(view, 0) * slice_of(view, 4, 0);
}

static double add_n(const View* view) {
    return (view->node.input_count - 1) * elements_of(view, kOutput);
}

#define INPUTS(first, last) (((UINT64_C(1) << ((last) - (first) + 1)) - 1) << (first))
#define RULE(Op, function) [kTfLiteBuiltin##Op] = {.operations = function},
#define PER_OUTPUT(Op, n) [kTfLiteBuiltin##Op] = {.operations = per_element, .factor = n, .input = kOutput},
#define PER_INPUT(Op, i, n) [kTfLiteBuiltin##Op] = {.operations = per_element, .factor = n, .input = i},
#define PRODUCT(Op, per, a) [kTfLiteBuiltin##Op] = {.operations = product, .input = per, .axis = a},
#define RECURRENT(Op, set) [kTfLiteBuiltin##Op] = {.operations = recurrent, .weights = set},
#define MOVES(Op) [kTfLiteBuiltin##Op] = {.operations = none},
#define PICKS(Op, i) [kTfLiteBuiltin##Op] = {.operations = none, .input = i, .picks = true},
#define LOOKS(Op) [kTfLiteBuiltin##Op] = {.operations = none, .looks = true},
#define UNKNOWN(Op) [kTfLiteBuiltin##Op] = {.operations = NULL},
static const Rule kRules[] = {
#include "tools/common/op_cost.def"
};

// Operators that are not in the table are unknown.
static const Rule* find_rule(int builtin_code) {
    static const Rule unknown = {0};
    const int count = (int)(sizeof(kRules) / sizeof(kRules[0]));
    return builtin_code >= 0 && builtin_code < count ? &kRules[builtin_code] : &unknown;
}

// Strings and sparse tensors take the bytes that they have; tensors inside a delegate have none.
static double bytes_of(const TfLiteTensor* tensor) {
    const double each = (double)tool_element_tensor_bytes(TfLiteTensorType(tensor), 8) / 8;
    const double elements = tool_op_cost_elements(tensor);
    if (each == 0 || tensor->sparsity != NULL || isnan(elements)) return (double)TfLiteTensorByteSize(tensor);
    return ceil(elements * each);
}

static bool occurs_before(const int* tensors, int index) {
    for (int i = 0; i < index; i++) {
        if (tensors[i] == tensors[index]) return true;
    }
    return false;
}

static void count_bytes(const View* view, ToolOpCost* work) {
    const OcliteNode* node = &view->node;
    for (int i = 0; i < node->output_count; i++) {
        const TfLiteTensor* tensor =
            oclite_interpreter_tensor(view->interpreter, view->subgraph, node->outputs[i]);
        if (tensor != NULL) work->bytes_written += bytes_of(tensor);
    }
    const double written = work->bytes_written;
    for (int i = 0; i < node->input_count && !view->rule->looks; i++) {
        const TfLiteTensor* tensor = tensor_of(view, i);
        if (tensor == NULL || occurs_before(node->inputs, i)) continue;
        const double bytes = bytes_of(tensor);
        const bool is_part = view->rule->picks && view->rule->input == i && bytes > written;
        work->bytes_read += is_part ? written : bytes;
        if (tensor->is_variable) work->bytes_written += bytes;
    }
}

ToolOpCost tool_op_cost(const TfLiteInterpreter* interpreter, int subgraph, int node) {
    View view = {.interpreter = interpreter, .subgraph = subgraph};
    ToolOpCost work = {.operations = -1};
    if (oclite_interpreter_node(interpreter, subgraph, node, &view.node) != kTfLiteOk) return work;
    if (view.node.is_delegate) {
        const ToolOpCostSum sum =
            tool_op_cost_sum(interpreter, subgraph, view.node.replaced, view.node.replaced_count);
        return (ToolOpCost){sum.unknown_count > 0 ? -1 : sum.operations, sum.bytes_read, sum.bytes_written};
    }
    view.rule = find_rule(view.node.builtin_code);
    count_bytes(&view, &work);
    if (view.rule->operations != NULL) work.operations = view.rule->operations(&view);
    if (isnan(work.operations)) work.operations = -1;
    return work;
}

static void add(ToolOpCostSum* sum, const TfLiteInterpreter* interpreter, int subgraph, int node) {
    const ToolOpCost work = tool_op_cost(interpreter, subgraph, node);
    if (work.operations >= 0) sum->operations += work.operations;
    sum->unknown_count += work.operations < 0;
    sum->bytes_read += work.bytes_read;
    sum->bytes_written += work.bytes_written;
    sum->node_count++;
}

ToolOpCostSum tool_op_cost_sum(const TfLiteInterpreter* interpreter, int subgraph, const int* nodes,
                               int count) {
    ToolOpCostSum sum = {0};
    for (int i = 0; nodes != NULL && i < count; i++) add(&sum, interpreter, subgraph, nodes[i]);
    OcliteNode node;
    for (int n = 0; nodes == NULL && oclite_interpreter_node(interpreter, subgraph, n, &node) == kTfLiteOk;
         n++) {
        if (!node.is_delegate) add(&sum, interpreter, subgraph, n);
    }
    return sum;
}
