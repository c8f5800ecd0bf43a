// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/recurrent/recurrent.h"

#include <math.h>

#include "delegate-opencl/ops/common/activation.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/group.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/gemm.h"
#include "kernels-cl/args/recurrent.h"

// A launch does all steps, one after the other: more would look like a device that hangs.
#define MAX_STEPS (1 << 16)
#define MAX_ELEMENTS (INT32_MAX / 4)

bool lite_cl_any_activation(TfLiteFusedActivation fused, LiteClActivation* activation, LiteClReason* reason) {
    *activation = (LiteClActivation){.low = -INFINITY, .high = INFINITY};
    if (fused == kTfLiteActTanh) activation->function = LITE_CL_TANH;
    if (fused == kTfLiteActSigmoid) activation->function = LITE_CL_SIGMOID;
    if (activation->function != 0 || fused == kTfLiteActNone) return true;
    if (!lite_cl_activation(fused, &activation->low, &activation->high, reason)) return false;
    lite_cl_activation_limits(fused, &activation->low, &activation->high);
    return true;
}

bool lite_cl_sequence(const LiteClTensor* input, int rank, bool time_major, LiteClSequence* sequence,
                      LiteClReason* reason) {
    const int32_t* dims = input->shape.dims;
    if (input->shape.rank != rank)
        return lite_cl_refuse(reason, "the input has %d dimensions, not %d", input->shape.rank, rank);
    if (rank == 2) {
        *sequence = (LiteClSequence){.steps = 1, .batches = dims[0], .time_major = true};
    } else {
        *sequence = (LiteClSequence){
            .steps = dims[time_major ? 0 : 1], .batches = dims[time_major ? 1 : 0], .time_major = time_major};
    }
    return sequence->steps <= MAX_STEPS || lite_cl_refuse(reason, "a sequence of %d steps", sequence->steps);
}

bool lite_cl_check_aux(const LiteClTensor* input, const LiteClTensor* aux, bool has_weights,
                       LiteClReason* reason) {
    if (aux == NULL) return !has_weights || lite_cl_refuse(reason, "auxiliary weights without an input");
    const int32_t *a = input->shape.dims, *b = aux->shape.dims;
    if (aux->type == input->type && aux->shape.rank == 3 && a[0] == b[0] && a[1] == b[1] &&
        (has_weights || a[2] == b[2])) {
        return true;
    }
    return lite_cl_refuse(reason, "the auxiliary input does not fit the input");
}

bool lite_cl_check_constant(const LiteClTensor* tensor, const char* what, TfLiteType type, int rows,
                            int columns, LiteClReason* reason) {
    if (tensor == NULL) return lite_cl_refuse(reason, "%s are absent", what);
    if (tensor->data == NULL && !tensor->foresight.folded)
        return lite_cl_refuse(reason, "%s are no constant", what);
    const int32_t* dims = tensor->shape.dims;
    const int rank = columns < 0 ? 1 : 2;
    if (tensor->type == type && tensor->shape.rank == rank && dims[0] == rows &&
        (rank == 1 || dims[1] == columns)) {
        return true;
    }
    return lite_cl_refuse(reason, "%s are %s %s, not %s of %d rows", what, TfLiteTypeGetName(tensor->type),
                          lite_shape_text(&tensor->shape).text, TfLiteTypeGetName(type), rows);
}

bool lite_cl_check_state(const LiteClTensor* state, TfLiteType type, int64_t count, LiteClReason* reason) {
    if (state == NULL || !state->variable) return lite_cl_refuse(reason, "a state is not a variable");
    // It may be declared with a wider type than what it holds.
    const bool fits = lite_type_size(state->type) >= lite_type_size(type);
    if (fits && lite_shape_elements(&state->shape) == count) return true;
    return lite_cl_refuse(reason, "a state is %s %s, not %lld elements of %s", TfLiteTypeGetName(state->type),
                          lite_shape_text(&state->shape).text, (long long)count, TfLiteTypeGetName(type));
}

static int depth_of(const LiteClTensor* input) {
    return input->shape.dims[input->shape.rank - 1];
}

