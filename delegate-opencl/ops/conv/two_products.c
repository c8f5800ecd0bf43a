// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/two_products.h"

#include <string.h>

#include "core/semantics/quant.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/conv/packing.h"
#include "delegate-opencl/ops/conv/pointwise.h"
#include "delegate-opencl/ops/conv/tail.h"
#include "kernels-cl/args/two_products.h"

typedef struct Pair {
    LiteClGemm products[2];
    LiteClTensor* input;
    LiteClTensor* output;
    LiteClSteps steps; // of both tails
    int inner_steps;   // of the first one
    LiteClTwoProductsArgs args;
} Pair;

// One item reads all weights, or the pixels of a mean, where several units of the device would share a
// launch. But these have to be woken: on PoCL that takes 16 to 45 us, and a core reads 30 to 50 bytes in a
// nanosecond.
enum { MOST_BYTES = 1024 * 1024, MOST_VECTORS = 4 /* of a panel */ };

static bool is_small(const LiteClPlan* plan, int rows, int64_t elements) {
    const int64_t rounds = (rows + (int64_t)plan->device->units - 1) / plan->device->units;
    return elements * (int64_t)sizeof(float) * rounds <= MOST_BYTES;
}

// Other devices would leave nearly all of their units idle. CLBlast is asked for by measurements.
static bool suits(const LiteClPlan* plan) {
    return plan->device->class != kLiteClGpu && plan->gemm_by != kLiteClGemmByClblast;
}

static bool is_view(const LiteClNode* node) {
    return strcmp(node->name, "RESHAPE") == 0 || strcmp(node->name, "SQUEEZE") == 0;
}

// Goes over nodes that give a tensor another shape only.
static void skip_views(const LiteClFollowers* followers, int* next, const LiteClTensor** tensor) {
    while (*next < followers->count && is_view(followers->nodes[*next]) &&
           followers->nodes[*next]->inputs[0] == *tensor)
        *tensor = followers->nodes[(*next)++]->outputs[0];
}

// Reads a product with its tail; *next is the follower behind the node, and becomes that behind the tail.
static bool read_product(const LiteClNode* node, const LiteClFollowers* followers, int* next,
                         LiteClGemm* product, Pair* pair) {
    if (!lite_cl_as_product(node, product)) return false;
    pair->output = node->outputs[0];
    const int count = lite_cl_tail_add(pair->output, followers, *next, &pair->steps);
    *next += count;
    if (count > 0) pair->output = followers->nodes[*next - 1]->outputs[0];
    return true;
}

// Reads both, of which the first one is `node`, with follower *next behind it.
static bool read_pair(const LiteClNode* node, const LiteClFollowers* followers, int* next, Pair* pair) {
    LiteClGemm* products = pair->products;
    if (!read_product(node, followers, next, &products[0], pair)) return false;
    const LiteClTensor* inner = pair->output;
    pair->inner_steps = pair->steps.count;
    skip_views(followers, next, &inner);
    // Nobody else may read what is before the second product: elements of its tail are others.
    if (*next == followers->count || !followers->closed[*next]) return false;
    const LiteClNode* second = followers->nodes[(*next)++];
    return second->inputs[0] == inner && read_product(second, followers, next, &products[1], pair) &&
           products[0].args.pixels == products[1].args.pixels &&
           products[0].args.group_out == products[1].args.group_in;
}

static int padded(const LiteClPlan* plan, int columns, int vectors) {
    const int panel = vectors * lite_cl_tune(plan->device->class)->vector;
    return (int)lite_cl_chunks(columns, panel) * panel;
}

static size_t local_bytes(const LiteClPlan* plan, const LiteClTwoProductsArgs* a) {
    const size_t results = (size_t)padded(plan, a->columns, a->last_vectors);
    return ((size_t)a->depth + (size_t)a->padded + results) * sizeof(float);
}

// Vectors of a panel: no more than there are columns for, which on CPUs are read from memory.
static int vectors_of(const LiteClPlan* plan, int columns) {
    const size_t vectors = lite_cl_chunks(columns, lite_cl_tune(plan->device->class)->vector);
    return vectors < MOST_VECTORS ? (int)vectors : MOST_VECTORS;
}

static void fill_args(const LiteClPlan* plan, Pair* pair, int pixels) {
    const LiteClGemm* products = pair->products;
    LiteClTwoProductsArgs* args = &pair->args;
    args->rows = products[0].args.pixels;
    args->pixels = pixels;
    args->depth = products[0].args.group_in;
    args->inner = products[0].args.group_out;
    args->columns = products[1].args.group_out;
    args->vectors = vectors_of(plan, args->inner);
    args->last_vectors = vectors_of(plan, args->columns);
    args->padded = padded(plan, args->inner, args->vectors);
    lite_activation_range_f32(products[0].activation, &args->low, &args->high);
    lite_activation_range_f32(products[1].activation, &args->last_low, &args->last_high);
    memcpy(args->options, pair->steps.options, sizeof args->options);
}

