// SPDX-License-Identifier: Apache-2.0
// Binary operators on quantized integers, bit for bit as the reference kernels.
#include <math.h>
#include <string.h>

#include "core/semantics/fixedpoint.h"
#include "core/semantics/sum_quantized.h"
#include "kernels-cpu/quantized/binary_quantized.h"
#include "kernels-cpu/quantized/byte_map.h"

// 8 bits: sums or products of some elements, which are then scaled together.
enum { kColumns = LITE_MICRO_MAX_PANEL, kPiece = 16 * kColumns, kMapped = 16 * 1024 };

static void finish_piece(const int32_t* values, int count, const LiteBinaryQuantized* q, uint8_t* out) {
    int32_t multipliers[kColumns], shifts[kColumns];
    for (int i = 0; i < kColumns; i++) {
        multipliers[i] = q->multiplier.value;
        shifts[i] = q->multiplier.shift;
    }
    const LiteRequantization scale = {multipliers, shifts, q->zero_point, q->low, q->high, NULL};
    const LiteMicro* micro = lite_micro();
    const int whole = count / kColumns * kColumns;
    micro->requantize(count / kColumns, kColumns, values, kColumns, &scale, out, kColumns);
    if (count > whole) micro->requantize(1, count - whole, values + whole, 0, &scale, out + whole, 0);
}

// `begin` computes int32 values of a piece of the row.
static void in_pieces(const LiteRow* row, LiteRowFunction begin) {
    const LiteBinaryTables* tables = row->params;
    int32_t values[kPiece];
    LiteRow piece = *row;
    piece.out = values;
    for (int64_t at = 0; at < row->count; at += piece.count) {
        piece.count = row->count - at < kPiece ? row->count - at : kPiece;
        for (int k = 0; k < 2; k++) piece.in[k] = (const uint8_t*)row->in[k] + at * row->step[k];
        begin(&piece);
        finish_piece(values, (int)piece.count, &tables->scalars, (uint8_t*)row->out + at);
    }
}

static void exact_product(const LiteRow* row) {
    const LiteBinaryTables* tables = row->params;
    in_pieces(row, lite_binary_product_loop(tables->product.is_signed ? kTfLiteInt8 : kTfLiteUInt8));
}

// ADD and SUB, int8 and uint8: what depends on one input comes from a table.
static void add_from_tables(const LiteRow* row) {
    const LiteBinaryTables* tables = row->params;
    const int32_t *left = tables->scaled[0], *right = tables->scaled[1];
    LITE_BINARY_LOOP(row, uint8_t, int32_t, lite_wrapping_add(left[a], right[b]));
}

static void table_sum(const LiteRow* row) {
    in_pieces(row, add_from_tables);
}

// How a micro kernel computes two inputs of 8 bits where rounding is certain, and how everything else is
// computed.
typedef struct Certain {
    int (*blocks)(const LiteBinaryTables* tables, int count, const LiteRow* row);
    LiteRowFunction exact;
} Certain;

static void certain_blocks(const LiteRow* row, const Certain* certain) {
    LiteRow rest = *row;
    while (rest.count > 0) {
        const int count = rest.count < INT32_MAX ? (int)rest.count : INT32_MAX;
        int64_t done = certain->blocks(row->params, count, &rest);
        for (int part = 0; part < 2; part++) { // what is certain, then a block that may not be
            rest.in[0] = (const uint8_t*)rest.in[0] + done;
            rest.in[1] = (const uint8_t*)rest.in[1] + done;
            rest.out = (uint8_t*)rest.out + done;
            rest.count -= done;
            if (part == 1 || rest.count == 0) break;
            LiteRow block = rest;
            block.count = done = rest.count < LITE_SUM_BLOCK ? rest.count : LITE_SUM_BLOCK;
            certain->exact(&block);
        }
    }
}

