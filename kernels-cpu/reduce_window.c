// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_REDUCE_WINDOW and REDUCE_WINDOW. Each output begins with an initial value, into which a function
// folds the elements of a window. Padding, and the holes that dilating the input makes, count as the initial
// value.
#include <assert.h>

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/semantics/move.h"
#include "kernels-cpu/support/reducer.h"
#include "kernels-cpu/support/size.h"

enum { kInput, kInitial, kWindows, kStrides, kDilations };
enum {
    kMaxRank = 6,      // of the reference
    kGrain = 16 * 1024 // elements worth a thread
};

// Folds of one inference. Windows and padding are mere numbers, so that a small model can ask for any time.
#define MAX_STEPS 0x1p38

static const uint32_t reduce_types =
    LITE_TYPES_INTEGER | LITE_TYPE(Float32) | LITE_TYPE(Float64) | LITE_TYPE(Bool);

// Along one dimension.
typedef struct Axis {
    int64_t in;
    int64_t out;
    int64_t window;
    int64_t stride;
    int64_t dilation; // of the window
    int64_t base;     // dilation of the input
    int64_t low;      // padding
    int64_t high;
    int64_t from; // elements of the input from one to the next
} Axis;

typedef struct Reduction {
    const char* op;
    int rank;
    Axis axes[kMaxRank];
    LiteReducer reduce;
    LiteReducer fill;
    int64_t element;
    const char* input;
    const char* initial;
    char* output;
} Reduction;

// Numbers larger than any tensor say the same as the largest length.
static TfLiteStatus check_axis(TfLiteOpaqueContext* context, const char* op, int number, Axis* a) {
    int64_t* const values[] = {&a->window, &a->stride, &a->dilation, &a->base};
    static const char* const names[] = {"window", "stride", "window dilation", "base dilation"};
    for (int i = 0; i < 4; i++) {
        if (*values[i] < 1) {
            return lite_fail(context, "%s: the %s of dimension %d is %lld, expected at least 1", op, names[i],
                             number, (long long)*values[i]);
        }
        if (*values[i] > INT32_MAX) *values[i] = INT32_MAX;
    }
    if (a->low < -INT32_MAX || a->low > INT32_MAX || a->high < -INT32_MAX || a->high > INT32_MAX) {
        return lite_fail(context, "%s: dimension %d is padded by %lld and %lld", op, number,
                         (long long)a->low, (long long)a->high);
    }
    return kTfLiteOk;
}

// The length of the output, and of what windows move over.
static TfLiteStatus size_axis(TfLiteOpaqueContext* context, const char* op, int number, Axis* a,
                              LiteShape* padded) {
    LITE_TRY(check_axis(context, op, number, a));
    const int64_t dilated = a->in > 0 ? (a->in - 1) * a->base + 1 : 0, whole = dilated + a->low + a->high;
    if (dilated > INT32_MAX) {
        return lite_fail(context, "%s: %lld elements of dimension %d, dilated by %lld, are too many", op,
                         (long long)a->in, number, (long long)a->base);
    }
    if (whole <= 0 && (a->low != 0 || a->high != 0)) {
        return lite_fail(
            context,
            "%s: padding %lld and %lld leaves nothing of dimension %d: The padding specification "
            "of stablehlo.reduce_window gives an empty tensor.",
            op, (long long)a->low, (long long)a->high, number);
    }
    const int64_t span = (a->window - 1) * a->dilation + 1;
    a->out = whole < span ? 0 : (whole - span) / a->stride + 1;
    return lite_size_append(context, op, padded, whole);
}

