// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR scale images.
#include <math.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/loops/resize_loops.h"
#include "kernels-cpu/support/size.h"

enum {
    kGrain = 4096,   // output elements worth a thread
    kColumns = 1024, // of the output, at a time
};

// Both operators have the same parameters.
typedef struct ResizeForm {
    bool align_corners;
    bool half_pixel_centers;
} ResizeForm;

static TfLiteStatus resized_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  int64_t least, LiteShape* shape) {
    LiteView input, size;
    int64_t lengths[2];
    int count;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &size));
    LITE_TRY(lite_ints_read(context, op, "size", &size, 2, lengths, &count));
    if (lengths[0] < least || lengths[1] < least) {
        return lite_fail(context, "%s: resized to %lld x %lld", op, (long long)lengths[0],
                         (long long)lengths[1]);
    }
    LITE_TRY(lite_size_append(context, op, shape, input.shape.dims[0]));
    LITE_TRY(lite_size_append(context, op, shape, lengths[0]));
    LITE_TRY(lite_size_append(context, op, shape, lengths[1]));
    return lite_size_append(context, op, shape, input.shape.dims[3]);
}

static TfLiteStatus prepare_resize(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   uint32_t types, LiteShapeRule rule) {
    LiteView input, size, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &size));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, types));
    LITE_TRY(lite_check_types(context, op, "size", &size, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_same_type(context, op, &input, &output));
    if (input.shape.rank != 4) {
        return lite_fail(context,
                         "%s: input has %d dimensions, expected 4: NumDimensions(input) != 4 (%d != 4)", op,
                         input.shape.rank, input.shape.rank);
    }
    if (size.shape.rank != 1 || size.shape.dims[0] != 2) {
        return lite_fail(context, "%s: the size has shape %s, expected [2]", op,
                         lite_shape_text(&size.shape).text);
    }
    return lite_size_output(context, node, op, 1u << 1, rule);
}

static float resize_scale(const ResizeForm* form, int32_t in, int32_t out) {
    if (form->align_corners && out > 1) return (float)(in - 1) / (float)(out - 1);
    return (float)in / (float)out;
}

static LiteResizeSample sample_float(const ResizeForm* form, float scale, int32_t at, int32_t in) {
    const float offset = form->half_pixel_centers ? 0.5f : 0.0f;
    const float position =
        form->half_pixel_centers ? ((float)at + offset) * scale - offset : (float)at * scale;
    LiteResizeSample s;
    const int32_t floored = (int32_t)floorf(position);
    s.low = floored < 0 ? 0 : floored > in - 1 ? in - 1 : floored;
    const int32_t raised = (int32_t)ceilf(position);
    s.high = raised > in - 1 ? in - 1 : raised < 0 ? 0 : raised;
    s.fraction = position - (float)s.low;
    // Between two that are one, the way does not matter to UINT8.
    s.fraction_10 = s.low == s.high ? 0 : (int32_t)(s.fraction * 1024.0f);
    return s;
}

static LiteResizeSample sample_integer(const ResizeForm* form, int32_t at, int32_t in, int32_t out) {
    const bool aligned = form->align_corners && out > 1;
    const int64_t from = aligned ? in - 1 : in, to = aligned ? out - 1 : out;
    const int64_t scale = (1024 * from + to / 2) / to;
    const int64_t position = form->half_pixel_centers ? at * scale + scale / 2 - 512 : at * scale;
    const int64_t low = position / 1024, high = (position + 1023) / 1024;
    LiteResizeSample s;
    s.low = (int32_t)(low < 0 ? 0 : low > in - 1 ? in - 1 : low);
    s.high = (int32_t)(high > in - 1 ? in - 1 : high < 0 ? 0 : high);
    // Between two that are one, as beyond the borders, the way does not matter.
    s.fraction_10 = s.low == s.high ? 0 : (int32_t)(position - 1024 * (int64_t)s.low);
    s.fraction = 0.0f;
    return s;
}

typedef struct Bilinear {
    ResizeForm form;
    bool integer;
    bool exact; // the columns of UINT8 are, see LiteResizeRow
    const LiteView* input;
    const LiteView* output;
    const LiteResizeSample* columns; // one for each output column
    LiteResizeRowFunction function;
} Bilinear;