static void certain_row(const LiteRow* row, const Certain* certain) {
    if (row->step[0] != 0 && row->step[1] != 0) {
        certain_blocks(row, certain);
        return;
    }
    // One number for all elements is read from copies.
    uint8_t copies[2][kPiece];
    LiteRow piece = *row;
    for (int k = 0; k < 2; k++) {
        piece.step[k] = 1;
        if (row->step[k] != 0) continue;
        memset(copies[k], *(const uint8_t*)row->in[k], row->count < kPiece ? (size_t)row->count : kPiece);
        piece.in[k] = copies[k];
    }
    for (int64_t at = 0; at < row->count; at += piece.count) {
        piece.count = row->count - at < kPiece ? row->count - at : kPiece;
        for (int k = 0; k < 2; k++) {
            if (row->step[k] != 0) piece.in[k] = (const uint8_t*)row->in[k] + at;
        }
        piece.out = (uint8_t*)row->out + at;
        certain_blocks(&piece, certain);
    }
}

static int sum_blocks(const LiteBinaryTables* tables, int count, const LiteRow* row) {
    return lite_micro()->sum_bytes(count, row->in[0], row->in[1], &tables->sum, row->out);
}

static int product_blocks(const LiteBinaryTables* tables, int count, const LiteRow* row) {
    return lite_micro()->multiply_bytes(count, row->in[0], row->in[1], &tables->product, row->out);
}

static void sum_8_elements(const LiteRow* row) {
    const LiteBinaryTables* tables = row->params;
    static const Certain certain = {sum_blocks, table_sum};
    if (lite_micro()->sum_bytes == NULL || tables->sum.bits == 0) {
        table_sum(row);
    } else {
        certain_row(row, &certain);
    }
}

static void product_8_elements(const LiteRow* row) {
    const LiteBinaryTables* tables = row->params;
    static const Certain certain = {product_blocks, exact_product};
    if (lite_micro()->multiply_bytes == NULL || tables->product.multiplier == 0) {
        exact_product(row);
    } else {
        certain_row(row, &certain);
    }
}

// Of many elements and one, a function of bytes is made first.
static void map_or_compute(const LiteRow* row, LiteRowFunction compute) {
    const int varies = row->step[0] != 0 ? 0 : 1;
    if (row->count < kMapped || (row->step[0] != 0 && row->step[1] != 0)) {
        compute(row);
        return;
    }
    const LiteBinaryTables* tables = row->params;
    const bool is_signed = tables->product.is_signed;
    uint8_t all[LITE_LUT8_SIZE];
    LiteByteMap map;
    for (int i = 0; i < LITE_LUT8_SIZE; i++) all[i] = (uint8_t)i;
    LiteRow bytes = *row;
    bytes.in[varies] = all;
    bytes.out = map.table;
    bytes.count = LITE_LUT8_SIZE;
    compute(&bytes);
    lite_byte_map_find_lines(&map, is_signed, is_signed, tables->scalars.zero_points[varies]);
    lite_map_bytes()(&map, row->in[varies], row->count, row->out);
}

static void sum_8(const LiteRow* row) {
    map_or_compute(row, sum_8_elements);
}

static void product_8(const LiteRow* row) {
    map_or_compute(row, product_8_elements);
}

// log2(scale) when that is an integer, up to the reference's tolerance.
static bool exact_log2(float scale, int* log2_scale) {
    const double exact = log2((double)scale);
    const double rounded = round(exact);
    if (!(fabs(exact - rounded) < 1e-3)) return false;
    *log2_scale = (int)rounded;
    return true;
}

// ADD and SUB: both inputs to twice the larger scale, with left_shift more bits.
static void scale_sum(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q, int squares) {
    const double twice_max = 2.0 * (double)fmaxf(inputs[0].scale, inputs[1].scale);
    for (int k = 0; k < 2; k++) {
        q->multipliers[k] = lite_quantize_multiplier((double)inputs[k].scale / twice_max);
    }
    const double unit = squares ? twice_max * twice_max : twice_max;
    const int shift = squares ? 2 * q->left_shift : q->left_shift;
    q->multiplier = lite_quantize_multiplier(unit / (ldexp(1.0, shift) * (double)output->scale));
}