// Sizes the axes and output.
static TfLiteStatus size_reduction(TfLiteOpaqueContext* context, Reduction* r, const LiteView* input,
                                   LiteShape* shape) {
    LiteShape padded = {0};
    int64_t strides[LITE_MAX_RANK], count;
    double window = 1, places = 1;
    lite_move_strides(&input->shape, strides);
    *shape = (LiteShape){0};
    for (int i = 0; i < r->rank; i++) {
        Axis* a = &r->axes[i];
        a->in = input->shape.dims[i];
        a->from = strides[i];
        LITE_TRY(size_axis(context, r->op, i, a, &padded));
        LITE_TRY(lite_size_append(context, r->op, shape, a->out));
        window *= (double)a->window;
        places *= (double)a->out;
    }
    if (window * places > MAX_STEPS) {
        return lite_fail(context, "%s: windows of %g elements at %g places would take too long", r->op,
                         window, places);
    }
    if (lite_shape_count(padded.dims, padded.rank, &count)) return kTfLiteOk;
    return lite_fail(context, "%s: the dilated and padded input would be too large", r->op);
}

// Checks of the tensors that both operators have.
static TfLiteStatus check_tensors(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  int inputs) {
    LiteView input, initial, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, inputs, inputs, 1));
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, op, kInitial, &initial));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, reduce_types));
    LITE_TRY(lite_check_same_type(context, op, &input, &initial));
    LITE_TRY(lite_check_same_type(context, op, &input, &output));
    if (input.shape.rank < 1 || input.shape.rank > kMaxRank) {
        return lite_fail(context, "%s: the input has %d dimensions, expected 1 to %d", op, input.shape.rank,
                         kMaxRank);
    }
    if (initial.count < 1) return lite_fail(context, "%s: the initial value is empty", op);
    return kTfLiteOk;
}

// What an operator says of windows and function, by the axes of `r`.
typedef TfLiteStatus (*GetWindows)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Reduction* r,
                                   TfLiteReduceWindowFunction* function);

static TfLiteStatus plan(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                         GetWindows get_windows, Reduction* r, LiteShape* shape) {
    static const LiteReducerFunction functions[] = {
        [TfLiteReduceWindowFunctionAdd] = kLiteReducerAdd,
        [TfLiteReduceWindowFunctionMul] = kLiteReducerMultiply,
        [TfLiteReduceWindowFunctionMin] = kLiteReducerMinimum,
        [TfLiteReduceWindowFunctionMax] = kLiteReducerMaximum,
        [TfLiteReduceWindowFunctionAll] = kLiteReducerAnd,
        [TfLiteReduceWindowFunctionAny] = kLiteReducerOr,
    };
    LiteView input;
    TfLiteReduceWindowFunction function;
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    *r = (Reduction){.op = op, .rank = input.shape.rank};
    LITE_TRY(get_windows(context, node, r, &function));
    LITE_TRY(size_reduction(context, r, &input, shape));
    // As in the reference, a sum of booleans is one of bytes.
    const TfLiteType type = input.type == kTfLiteBool ? kTfLiteInt8 : input.type;
    r->reduce = lite_reducer_find(functions[function], type);
    r->fill = lite_reducer_find(kLiteReducerReplace, type);
    r->element = (int64_t)lite_type_size(type);
    return kTfLiteOk;
}

// Folds what is at input places first, first + step, … (counted with the holes, from the first element on) of
// a line into so many numbers, each its own or all one (a_step 0). `line` NULL: there are no elements.
static void fold_places(const Reduction* r, char* to, int64_t a_step, const char* line, int64_t first,
                        int64_t step, int64_t count) {
    const Axis* a = &r->axes[r->rank - 1];
    const int64_t element = r->element;
    if (line == NULL) {
        r->reduce(to, a_step, r->initial, 0, count);
        return;
    }
    if (a->base != 1) {
        for (int64_t i = 0, place = first; i < count; i++, place += step) {
            const bool inside = place >= 0 && place % a->base == 0 && place / a->base < a->in;
            const char* from = inside ? line + place / a->base * element : r->initial;
            r->reduce(to + i * a_step * element, 0, from, 0, 1);
        }
        return;
    }
    int64_t begin = first < 0 ? (-first + step - 1) / step : 0;
    int64_t end = first < a->in ? (a->in - first - 1) / step + 1 : 0;
    if (end > count) end = count;
    if (begin > end) begin = end;
    r->reduce(to, a_step, r->initial, 0, begin);
    r->reduce(to + begin * a_step * element, a_step, line + (first + begin * step) * element, step,
              end - begin);
    r->reduce(to + end * a_step * element, a_step, r->initial, 0, count - end);
}

