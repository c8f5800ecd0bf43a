// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_gather.h"

#include <string.h>

#define MAX_LINES 16

typedef struct Gather {
    const LiteGemm* gemm;
    const LiteGemmInput* input;
    size_t element; // bytes of the input's elements
    uint8_t flip;   // bytes
    int64_t end;    // bytes: of the input
} Gather;

// Pairs of an 8-bit input are gathered as bytes and then made wider.
static bool becomes_wider(const LiteGemm* gemm, const LiteGemmInput* input) {
    return gemm->form == kLiteGemmPairs && input->type != kTfLiteInt16;
}

static void widen(const Gather* g, const void* from, int64_t count, int32_t zero_point, int16_t* to) {
    if (g->input->type == kTfLiteInt8) {
        g->gemm->micro->widen_i8((int)count, from, zero_point, to);
    } else {
        g->gemm->micro->widen_u8((int)count, from, zero_point, to);
    }
}

static void put(const Gather* g, int64_t at, int64_t count, char* to) {
    const char* in = (const char*)g->input->data + (size_t)at * g->element;
    if (g->flip == 0) {
        memcpy(to, in, (size_t)count * g->element);
    } else {
        g->gemm->micro->copy_u8((size_t)count, (const uint8_t*)in, g->flip, (uint8_t*)to);
    }
}

static int32_t zero_point_of(const LiteGemmInput* input, int32_t batch) {
    return input->zero_points == NULL ? 0 : input->zero_points[input->per_batch ? batch : 0];
}

static void pad(const Gather* g, int64_t count, int32_t zero_point, char* to) {
    const int value = g->element == 1 ? (uint8_t)zero_point ^ g->flip : 0;
    memset(to, value, (size_t)count * g->element);
}

// Filter lines of a pixel. All pixels of an output line have the same ones; of very large filters they are
// looked at in parts.
typedef struct Lines {
    int32_t count;
    int64_t at[MAX_LINES]; // first element of the input line; negative: in the padding
} Lines;

static void find_lines(const Gather* g, const LitePixel* pixel, int64_t group, int32_t first, Lines* lines) {
    const LiteConvShape* s = &g->gemm->shape;
    const int32_t left = s->filter_d * s->filter_h - first;
    lines->count = left < MAX_LINES ? left : MAX_LINES;
    for (int32_t f = 0; f < lines->count; f++) {
        const int64_t z = pixel->z + (int64_t)((first + f) / s->filter_h) * s->dilation_d;
        const int64_t y = pixel->y + (int64_t)((first + f) % s->filter_h) * s->dilation_h;
        const bool inside = z >= 0 && z < s->in_d && y >= 0 && y < s->in_h;
        const int64_t line = pixel->image + (z * s->in_h + y) * s->in_w * s->in_c;
        lines->at[f] = inside ? line + group * g->gemm->depth : -1;
    }
}

// Taps [0, filter_w) of one pixel at an input line.
static void gather_taps(const Gather* g, int64_t line, int64_t x, int32_t zero_point, char* to) {
    const LiteConvShape* s = &g->gemm->shape;
    const int32_t depth = g->gemm->depth;
    for (int32_t fx = 0; fx < s->filter_w; fx++, x += s->dilation_w, to += (size_t)depth * g->element) {
        if (line >= 0 && x >= 0 && x < s->in_w) {
            put(g, line + x * s->in_c, depth, to);
        } else {
            pad(g, depth, zero_point, to);
        }
    }
}

static void gather_pixel(const Gather* g, const Lines* lines, int64_t x, int32_t zero_point, char* to) {
    const LiteConvShape* s = &g->gemm->shape;
    const int64_t run = s->filter_w * (int64_t)g->gemm->depth;
    const size_t step = (size_t)run * g->element;
    const bool whole = s->dilation_w == 1 && s->groups == 1 && x >= 0 && x + s->filter_w <= s->in_w;
    for (int32_t f = 0; f < lines->count; f++, to += step) {
        if (!whole) {
            gather_taps(g, lines->at[f], x, zero_point, to);
        } else if (lines->at[f] < 0) {
            pad(g, run, zero_point, to);
        } else {
            put(g, lines->at[f] + x * s->in_c, run, to);
        }
    }
}

// How many pixels from this one on, at most `most`, are on the same output line and have all of their windows
// inside of the input, LITE_GATHER_SLACK bytes before its end.
static int64_t count_inside(const Gather* g, const Lines* lines, const LitePixel* pixel, int64_t most) {
    const LiteConvShape* s = &g->gemm->shape;
    const int64_t run = s->filter_w * (int64_t)g->gemm->depth;
    if (g->element != 1 || s->dilation_w != 1 || s->groups != 1 || s->filter_d * s->filter_h > MAX_LINES ||
        pixel->x < 0 || pixel->x + s->filter_w > s->in_w) {
        return 0;
    }
    int64_t count = (s->in_w - s->filter_w - pixel->x) / s->stride_w + 1;
    if (count > s->out_w - pixel->out_x) count = s->out_w - pixel->out_x;
    if (count > most) count = most;
    for (int32_t f = 0; f < lines->count; f++) {
        if (lines->at[f] < 0) return 0;
        const int64_t room = g->end - LITE_GATHER_SLACK - run - lines->at[f] - pixel->x * s->in_c;
        const int64_t fitting = room < 0 ? 0 : room / ((int64_t)s->stride_w * s->in_c) + 1;
        if (count > fitting) count = fitting;
    }
    return count;
}

