// SPDX-License-Identifier: Apache-2.0
// Unary operators on quantized integers, by the rules of core/semantics/unary_quantized.h.
#include "kernels-cpu/quantized/unary_quantized.h"

#include "kernels-cpu/quantized/byte_map.h"

static void row_map8(const LiteRow* row) {
    lite_map_bytes()(&((const LiteUnaryParams*)row->params)->tables->map, row->in[0], row->count, row->out);
}

static void row_lut16(const LiteRow* row) {
    const int16_t* table = ((const LiteUnaryParams*)row->params)->tables->lut16;
    const int16_t* in = row->in[0];
    int16_t* out = row->out;
    for (int64_t i = 0; i < row->count; i++) out[i] = lite_lut16_at(table, in[i]);
}

static void row_integer16(const LiteRow* row) {
    const LiteUnaryRule* rule = &((const LiteUnaryParams*)row->params)->tables->rule;
    const int16_t* in = row->in[0];
    int16_t* out = row->out;
    for (int64_t i = 0; i < row->count; i++) out[i] = (int16_t)rule->integer(&rule->scale, in[i]);
}

// The table of LOGISTIC and TANH in pairs, and what is beyond it.
static void sigmoid_steps(LiteUnary op, uint32_t steps[256]) {
    for (uint32_t i = 0; i < 255; i++) {
        steps[i] = (uint32_t)lite_sigmoid_table[i] << 16 | lite_sigmoid_table[i + 1];
    }
    steps[255] = op == kLiteUnaryTANH ? 0xFFFFFFFF : 0xFFFEFFFE;
}

static LiteRowFunction choose_integer16(LiteUnary op, LiteUnaryTables* tables) {
    const bool is_sigmoid = op == kLiteUnaryTANH || op == kLiteUnaryLOGISTIC;
    if (!is_sigmoid || tables->rule.scale.multiplier.value >= LITE_SIGMOID_LIMIT) return row_integer16;
    sigmoid_steps(op, tables->steps);
    return lite_unary_sigmoid_loop(op);
}

TfLiteStatus lite_unary_quantized(TfLiteOpaqueContext* context, const char* name, LiteUnary op,
                                  const LiteView* input, const LiteView* output, LiteUnaryParams* params,
                                  LiteRowFunction* function) {
    LITE_TRY(lite_check_quantized(context, name, "input", input));
    LITE_TRY(lite_check_quantized(context, name, "output", output));
    if (params->tables == NULL) params->tables = lite_calloc(1, sizeof *params->tables);
    LiteUnaryTables* tables = params->tables;
    if (tables == NULL) return lite_fail(context, "%s: out of memory", name);
    const LiteUnaryEnd from = {input->type, input->scale, input->zero_point};
    const LiteUnaryEnd to = {output->type, output->scale, output->zero_point};
    const LiteReporter reporter = lite_kernel_reporter(context);
    LiteUnaryRule* rule = &tables->rule;
    LITE_TRY(lite_unary_rule(name, &from, &to, lite_unary_function(op), params->alpha, rule, &reporter));
    if (input->type != kTfLiteInt16) {
        const bool is_signed = input->type == kTfLiteInt8;
        LiteByteMap* map = &tables->map;
        lite_unary_table8(rule, input->type, map->table);
        lite_byte_map_find_lines(map, is_signed, is_signed, input->zero_point);
        *function = row_map8;
    } else if (rule->integer != NULL) {
        *function = choose_integer16(op, tables);
    } else {
        lite_unary_table16(rule, tables->lut16);
        *function = row_lut16;
    }
    return kTfLiteOk;
}