// One line of the window for one line of the output.
static void fold_line(const Reduction* r, char* to, const char* line) {
    const Axis* a = &r->axes[r->rank - 1];
    if (a->out >= a->window) {
        for (int64_t w = 0; w < a->window; w++) {
            fold_places(r, to, 1, line, w * a->dilation - a->low, a->stride, a->out);
        }
    } else {
        for (int64_t x = 0; x < a->out; x++) {
            fold_places(r, to + x * r->element, 0, line, x * a->stride - a->low, a->dilation, a->window);
        }
    }
}

// The line of the input that the window at `at` sees in its line `tap`; NULL: none.
static const char* find_line(const Reduction* r, const int64_t at[kMaxRank], const int64_t tap[kMaxRank]) {
    int64_t from = 0;
    for (int i = 0; i < r->rank - 1; i++) {
        const Axis* a = &r->axes[i];
        int64_t place = at[i] * a->stride + tap[i] * a->dilation - a->low;
        if (place < 0) return NULL;
        if (a->base != 1) {
            if (place % a->base != 0) return NULL;
            place /= a->base;
        }
        if (place >= a->in) return NULL;
        from += place * a->from;
    }
    return r->axes[r->rank - 1].in > 0 ? r->input + from * r->element : NULL;
}

static void reduce_lines(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Reduction* r = argument;
    const int last = r->rank - 1;
    const int64_t length = r->axes[last].out;
    for (int64_t number = begin; number < end; number++) {
        int64_t at[kMaxRank] = {0}, tap[kMaxRank] = {0}, rest = number;
        for (int i = last - 1; i >= 0; i--) {
            at[i] = rest % r->axes[i].out;
            rest /= r->axes[i].out;
        }
        char* to = r->output + number * length * r->element;
        r->fill(to, 1, r->initial, 0, length);
        int i;
        do {
            if (lite_cancelled()) return;
            fold_line(r, to, find_line(r, at, tap));
            for (i = last - 1; i >= 0 && ++tap[i] == r->axes[i].window; i--) tap[i] = 0;
        } while (i >= 0);
    }
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                            GetWindows get_windows) {
    LiteView output;
    Reduction r;
    LiteShape shape;
    LITE_TRY(plan(context, node, op, get_windows, &r, &shape));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    return lite_kernel_resize(context, output.tensor, &shape);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                           GetWindows get_windows) {
    LiteView input, initial, output;
    Reduction r;
    LiteShape shape;
    LITE_TRY(plan(context, node, op, get_windows, &r, &shape));
    LITE_TRY(lite_kernel_input(context, node, op, kInput, &input));
    LITE_TRY(lite_kernel_input(context, node, op, kInitial, &initial));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (output.count == 0) return kTfLiteOk;
    r.input = input.data;
    r.initial = initial.data;
    r.output = output.data;
    const int64_t length = r.axes[r.rank - 1].out;
    assert(length > 0); // the output is not empty
    double work = (double)length;
    for (int i = 0; i < r.rank; i++) work *= (double)r.axes[i].window;
    const int64_t grain = work < kGrain ? kGrain / (int64_t)work : 1;
    lite_parallel_for(lite_kernel_num_threads(context), output.count / length, grain, reduce_lines, &r);
    return kTfLiteOk;
}

// ---- STABLEHLO_REDUCE_WINDOW ----

static TfLiteStatus get_body(TfLiteOpaqueContext* context, const char* op, int subgraph,
                             TfLiteReduceWindowFunction* function) {
    int code;
    LITE_TRY(lite_reducer_operator(context, op, subgraph, &code));
    switch (code) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinStablehloAdd:
        *function = TfLiteReduceWindowFunctionAdd;
        return kTfLiteOk;
    case kTfLiteBuiltinMul:
    case kTfLiteBuiltinStablehloMultiply:
        *function = TfLiteReduceWindowFunctionMul;
        return kTfLiteOk;
    case kTfLiteBuiltinMaximum:
    case kTfLiteBuiltinStablehloMaximum:
        *function = TfLiteReduceWindowFunctionMax;
        return kTfLiteOk;
    case kTfLiteBuiltinMinimum:
    case kTfLiteBuiltinStablehloMinimum:
        *function = TfLiteReduceWindowFunctionMin;
        return kTfLiteOk;
    case kTfLiteBuiltinLogicalAnd:
    case kTfLiteBuiltinStablehloAnd:
        *function = TfLiteReduceWindowFunctionAll;
        return kTfLiteOk;
    case kTfLiteBuiltinLogicalOr:
    case kTfLiteBuiltinStablehloOr:
        *function = TfLiteReduceWindowFunctionAny;
        return kTfLiteOk;
    default:
        return lite_fail(context, "%s: subgraph %d is no function that is supported: operator %d", op,
                         subgraph, code);
    }
}