static void gather_inside(const Gather* g, const Lines* lines, int64_t x, int64_t count, char* to) {
    const LiteConvShape* s = &g->gemm->shape;
    const size_t run = (size_t)s->filter_w * (size_t)g->gemm->depth;
    const uint8_t* in[MAX_LINES];
    for (int32_t f = 0; f < lines->count; f++) {
        in[f] = (const uint8_t*)g->input->data + lines->at[f] + x * s->in_c;
    }
    g->gemm->micro->gather_u8((int)count, lines->count, in, (size_t)s->stride_w * (size_t)s->in_c, run,
                              g->flip, (uint8_t*)to, g->gemm->row_step);
    // What was written between the rows is multiplied by weights that are 0.
}

// All rows of an item.
static void gather_rows(const Gather* g, const LiteGemmItem* item, int64_t group, char* to) {
    const LiteGemm* gemm = g->gemm;
    const LiteConvShape* s = &gemm->shape;
    const int32_t line_count = s->filter_d * s->filter_h;
    const size_t row_size = gemm->row_step * g->element;
    const size_t used = (size_t)gemm->taps * (size_t)gemm->depth * g->element;
    const size_t line_size = (size_t)s->filter_w * (size_t)gemm->depth * g->element;
    LitePixel pixel = lite_gemm_pixel(s, item->first_row);
    Lines lines;
    find_lines(g, &pixel, group, 0, &lines);
    for (int64_t row = item->first_row; row < item->end_row; row++, to += row_size) {
        const bool again = pixel.out_x == 0 || line_count > MAX_LINES;
        if (again) find_lines(g, &pixel, group, 0, &lines);
        const int64_t count = count_inside(g, &lines, &pixel, item->end_row - row);
        if (count > 0) {
            gather_inside(g, &lines, pixel.x, count, to);
            for (int64_t i = 0; i < count; i++) lite_gemm_next_pixel(s, &pixel);
            row += count - 1;
            to += (size_t)(count - 1) * row_size;
            continue;
        }
        const int32_t zero_point = zero_point_of(g->input, pixel.batch);
        for (int32_t first = 0; first < line_count; first += MAX_LINES) {
            if (first > 0) find_lines(g, &pixel, group, first, &lines);
            gather_pixel(g, &lines, pixel.x, zero_point, to + (size_t)first * line_size);
        }
        memset(to + used, 0, row_size - used);
        lite_gemm_next_pixel(s, &pixel);
    }
}

// Rows that follow each other in the input.
static const void* plain_rows(const Gather* g, const LiteGemmItem* item) {
    const LiteGemm* gemm = g->gemm;
    const int64_t at = item->first_row * gemm->depth;
    const int64_t count = (item->end_row - item->first_row) * gemm->depth;
    const char* in = (const char*)g->input->data + (size_t)at * g->element;
    if (becomes_wider(gemm, g->input)) {
        widen(g, in, count, zero_point_of(g->input, 0), (int16_t*)(void*)item->scratch);
    } else if (g->flip != 0) {
        put(g, at, count, item->scratch);
    } else {
        return in;
    }
    return item->scratch;
}

// The bytes lie behind the room for what they become.
static void gather_wider(const Gather* g, const LiteGemmItem* item, int64_t group) {
    const LiteGemm* gemm = g->gemm;
    const int64_t rows = item->end_row - item->first_row;
    int16_t* to = (int16_t*)(void*)item->scratch;
    char* bytes = item->scratch + (size_t)rows * gemm->row_step * sizeof(int16_t);
    gather_rows(g, item, group, bytes);
    if (!g->input->per_batch) {
        widen(g, bytes, rows * (int64_t)gemm->row_step, zero_point_of(g->input, 0), to);
        return;
    }
    for (int64_t r = 0; r < rows; r++, bytes += gemm->row_step, to += gemm->row_step) {
        const LitePixel pixel = lite_gemm_pixel(&gemm->shape, item->first_row + r);
        widen(g, bytes, (int64_t)gemm->row_step, zero_point_of(g->input, pixel.batch), to);
    }
}

LiteGemmRows lite_gemm_gather(const LiteGemm* gemm, const LiteGemmInput* input, const LiteGemmItem* item,
                              int64_t group) {
    const LiteConvShape* s = &gemm->shape;
    const bool bytes = gemm->form == kLiteGemmBytes;
    const size_t element = bytes ? 1 : sizeof(int16_t); // of what is multiplied
    const Gather g = {
        .gemm = gemm,
        .input = input,
        .element = input->type == kTfLiteInt16 ? sizeof(int16_t) : 1,
        .flip = bytes ? lite_gemm_flip(gemm, input->type) : 0,
        .end = (int64_t)s->batches * s->in_d * s->in_h * s->in_w * s->in_c,
    };
    LiteGemmRows rows = {.data = item->scratch,
                         .stride = gemm->steps * element,
                         .line_rows = (int)(item->end_row - item->first_row),
                         .run = gemm->steps};
    if (lite_gemm_is_plain(gemm) && (bytes || !input->per_batch)) {
        rows.data = plain_rows(&g, item);
        return rows;
    }
    rows.stride = gemm->row_step * element;
    if (gemm->steps == 0) return rows; // a filter without taps has no memory either
    if (becomes_wider(gemm, input)) {
        gather_wider(&g, item, group);
    } else {
        gather_rows(&g, item, group, item->scratch);
    }
    return rows;
}
