// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_lines.h"

#include <string.h>

// Shorter lines make tiles that are too small, unless several lines are one with few pixels between them.
#define MIN_LINE 8

// Parts of an output line; as a rule it is one.
static int32_t line_parts(const LiteConvShape* s) {
    return (s->out_w + LITE_ITEM_ROWS - 1) / LITE_ITEM_ROWS;
}

// Output lines of an item.
static int32_t item_lines(const LiteConvShape* s) {
    return s->out_w < LITE_ITEM_ROWS ? LITE_ITEM_ROWS / s->out_w : 1;
}

// Input lines of some output lines, and input columns of some of their pixels.
static int64_t lines_read(const LiteConvShape* s, int64_t lines) {
    return (lines - 1) * s->stride_h + s->filter_h;
}
static int64_t columns_read(const LiteConvShape* s, int64_t pixels) {
    return (pixels - 1) * s->stride_w + s->filter_w;
}

// Columns of a copied line. The padding after a line also serves as that before the next one.
static int64_t copied_columns(const LiteConvShape* s, int64_t pixels) {
    const int64_t all = columns_read(s, pixels), after = (int64_t)s->in_w + s->pad_w;
    if (s->stride_w > 1 || pixels < s->out_w) return all;
    return after > all - s->pad_w ? after : all - s->pad_w;
}

// Does the copy of an item fit, with what its last line reads after its end?
static bool fits_copy(const LiteConvShape* s, size_t room) {
    const int64_t parts = line_parts(s), pixels = (s->out_w + parts - 1) / parts;
    size_t size;
    return lite_size_mul((size_t)lines_read(s, item_lines(s)), (size_t)copied_columns(s, pixels), &size) &&
           lite_size_mul(size + (size_t)s->filter_w, (size_t)s->in_c, &size) && size <= room;
}

static bool is_line_long(const LiteConvShape* s) {
    const int64_t between = copied_columns(s, s->out_w) - s->out_w;
    return s->out_w >= MIN_LINE || (s->stride_w == 1 && s->stride_h == 1 && 4 * between <= s->out_w);
}

// Weights with a zero point need sums of the inputs, which are computed of gathered rows.
bool lite_gemm_is_by_lines(const LiteGemm* gemm) {
    const LiteConvShape* s = &gemm->shape;
    const size_t run = (size_t)s->filter_w * (size_t)s->in_c;
    return gemm->form == kLiteGemmBytes && gemm->micro->takes_lines && gemm->zero_point == 0 &&
           !lite_gemm_is_plain(gemm) && s->groups == 1 && s->filter_d == 1 && s->out_d == 1 && s->in_d == 1 &&
           s->pad_d == 0 && s->dilation_h == 1 && s->dilation_w == 1 && run > 0 &&
           run % (4 * LITE_RUN_QUADS) == 0 && s->out_w > 0 && s->out_h > 0 && is_line_long(s) &&
           fits_copy(s, gemm->scratch);
}

int64_t lite_gemm_line_blocks(const LiteGemm* gemm, int64_t multiple) {
    const LiteConvShape* s = &gemm->shape;
    if (line_parts(s) > 1) return (int64_t)s->batches * s->out_h * line_parts(s);
    int64_t blocks = (s->out_h + item_lines(s) - 1) / item_lines(s);
    if (s->batches == 1) blocks = (blocks + multiple - 1) / multiple * multiple;
    return s->batches * (blocks < s->out_h ? blocks : s->out_h);
}

void lite_gemm_line_block(const LiteGemm* gemm, int64_t blocks, int64_t block, LiteGemmItem* item) {
    const LiteConvShape* s = &gemm->shape;
    const int64_t per_image = blocks / s->batches, n = block % per_image, parts = line_parts(s);
    const int64_t image = block / per_image * s->out_h * s->out_w;
    if (parts > 1) {
        const int64_t line = image + n / parts * s->out_w;
        item->first_row = line + n % parts * s->out_w / parts;
        item->end_row = line + (n % parts + 1) * s->out_w / parts;
    } else {
        item->first_row = image + s->out_h * n / per_image * s->out_w;
        item->end_row = image + s->out_h * (n + 1) / per_image * s->out_w;
    }
}

// Input lines [y, y + lines), columns [x, x + columns) of an image.
typedef struct InputPart {
    const LiteConvShape* shape;
    const uint8_t* image;
    int64_t y;
    int64_t x;
    int64_t lines;
    int64_t columns;
} InputPart;

static void copy_padded(const InputPart* w, int padding, uint8_t* to) {
    const LiteConvShape* s = w->shape;
    const size_t depth = (size_t)s->in_c;
    const int64_t begin = w->x < 0 ? -w->x : 0;
    int64_t end = s->in_w - w->x < w->columns ? s->in_w - w->x : w->columns;
    if (end < begin) end = begin;
    const size_t left = (size_t)begin * depth, inside = (size_t)(end - begin) * depth;
    const size_t right = (size_t)(w->columns - end) * depth;
    for (int64_t y = w->y; y < w->y + w->lines; y++, to += left + inside + right) {
        if (y < 0 || y >= s->in_h || inside == 0) {
            memset(to, padding, left + inside + right);
            continue;
        }
        memset(to, padding, left);
        memcpy(to + left, w->image + (size_t)(y * s->in_w + w->x + begin) * depth, inside);
        memset(to + left + inside, padding, right);
    }
}

LiteGemmRows lite_gemm_lines(const LiteGemm* gemm, const LiteGemmInput* input, const LiteGemmItem* item) {
    const LiteConvShape* s = &gemm->shape;
    const LitePixel pixel = lite_gemm_pixel(s, item->first_row);
    const int64_t count = item->end_row - item->first_row;
    const int64_t pixels = count < s->out_w ? count : s->out_w;
    InputPart w = {.shape = s,
                   .image = (const uint8_t*)input->data + pixel.image,
                   .y = pixel.y,
                   .x = pixel.x,
                   .lines = lines_read(s, count / pixels),
                   .columns = columns_read(s, pixels)};
    int64_t line_size = s->in_w;
    const uint8_t* data = w.image + (w.y * s->in_w + w.x) * s->in_c;
    if (w.y < 0 || w.y + w.lines > s->in_h || w.x < 0 || w.x + w.columns > s->in_w) {
        const int32_t zero_point =
            input->zero_points == NULL ? 0 : input->zero_points[input->per_batch ? pixel.batch : 0];
        line_size = copied_columns(s, pixels);
        w.columns = line_size;
        copy_padded(&w, zero_point, (uint8_t*)item->scratch);
        const size_t copied = (size_t)(w.lines * line_size) * (size_t)s->in_c;
        memset(item->scratch + copied, zero_point, (size_t)s->filter_w * (size_t)s->in_c);
        data = (const uint8_t*)item->scratch;
    }
    line_size *= s->in_c;
    return (LiteGemmRows){
        .data = data,
        .stride = (size_t)s->stride_w * (size_t)s->in_c,
        .line_rows = (int)pixels,
        .line_step = (size_t)(s->stride_h * line_size),
        .run = (size_t)s->filter_w * (size_t)s->in_c,
        .run_step = (size_t)line_size,
    };
}