static LiteResizeSample sample_axis(const Bilinear* r, int axis, int32_t at) {
    const int32_t in = r->input->shape.dims[axis], out = r->output->shape.dims[axis];
    return r->integer ? sample_integer(&r->form, at, in, out)
                      : sample_float(&r->form, resize_scale(&r->form, in, out), at, in);
}

static bool is_exact(const LiteResizeSample* s) {
    const float steps = s->fraction * 128.0f;
    return steps == floorf(steps);
}

// Output rows [begin, end) of all images.
static void resize_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Bilinear* r = argument;
    const int32_t *in = r->input->shape.dims, *out = r->output->shape.dims;
    const int64_t pixel = out[3] * (int64_t)lite_type_size(r->output->type);
    for (int64_t row = begin; row < end; row++) {
        const char* image = (const char*)r->input->data + row / out[1] * in[1] * in[2] * pixel;
        const LiteResizeSample y = sample_axis(r, 1, (int32_t)(row % out[1]));
        const LiteResizeRow line = {.low = image + y.low * in[2] * pixel,
                                    .high = image + y.high * in[2] * pixel,
                                    .y = y,
                                    .columns = r->columns,
                                    .exact = r->exact && is_exact(&y),
                                    .width = out[2],
                                    .depth = out[3],
                                    .to = (char*)r->output->data + row * out[2] * pixel};
        r->function(&line);
    }
}

static TfLiteStatus resize_bilinear_form(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                         ResizeForm* form) {
    const TfLiteResizeBilinearParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "RESIZE_BILINEAR: no parameters");
    *form = (ResizeForm){params->align_corners, params->half_pixel_centers};
    if (form->align_corners && form->half_pixel_centers) {
        return lite_fail(context, "RESIZE_BILINEAR: align_corners and half_pixel_centers exclude each other");
    }
    return kTfLiteOk;
}

static TfLiteStatus resize_bilinear_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                         LiteShape* shape) {
    return resized_shape(context, node, "RESIZE_BILINEAR", 1, shape);
}

static TfLiteStatus resize_bilinear_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    ResizeForm form;
    LITE_TRY(resize_bilinear_form(context, node, &form));
    return prepare_resize(context, node, "RESIZE_BILINEAR",
                          LITE_TYPE(Float32) | LITE_TYPE(Int8) | LITE_TYPE(UInt8) | LITE_TYPE(Int16),
                          resize_bilinear_rule);
}

static TfLiteStatus resize_bilinear_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    Bilinear r = {.input = &input, .output = &output};
    LITE_TRY(resize_bilinear_form(context, node, &r.form));
    LITE_TRY(lite_kernel_input(context, node, "RESIZE_BILINEAR", 0, &input));
    LITE_TRY(lite_size_output_view(context, node, "RESIZE_BILINEAR", resize_bilinear_rule, &output));
    if (output.count == 0) return kTfLiteOk;
    if (input.count == 0) return lite_fail(context, "RESIZE_BILINEAR: the input is empty");
    r.integer = input.type == kTfLiteInt8 || input.type == kTfLiteInt16;
    r.function = lite_resize_row(input.type);
    const int32_t width = output.shape.dims[2];
    LiteArena arena = {0};
    LiteResizeSample* columns = lite_arena_alloc(&arena, (size_t)width, sizeof(LiteResizeSample));
    if (columns == NULL) return lite_fail(context, "RESIZE_BILINEAR: out of memory");
    r.exact = input.type == kTfLiteUInt8;
    for (int32_t i = 0; i < width; i++) {
        columns[i] = sample_axis(&r, 2, i);
        r.exact = r.exact && is_exact(&columns[i]);
    }
    r.columns = columns;
    const int64_t rows = (int64_t)output.shape.dims[0] * output.shape.dims[1];
    lite_parallel_for(lite_kernel_num_threads(context), rows, 1 + kGrain * rows / output.count, resize_rows,
                      &r);
    lite_arena_free(&arena);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_RESIZE_BILINEAR = {.prepare = resize_bilinear_prepare,
                                                .invoke = resize_bilinear_invoke};

static TfLiteStatus resize_nearest_form(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                        ResizeForm* form) {
    const TfLiteResizeNearestNeighborParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "RESIZE_NEAREST_NEIGHBOR: no parameters");
    *form = (ResizeForm){params->align_corners, params->half_pixel_centers};
    return kTfLiteOk;
}