static bool check_gate(const LiteClCell* cell, int gate, LiteClReason* reason) {
    const TfLiteType type = cell->weights[kLiteForget]->type;
    const LiteClTensor* recurrent = cell->recurrent[gate];
    // With 8-bit weights what a diagonal multiplies is not quantized.
    const bool diagonal = recurrent != NULL && recurrent->shape.rank == 1 && type == kTfLiteFloat32 &&
                          cell->cells == cell->outputs;
    return lite_cl_check_constant(cell->weights[gate], "weights", type, cell->cells, depth_of(cell->input),
                                  reason) &&
           lite_cl_check_constant(recurrent, "recurrent weights", type, cell->cells,
                                  diagonal ? -1 : cell->outputs, reason) &&
           lite_cl_check_constant(cell->bias[gate], "biases",
                                  lite_cl_is_real(cell) ? kTfLiteFloat32 : kTfLiteInt32, cell->cells, -1,
                                  reason) &&
           (cell->aux == NULL || lite_cl_check_constant(cell->aux_weights[gate], "auxiliary weights", type,
                                                        cell->cells, depth_of(cell->aux), reason));
}

static bool check_types(const LiteClCell* cell, LiteClReason* reason) {
    const TfLiteType type = cell->input->type;
    const TfLiteType weights =
        cell->weights[kLiteForget] != NULL ? cell->weights[kLiteForget]->type : kTfLiteNoType;
    if (type != kTfLiteFloat32 && type != kTfLiteInt8)
        return lite_cl_refuse(reason, "no kernel for inputs of type %s", TfLiteTypeGetName(type));
    if (!lite_cl_is_byte(weights) && (type != kTfLiteFloat32 || weights != kTfLiteFloat32))
        return lite_cl_refuse(reason, "weights of type %s", TfLiteTypeGetName(weights));
    return cell->output->type == type ||
           lite_cl_refuse(reason, "an output of type %s", TfLiteTypeGetName(cell->output->type));
}

bool lite_cl_check_cell(const LiteClCell* cell, LiteClReason* reason) {
    if (!check_types(cell, reason)) return false;
    if (cell->cells < 1 || cell->outputs < 1 || depth_of(cell->input) < 1 ||
        (cell->aux != NULL && depth_of(cell->aux) < 1)) {
        return lite_cl_refuse(reason, "a layer of %d cells, %d outputs and inputs of %d", cell->cells,
                              cell->outputs, depth_of(cell->input));
    }
    for (int g = 0; g < cell->gates; g++) {
        if (!check_gate(cell, g, reason)) return false;
    }
    // Room for gates and panels that are filled up.
    const int64_t width = (int64_t)LITE_LSTM_GATES * ((int64_t)cell->cells + 64) + 64;
    const int64_t rows = (int64_t)cell->sequence.steps * cell->sequence.batches;
    const int64_t depth = (int64_t)depth_of(cell->input) + cell->outputs + cell->cells +
                          (cell->aux != NULL ? depth_of(cell->aux) : 0);
    if (width > MAX_ELEMENTS || width * (rows > depth ? rows : depth) > MAX_ELEMENTS)
        return lite_cl_refuse(reason, "a layer of %d cells is too large", cell->cells);
    const int64_t states = (int64_t)cell->sequence.batches * cell->outputs;
    return lite_cl_check_state(cell->output_state, cell->input->type, states, reason);
}

float lite_cl_real(const LiteClTensor* tensor, size_t i) {
    if (tensor->type == kTfLiteFloat32) return lite_cl_constant_float(tensor, i);
    return (float)((const int8_t*)tensor->data)[i] * tensor->scale;
}

const LiteClTile* lite_cl_recurrent_tile(const LiteClDevice* device, LiteClPrelude* prelude) {
    const LiteClTile* tile = lite_cl_tile(device->class, false, 1, INT32_MAX);
    lite_cl_define(prelude, "VW %d", lite_cl_tune(device->class)->vector);
    lite_cl_define(prelude, "NV %d", tile->vectors);
    lite_cl_define(prelude, "PANEL %d", tile->panel);
    return tile;
}

static int round_up(int count, int unit) {
    return (count + unit - 1) / unit * unit;
}

// Inputs as 8-bit weights multiply them; a storage.
static int quantized_rows(LiteClPlan* plan, const LiteClGateProduct* product) {
    const LiteClQuantizeArgs args = {
        .rows = product->rows, .width = product->depth, .how = product->quantizes};
    LiteClPrelude prelude = {0};
    (void)lite_cl_recurrent_tile(plan->device, &prelude);
    lite_cl_define_group(plan->device, &prelude);
    const int rows = lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(product->input));
    const LiteClLaunch launch = {.family = &lite_cl_source_recurrent,
                                 .kernel = "quantize_rows",
                                 .prelude = prelude.text,
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .buffer_count = 2,
                                 .buffers = {lite_cl_plan_tensor(plan, product->input), rows},
                                 .items = {(size_t)args.rows, 1, 1}};
    return lite_cl_plan_launch(plan, &launch) == kTfLiteOk ? rows : -1;
}