// The steps of either tail, which begin where those of the other end.
static void define_steps(const Pair* pair, LiteClPrelude* prelude) {
    const LiteClSteps* steps = &pair->steps;
    const int inner = pair->inner_steps, begin = inner > 0 ? steps->ends[inner - 1] : 0;
    lite_cl_prelude_append(prelude, &steps->formulas);
    lite_cl_define(prelude, "INNER_STEPS%.*s", begin, steps->text);
    lite_cl_define(prelude, "LAST_STEPS%s", steps->text + begin);
    if (inner > 0)
        lite_cl_define(prelude, "INNER_RESULT t%d", inner - 1);
    else
        lite_cl_define(prelude, "INNER_RESULT v");
    if (steps->count > inner)
        lite_cl_define(prelude, "LAST_RESULT t%d", steps->count - 1);
    else
        lite_cl_define(prelude, "LAST_RESULT v");
}

static TfLiteStatus launch(LiteClPlan* plan, const Pair* pair) {
    const LiteClTwoProductsArgs* a = &pair->args;
    const int vector = lite_cl_tune(plan->device->class)->vector;
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "VW %d", vector);
    lite_cl_define(&prelude, "NV %d", MOST_VECTORS);
    define_steps(pair, &prelude);
    LiteClLaunch launch = {
        .family = &lite_cl_source_two_products,
        .kernel = "two_products",
        .prelude = prelude.text,
        .args = a,
        .args_size = sizeof *a,
        .buffer_count = 1,
        .buffers = {lite_cl_plan_tensor(plan, pair->input)},
        .items = {(size_t)a->rows, 1, 1},
        .group = 1, // whose local memory is the row's
        .local_bytes = local_bytes(plan, a),
    };
    lite_cl_gemm_add_weights(plan, &pair->products[0], pair->input, a->vectors * vector, &launch);
    lite_cl_gemm_add_weights(plan, &pair->products[1], pair->input, a->last_vectors * vector, &launch);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, pair->output);
    return lite_cl_plan_launch(plan, &launch);
}

// Is it worth it, and is there room for what is between?
static bool pays(const LiteClPlan* plan, const LiteClTwoProductsArgs* a) {
    const int64_t weights = (int64_t)a->inner * ((int64_t)a->depth + a->columns);
    return a->rows > 0 && a->inner > 0 && a->columns > 0 &&
           local_bytes(plan, a) <= plan->device->local_memory && is_small(plan, a->rows, weights) &&
           is_small(plan, a->rows, (int64_t)a->pixels * a->depth);
}

TfLiteStatus lite_cl_join_products(LiteClPlan* plan, const LiteClNode* node, const LiteClFollowers* followers,
                                   int* joined) {
    Pair pair = {.input = node->inputs[0]};
    int next = 0;
    if (!suits(plan) || !read_pair(node, followers, &next, &pair)) return kTfLiteOk;
    fill_args(plan, &pair, 1);
    if (!pays(plan, &pair.args)) return kTfLiteOk;
    *joined = next;
    return launch(plan, &pair);
}

TfLiteStatus lite_cl_join_mean_products(LiteClPlan* plan, const LiteClNode* mean,
                                        const LiteClFollowers* followers, int* joined) {
    Pair pair = {.input = mean->inputs[0]};
    const LiteShape* shape = &pair.input->shape;
    const LiteClTensor* means = mean->outputs[0];
    int next = 0;
    if (!suits(plan) || pair.input->type != kTfLiteFloat32) return kTfLiteOk;
    skip_views(followers, &next, &means);
    if (next == followers->count || followers->nodes[next]->inputs[0] != means) return kTfLiteOk;
    const LiteClNode* first = followers->nodes[next++];
    if (!read_pair(first, followers, &next, &pair)) return kTfLiteOk;
    const int64_t channels = shape->dims[shape->rank - 1], rows = pair.products[0].args.pixels;
    if (pair.products[0].args.group_in != channels || rows != shape->dims[0] || rows == 0) return kTfLiteOk;
    fill_args(plan, &pair, (int)(lite_shape_elements(shape) / channels / rows));
    if (pair.args.pixels == 0 || !pays(plan, &pair.args)) return kTfLiteOk;
    *joined = next;
    return launch(plan, &pair);
}