static TfLiteStatus stablehlo_windows(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Reduction* r,
                                      TfLiteReduceWindowFunction* function) {
    const TfLiteStablehloReduceWindowParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", r->op);
    for (int i = 0; i < r->rank; i++) {
        r->axes[i] = (Axis){
            .window = params->window_dimensions[i],
            .stride = params->window_strides[i],
            .dilation = params->window_dilations[i],
            .base = params->base_dilations[i],
            .low = params->padding[2 * i],
            .high = params->padding[2 * i + 1],
        };
    }
    return get_body(context, r->op, params->body_subgraph_index, function);
}

static TfLiteStatus stablehlo_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(check_tensors(context, node, "STABLEHLO_REDUCE_WINDOW", kInitial + 1));
    return prepare(context, node, "STABLEHLO_REDUCE_WINDOW", stablehlo_windows);
}

static TfLiteStatus stablehlo_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return invoke(context, node, "STABLEHLO_REDUCE_WINDOW", stablehlo_windows);
}

const LiteKernel lite_kernel_STABLEHLO_REDUCE_WINDOW = {.prepare = stablehlo_prepare,
                                                        .invoke = stablehlo_invoke};

// ---- REDUCE_WINDOW ----

static TfLiteStatus read_constants(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Reduction* r,
                                   int index, const char* what, int64_t values[kMaxRank]) {
    LiteView view;
    int count;
    LITE_TRY(lite_kernel_input(context, node, r->op, index, &view));
    LITE_TRY(lite_check_types(context, r->op, what, &view, LITE_TYPE(Int64)));
    if (!view.constant) return lite_fail(context, "%s: the %s are not constant", r->op, what);
    LITE_TRY(lite_ints_read(context, r->op, what, &view, kMaxRank, values, &count));
    if (count == r->rank) return kTfLiteOk;
    return lite_fail(context, "%s: %d %s for an input of %d dimensions", r->op, count, what, r->rank);
}

static TfLiteStatus tensor_windows(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Reduction* r,
                                   TfLiteReduceWindowFunction* function) {
    const TfLiteReduceWindowParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", r->op);
    *function = params->reduce_function;
    if (*function < TfLiteReduceWindowFunctionAdd || *function > TfLiteReduceWindowFunctionAny) {
        return lite_fail(context, "%s: function %d is unknown", r->op, (int)*function);
    }
    int64_t windows[kMaxRank], strides[kMaxRank], dilations[kMaxRank];
    LITE_TRY(read_constants(context, node, r, kWindows, "window dimensions", windows));
    LITE_TRY(read_constants(context, node, r, kStrides, "strides", strides));
    LITE_TRY(read_constants(context, node, r, kDilations, "dilations", dilations));
    for (int i = 0; i < r->rank; i++) {
        r->axes[i] = (Axis){.window = windows[i], .stride = strides[i], .dilation = dilations[i], .base = 1};
    }
    return kTfLiteOk;
}

static TfLiteStatus tensor_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(check_tensors(context, node, "REDUCE_WINDOW", kDilations + 1));
    return prepare(context, node, "REDUCE_WINDOW", tensor_windows);
}

static TfLiteStatus tensor_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return invoke(context, node, "REDUCE_WINDOW", tensor_windows);
}

const LiteKernel lite_kernel_REDUCE_WINDOW = {.prepare = tensor_prepare, .invoke = tensor_invoke};