static TfLiteStatus resize_nearest_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                        LiteShape* shape) {
    return resized_shape(context, node, "RESIZE_NEAREST_NEIGHBOR", 0, shape);
}

static TfLiteStatus resize_nearest_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const uint32_t types = LITE_TYPES_HALF | LITE_TYPE(Float32) | LITE_TYPE(Int8) | LITE_TYPE(UInt8) |
                           LITE_TYPE(Int16) | LITE_TYPE(UInt16) | LITE_TYPE(Int32) | LITE_TYPE(UInt32) |
                           LITE_TYPE(Bool);
    ResizeForm form;
    LITE_TRY(resize_nearest_form(context, node, &form));
    return prepare_resize(context, node, "RESIZE_NEAREST_NEIGHBOR", types, resize_nearest_rule);
}

static int32_t nearest(const ResizeForm* form, int32_t at, int32_t in, int32_t out) {
    const float offset = form->half_pixel_centers ? 0.5f : 0.0f;
    const float position = ((float)at + offset) * resize_scale(form, in, out);
    const int32_t index = (int32_t)(form->align_corners ? roundf(position) : floorf(position));
    return index > in - 1 ? in - 1 : index < 0 ? 0 : index;
}

typedef struct Nearest {
    ResizeForm form;
    const LiteView* input;
    const LiteView* output;
} Nearest;

// Pixels that input column at[x] has, of some usual sizes in loops of their own.
static void copy_pixels(const char* from, const int32_t* at, int32_t count, size_t pixel, char* to) {
#define COPY_PIXELS(SIZE)                                                                                    \
    for (int32_t x = 0; x < count; x++)                                                                      \
        memcpy(to + (size_t)x * (SIZE), from + (size_t)at[x] * (SIZE), SIZE);                                \
    break;
    switch (pixel) {
    case 1:
        COPY_PIXELS(1)
    case 2:
        COPY_PIXELS(2)
    case 3:
        COPY_PIXELS(3)
    case 4:
        COPY_PIXELS(4)
    case 12:
        COPY_PIXELS(12)
    case 16:
        COPY_PIXELS(16)
    case 32:
        COPY_PIXELS(32)
    case 64:
        COPY_PIXELS(64)
    default:
        COPY_PIXELS(pixel)
    }
}

// Columns of all rows, as many at a time as there is room for where they come from.
static void copy_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Nearest* r = argument;
    const int32_t *in = r->input->shape.dims, *out = r->output->shape.dims;
    const size_t pixel = (size_t)out[3] * lite_type_size(r->output->type);
    int32_t at[kColumns];
    for (int32_t first = 0, count; first < out[2]; first += count) {
        count = out[2] - first < kColumns ? out[2] - first : kColumns;
        for (int32_t x = 0; x < count; x++) at[x] = nearest(&r->form, first + x, in[2], out[2]);
        for (int64_t row = begin; row < end; row++) {
            const int64_t source =
                row / out[1] * in[1] + nearest(&r->form, (int32_t)(row % out[1]), in[1], out[1]);
            copy_pixels((const char*)r->input->data + (size_t)(source * in[2]) * pixel, at, count, pixel,
                        (char*)r->output->data + (size_t)(row * out[2] + first) * pixel);
        }
    }
}

static TfLiteStatus resize_nearest_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    Nearest r = {.input = &input, .output = &output};
    LITE_TRY(resize_nearest_form(context, node, &r.form));
    LITE_TRY(lite_kernel_input(context, node, "RESIZE_NEAREST_NEIGHBOR", 0, &input));
    LITE_TRY(lite_size_output_view(context, node, "RESIZE_NEAREST_NEIGHBOR", resize_nearest_rule, &output));
    if (output.count == 0) return kTfLiteOk;
    if (input.count == 0) return lite_fail(context, "RESIZE_NEAREST_NEIGHBOR: the input is empty");
    const int64_t rows = (int64_t)output.shape.dims[0] * output.shape.dims[1];
    lite_parallel_for(lite_kernel_num_threads(context), rows, 1 + kGrain * rows / output.count, copy_rows,
                      &r);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_RESIZE_NEAREST_NEIGHBOR = {.prepare = resize_nearest_prepare,
                                                        .invoke = resize_nearest_invoke};