// Chooses the power-of-2 form and sets its shifts when scales allow; false: the general form.
static bool scale_pot(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q) {
    int log2_scales[2], log2_output;
    if (!exact_log2(inputs[0].scale, &log2_scales[0]) || !exact_log2(inputs[1].scale, &log2_scales[1]) ||
        !exact_log2(output->scale, &log2_output)) {
        return false;
    }
    for (int k = 0; k < 2; k++) q->multipliers[k].shift = log2_scales[k] - log2_output;
    return true;
}

static void approximate_sum(const LiteBinaryQuantized* q, const LiteView inputs[2], bool subtract,
                            LiteByteSum* sum) {
    const LiteSumScales scales = {.multipliers = {q->multipliers[0], q->multipliers[1]},
                                  .multiplier = q->multiplier,
                                  .left_shift = q->left_shift,
                                  .zero_points = {q->zero_points[0], q->zero_points[1]},
                                  .zero_point = q->zero_point,
                                  .is_signed = inputs[0].type == kTfLiteInt8,
                                  .subtracts = subtract};
    const LiteSumForm form = lite_sum_form(&scales);
    *sum = (LiteByteSum){.is_signed = scales.is_signed,
                         .scales = {form.scales[0], form.scales[1]},
                         .start = form.start,
                         .bits = form.bits,
                         .margin = form.margin,
                         .low = q->low,
                         .high = q->high};
}

static TfLiteStatus quantize_sum(TfLiteOpaqueContext* context, const char* name, bool subtract,
                                 const LiteView inputs[2], const LiteView* output, bool pot_scale,
                                 LiteBinaryTables* tables, LiteRowFunction* function) {
    LiteBinaryQuantized* q = &tables->scalars;
    const TfLiteType type = output->type;
    if (type == kTfLiteInt16 && pot_scale && scale_pot(inputs, output, q)) {
        const int shift_a = q->multipliers[0].shift, shift_b = q->multipliers[1].shift;
        if (shift_a > 0 || shift_b > 0 || (shift_a != 0 && shift_b != 0)) {
            return lite_fail(context, "%s: scales of 2^%d and 2^%d times the output's are not supported",
                             name, shift_a, shift_b);
        }
        *function = lite_binary_pot_loop(subtract ? kLiteBinarySUB : kLiteBinaryADD);
        return kTfLiteOk;
    }
    q->left_shift = type == kTfLiteInt16 ? 15 : 20;
    scale_sum(inputs, output, q, 0);
    *function = lite_binary_quantized_loop(subtract ? kLiteBinarySUB : kLiteBinaryADD, type, type);
    if (type == kTfLiteInt16) return kTfLiteOk;
    int32_t first = 0, last = 0;
    lite_type_limits(type, &first, &last);
    for (int32_t x = first; x <= last; x++) {
        tables->scaled[0][(uint8_t)x] = lite_binary_rescaled(q, 0, x - q->zero_points[0]);
        const int32_t right = lite_binary_rescaled(q, 1, x - q->zero_points[1]);
        tables->scaled[1][(uint8_t)x] = subtract ? lite_wrapping_sub(0, right) : right;
    }
    approximate_sum(q, inputs, subtract, &tables->sum);
    tables->may_overwrite = lite_shape_equal(&inputs[0].shape, &inputs[1].shape);
    *function = sum_8;
    return kTfLiteOk;
}

// The product as a micro kernel takes it; its multiplier stays 0 where that does not.
static void describe_product(const LiteBinaryQuantized* q, LiteByteProduct* product) {
    bool usual = q->multiplier.value >= 1 << 30 && q->multiplier.shift < 0;
    const int32_t lowest = product->is_signed ? INT8_MIN : 0;
    for (int k = 0; k < 2; k++) {
        product->zero_points[k] = q->zero_points[k];
        usual = usual && q->zero_points[k] >= lowest && q->zero_points[k] <= lowest + UINT8_MAX;
    }
    if (usual) product->multiplier = q->multiplier.value;
    product->shift = q->multiplier.shift;
    product->zero_point = q->zero_point;
    product->low = q->low;
    product->high = q->high;
}