// The matrix [width][depth] of all gates, and after it their biases.
static void join_gates(const LiteClGateProduct* product, float* weights, float* bias) {
    const size_t depth = (size_t)product->depth, cells = (size_t)product->cells;
    for (int g = 0; g < product->gates; g++) {
        const size_t at = (size_t)g * (size_t)product->pitch;
        for (size_t i = 0; i < cells * depth; i++) {
            weights[at * depth + i] = lite_cl_real(product->weights[g], i);
        }
        for (size_t i = 0; i < cells && product->bias != NULL; i++) {
            bias[at + i] = lite_cl_constant_float(product->bias[g], i);
        }
    }
}

int lite_cl_gate_product(LiteClPlan* plan, const LiteClGateProduct* product) {
    const size_t width = (size_t)product->width, depth = (size_t)product->depth;
    const int input =
        product->quantizes != 0 ? quantized_rows(plan, product) : lite_cl_plan_tensor(plan, product->input);
    const int sums =
        lite_cl_plan_add_storage(plan, kLiteClArena, (size_t)product->rows * width * sizeof(float));
    if (input < 0 || sums < 0) return -1;
    float* joined = lite_calloc((depth + 1) * width, sizeof *joined);
    if (joined == NULL) {
        lite_report(plan->reporter, "OpenCL: out of memory");
        return -1;
    }
    join_gates(product, joined, joined + depth * width);
    const LiteClTensor weights = {.data = joined}, bias = {.data = joined + depth * width};
    LiteClTensor from = {.type = kTfLiteFloat32, .storage = input};
    LiteClTensor to = {.type = kTfLiteFloat32, .storage = sums};
    const LiteClGemm matrix = {.groups = 1,
                               .filter = &weights,
                               .bias = &bias,
                               .owner = product->node,
                               .part = product->part,
                               .infinite = product->infinite,
                               .args =
                                   lite_cl_gemm_matmul_args(product->rows, product->depth, product->width)};
    const TfLiteStatus status = lite_cl_gemm_launch(plan, &matrix, &from, &to);
    lite_free(joined);
    return status == kTfLiteOk ? sums : -1;
}

// Constants of a cell while they are laid out, or while they are written: `at` is where the next one goes,
// out[at] when `out` is there.
typedef struct Constants {
    const LiteClCell* cell;
    const LiteClRecurrentArgs* args;
    int panel;
    int at;
    float* out;
} Constants;

// A matrix [rows][depth], or a diagonal, as columns `first` and so on of packed weights.
static void pack_columns(const Constants* c, const LiteClTensor* matrix, int first, int rows, int depth) {
    const size_t panel = (size_t)c->panel;
    const bool diagonal = matrix->shape.rank == 1;
    for (size_t row = 0; row < (size_t)rows; row++) {
        const size_t column = (size_t)first + row;
        float* to = c->out + c->at + column / panel * panel * (size_t)depth + column % panel;
        if (diagonal) to[row * panel] = lite_cl_real(matrix, row);
        for (size_t k = 0; k < (size_t)depth && !diagonal; k++) {
            to[k * panel] = lite_cl_real(matrix, row * (size_t)depth + k);
        }
    }
}

static int add_matrices(Constants* c, const LiteClTensor* const* gates, int depth) {
    for (int g = 0; g < c->cell->gates && c->out != NULL; g++)
        pack_columns(c, gates[g], g * c->args->pitch, c->cell->cells, depth);
    const int at = c->at;
    c->at += c->args->width * depth;
    return at;
}

static int add_vectors(Constants* c, const LiteClTensor* const* gates) {
    const size_t pitch = (size_t)c->args->pitch;
    for (int g = 0; g < c->cell->gates && c->out != NULL; g++) {
        for (size_t i = 0; i < (size_t)c->cell->cells && gates[g] != NULL; i++)
            c->out[(size_t)c->at + (size_t)g * pitch + i] = lite_cl_real(gates[g], i);
    }
    const int at = c->at;
    c->at += c->cell->gates * c->args->pitch;
    return at;
}

static void add_projection(Constants* c, LiteClRecurrentArgs* args) {
    const LiteClCell* cell = c->cell;
    args->projection = c->at;
    if (c->out != NULL) pack_columns(c, cell->projection, 0, cell->outputs, cell->cells);
    c->at += args->output_pitch * cell->cells;
    args->projection_bias = c->at;
    for (size_t i = 0; i < (size_t)cell->outputs && c->out != NULL && cell->projection_bias != NULL; i++)
        c->out[(size_t)c->at + i] = lite_cl_constant_float(cell->projection_bias, i);
    c->at += args->output_pitch;
}

static void lay_out(Constants* c, LiteClRecurrentArgs* args) {
    const LiteClCell* cell = c->cell;
    args->recurrent = add_matrices(c, cell->recurrent, cell->outputs);
    if (cell->aux != NULL) args->aux = add_matrices(c, cell->aux_weights, args->aux_depth);
    if (args->has_peephole) args->peephole = add_vectors(c, cell->peephole);
    if (args->has_norm) {
        args->norm = add_vectors(c, cell->norm);
        args->bias = add_vectors(c, cell->bias);
    }
    if (args->has_projection) add_projection(c, args);
}

static void pack_constants(const void* state, float* packed) {
    Constants c = *(const Constants*)state;
    LiteClRecurrentArgs args = *c.args;
    c.out = packed;
    c.at = 0;
    lay_out(&c, &args);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static LiteClRecurrentArgs cell_args(const LiteClCell* cell, const LiteClTile* tile, int vector) {
    const LiteClSequence* s = &cell->sequence;
    LiteClRecurrentArgs args = {
        .steps = s->steps,
        .batches = s->batches,
        .step_rows = s->time_major ? s->batches : 1,
        .batch_rows = s->time_major ? 1 : s->steps,
        .backward = s->backward,
        .gates = cell->gates,
        .cells = cell->cells,
        .pitch = round_up(cell->cells, vector),
        .outputs = cell->outputs,
        .output_pitch = round_up(cell->outputs, tile->panel),
        .aux_depth = cell->aux != NULL ? depth_of(cell->aux) : 0,
        .y_width = cell->output_width,
        .y_offset = cell->output_offset,
        .quantizes = lite_cl_quantizes(cell->weights[kLiteForget]->type, cell->asymmetric),
        .takes_update = cell->activation == kTfLiteActNone,
        .cell_clip = cell->cell_clip,
        .proj_clip = cell->proj_clip,
        .has_peephole = cell->peephole[kLiteOutput] != NULL,
        .has_norm = cell->norm[kLiteForget] != NULL,
        .has_projection = cell->projection != NULL,
    };
    lite_cl_agreed(lite_cl_any_activation(cell->activation, &args.activation, &(LiteClReason){0}));
    args.width = round_up(args.gates * args.pitch, tile->panel);
    args.work = args.output_pitch + 2 * args.pitch +
                round_up(larger(args.aux_depth, larger(args.outputs, args.cells)), vector);
    return args;
}

TfLiteStatus lite_cl_lower_cell(LiteClPlan* plan, const LiteClCell* cell) {
    LiteClPrelude prelude = {0};
    const LiteClTile* tile = lite_cl_recurrent_tile(plan->device, &prelude);
    LiteClRecurrentArgs args = cell_args(cell, tile, lite_cl_tune(plan->device->class)->vector);
    size_t group;
    LITE_TRY(lite_cl_choose_group(plan, &lite_cl_source_recurrent, cell->kernel, &prelude, &group));
    Constants constants = {.cell = cell, .args = &args, .panel = tile->panel};
    lay_out(&constants, &args);
    const LiteClGateProduct product = {.node = cell->node,
                                       .part = cell->part,
                                       .input = cell->input,
                                       .weights = cell->weights,
                                       .bias = args.has_norm ? NULL : cell->bias,
                                       .gates = args.gates,
                                       .cells = args.cells,
                                       .pitch = args.pitch,
                                       .rows = args.steps * args.batches,
                                       .depth = depth_of(cell->input),
                                       .width = args.width,
                                       .quantizes = args.quantizes,
                                       .infinite = cell->infinite};
    const int sums = lite_cl_gate_product(plan, &product);
    const int packed =
        lite_cl_plan_constant(plan, (LiteClConstantKey){cell->node, kLiteClRoleCell, cell->part, tile->panel},
                              (size_t)constants.at * sizeof(float), pack_constants, &constants);
    const size_t work = (size_t)args.batches * (size_t)args.work * sizeof(float);
    LiteClLaunch launch = {
        .family = &lite_cl_source_recurrent,
        .kernel = cell->kernel,
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffers = {sums, packed, packed, lite_cl_plan_add_storage(plan, kLiteClArena, work)},
        .buffer_count = 4,
        .items = {(size_t)args.batches * group, 1, 1},
        .group = group};
    if (cell->aux != NULL) launch.buffers[2] = lite_cl_plan_tensor(plan, cell->aux);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, cell->output_state);
    if (cell->cell_state != NULL)
        launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, cell->cell_state);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, cell->output);
    return lite_cl_plan_launch(plan, &launch);
}