static void quantize_mul(const LiteView inputs[2], const LiteView* output, LiteBinaryTables* tables,
                         LiteRowFunction* function) {
    LiteBinaryQuantized* q = &tables->scalars;
    const TfLiteType in = inputs[0].type, out = output->type;
    *function = lite_binary_quantized_loop(kLiteBinaryMUL, in, out);
    if (in != out) return; // 16 bits to 8 have no scale
    // The reference multiplies and divides scales as floats.
    q->multiplier = lite_quantize_multiplier((double)(inputs[0].scale * inputs[1].scale / output->scale));
    if (out == kTfLiteInt16) return;
    describe_product(q, &tables->product);
    tables->may_overwrite = lite_shape_equal(&inputs[0].shape, &inputs[1].shape);
    *function = product_8;
}

static void quantize_div(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q,
                         LiteRowFunction* function) {
    q->multiplier = lite_quantize_multiplier((double)(inputs[0].scale / (inputs[1].scale * output->scale)));
    *function = lite_binary_quantized_loop(kLiteBinaryDIV, output->type, output->type);
}

static void quantize_prelu(const LiteView inputs[2], const LiteView* output, LiteBinaryQuantized* q,
                           LiteRowFunction* function) {
    const float scale = inputs[0].scale;
    q->multipliers[0] = lite_quantize_multiplier((double)(scale / output->scale));
    q->multipliers[1] = lite_quantize_multiplier((double)(scale * inputs[1].scale / output->scale));
    *function = output->type == inputs[1].type
                    ? lite_binary_quantized_loop(kLiteBinaryPRELU, output->type, output->type)
                    : lite_binary_narrow_slopes_loop();
}

TfLiteStatus lite_binary_quantized(TfLiteOpaqueContext* context, const char* name, LiteBinary op,
                                   const LiteView inputs[2], const LiteView* output,
                                   TfLiteFusedActivation activation, bool pot_scale, LiteBinaryTables* tables,
                                   LiteRowFunction* function) {
    LiteBinaryQuantized* quantized = &tables->scalars;
    // Asymmetric int16 has been accepted by the reference for these two only.
    const bool asymmetric = op == kLiteBinaryDIV || op == kLiteBinaryPRELU;
    // The reference takes a scale that is missing for 0, and multiplies by 0 then.
    const bool scaleless = op == kLiteBinaryPRELU;
    *quantized = (LiteBinaryQuantized){.zero_point = output->zero_point};
    tables->product = (LiteByteProduct){.is_signed = inputs[0].type == kTfLiteInt8};
    tables->may_overwrite = false;
    static const char* const names[2] = {"input 0", "input 1"};
    for (int k = 0; k < 2; k++) {
        if (!scaleless) LITE_TRY(lite_check_quantized(context, name, names[k], &inputs[k]));
        if (!asymmetric) LITE_TRY(lite_check_symmetric(context, name, names[k], &inputs[k]));
        quantized->zero_points[k] = inputs[k].zero_point;
    }
    if (!scaleless) LITE_TRY(lite_check_quantized(context, name, "output", output));
    if (!asymmetric) LITE_TRY(lite_check_symmetric(context, name, "output", output));
    if (lite_activation_range_quantized(activation, output->type, output->scale, output->zero_point,
                                        &quantized->low, &quantized->high) != kTfLiteOk) {
        return lite_fail(context, "%s: fused activation %d is not supported", name, (int)activation);
    }
    switch (op) {
    case kLiteBinaryADD:
    case kLiteBinarySUB:
        return quantize_sum(context, name, op == kLiteBinarySUB, inputs, output, pot_scale, tables, function);
    case kLiteBinaryMUL:
        quantize_mul(inputs, output, tables, function);
        return kTfLiteOk;
    case kLiteBinaryDIV:
        quantize_div(inputs, output, quantized, function);
        return kTfLiteOk;
    case kLiteBinaryPRELU:
        quantize_prelu(inputs, output, quantized, function);
        return kTfLiteOk;
    case kLiteBinarySQUARED_DIFFERENCE:
        quantized->left_shift = 7;
        scale_sum(inputs, output, quantized, 1);
        *function = lite_binary_quantized_loop(op, output->type, output->type);
        return kTfLiteOk;
    default:
        return lite_check_fail_type(context, name, output->type);
    }
}
