// SPDX-License-Identifier: Apache-2.0
// RFFT2D computes the Fourier transform of real images and keeps the half of the columns that is not
// redundant. Lengths are powers of two. It computes in double precision and rounds the results.
#include "core/base/cancel.h"
#include "kernels-cpu/support/fft.h"
#include "kernels-cpu/support/size.h"

static TfLiteStatus read_lengths(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int32_t lengths[2]) {
    LiteView view;
    int64_t values[2];
    int count;
    LITE_TRY(lite_kernel_input(context, node, "RFFT2D", 1, &view));
    LITE_TRY(lite_ints_read(context, "RFFT2D", "fft_length", &view, 2, values, &count));
    for (int i = 0; i < 2; i++) {
        if (values[i] < 1 || values[i] > INT32_MAX || (values[i] & (values[i] - 1)) != 0) {
            return lite_fail(context, "RFFT2D: length %lld is not a power of two", (long long)values[i]);
        }
        lengths[i] = (int32_t)values[i];
    }
    return kTfLiteOk;
}

static TfLiteStatus rfft2d_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input;
    int32_t lengths[2];
    LITE_TRY(lite_kernel_input(context, node, "RFFT2D", 0, &input));
    LITE_TRY(read_lengths(context, node, lengths));
    *shape = input.shape;
    shape->dims[shape->rank - 2] = lengths[0];
    shape->dims[shape->rank - 1] = lengths[1] / 2 + 1;
    return kTfLiteOk;
}

static TfLiteStatus rfft2d_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, lengths, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "RFFT2D", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "RFFT2D", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "RFFT2D", 1, &lengths));
    LITE_TRY(lite_kernel_output(context, node, "RFFT2D", 0, &output));
    LITE_TRY(lite_check_types(context, "RFFT2D", "input", &input, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, "RFFT2D", "fft_length", &lengths, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, "RFFT2D", "output", &output, LITE_TYPE(Complex64)));
    if (input.shape.rank < 2) {
        return lite_fail(context, "RFFT2D: input has %d dimensions, expected 2 or more", input.shape.rank);
    }
    if (lengths.shape.rank != 1 || lengths.count != 2) {
        return lite_fail(context, "RFFT2D: fft_length has shape %s, expected [2]",
                         lite_shape_text(&lengths.shape).text);
    }
    return lite_size_output(context, node, "RFFT2D", 1u << 1, rfft2d_rule);
}

typedef struct Image {
    int32_t height, width; // of the input
    int32_t rows, columns; // of the transform
    const LiteComplex* row_roots;
    const LiteComplex* column_roots;
    LiteComplex* grid; // rows of columns / 2 + 1 elements
} Image;

// A row of the image, cropped or filled up with zeros to `length`, transformed.
static void transform_row(LiteComplex* row, int32_t length, const float* from, int32_t width,
                          const LiteComplex* roots) {
    if (width > length) width = length;
    for (int32_t x = 0; x <= length / 2; x++) {
        row[x].re = 2 * x < width ? (double)from[2 * x] : 0.0;
        row[x].im = 2 * x + 1 < width ? (double)from[2 * x + 1] : 0.0;
    }
    if (length > 1) lite_fft_transform_real(row, length, roots);
}

// The first and the last column, which are real, as one complex column.
static void transform_ends(const Image* image) {
    const int32_t last = image->columns / 2, rows = image->rows;
    const int64_t kept = last + 1;
    for (int32_t y = 0; y < rows; y++) image->grid[y * kept].im = image->grid[y * kept + last].re;
    lite_fft_transform(image->grid, kept, rows, image->column_roots, 1);
    for (int32_t y = 0; y <= rows / 2; y++) {
        LiteComplex *low = image->grid + y * kept, *high = image->grid + (rows - y) % rows * kept;
        const LiteComplex a = *low, b = *high;
        if (low == high) {
            low[0] = (LiteComplex){a.re, 0.0};
            low[last] = (LiteComplex){a.im, 0.0};
            continue;
        }
        // One from the other as in the reference: an infinity is in none of them.
        low[last] = (LiteComplex){0.5 * (a.im + b.im), 0.5 * (b.re - a.re)};
        low[0] = (LiteComplex){a.re + low[last].im, a.im - low[last].re};
        high[0] = (LiteComplex){low[0].re, -low[0].im};
        high[last] = (LiteComplex){low[last].re, -low[last].im};
    }
}

static void transform_image(const Image* image, const float* from, float* to) {
    const int32_t kept = image->columns / 2 + 1;
    for (int32_t y = 0; y < image->rows && !lite_cancelled(); y++) {
        const bool inside = y < image->height;
        transform_row(image->grid + (int64_t)y * kept, image->columns,
                      inside ? from + (int64_t)y * image->width : NULL, inside ? image->width : 0,
                      image->row_roots);
    }
    if (kept > 1) {
        transform_ends(image);
    } else {
        lite_fft_transform(image->grid, kept, image->rows, image->column_roots, 1);
    }
    for (int32_t x = 1; x + 1 < kept && !lite_cancelled(); x++) {
        lite_fft_transform(image->grid + x, kept, image->rows, image->column_roots, 1);
    }
    for (int64_t i = 0; i < (int64_t)image->rows * kept && !lite_cancelled_at(i); i++) {
        *to++ = (float)image->grid[i].re;
        *to++ = (float)image->grid[i].im;
    }
}

static TfLiteStatus rfft2d_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    int32_t lengths[2];
    LITE_TRY(lite_kernel_input(context, node, "RFFT2D", 0, &input));
    LITE_TRY(lite_size_output_view(context, node, "RFFT2D", rfft2d_rule, &output));
    LITE_TRY(read_lengths(context, node, lengths));
    if (output.count == 0) return kTfLiteOk;
    const int32_t* dims = input.shape.dims + input.shape.rank - 2;
    Image image = {.height = dims[0], .width = dims[1], .rows = lengths[0], .columns = lengths[1]};
    LiteArena arena = {0};
    TfLiteStatus status = kTfLiteOk;
    image.row_roots = lite_fft_roots(&arena, image.columns);
    image.column_roots = lite_fft_roots(&arena, image.rows);
    image.grid =
        lite_arena_alloc(&arena, (size_t)image.rows * (size_t)(image.columns / 2 + 1), sizeof(LiteComplex));
    if (image.row_roots == NULL || image.column_roots == NULL || image.grid == NULL) {
        status = lite_fail(context, "RFFT2D: out of memory");
        goto done;
    }
    const int64_t in_size = (int64_t)image.height * image.width;
    const int64_t out_size = (int64_t)image.rows * (image.columns / 2 + 1);
    for (int64_t i = 0; i < output.count / out_size; i++) {
        // Complex numbers are pairs of floats.
        transform_image(&image, (const float*)input.data + i * in_size,
                        (float*)output.data + 2 * i * out_size);
    }
done:
    lite_arena_free(&arena);
    return status;
}

const LiteKernel lite_kernel_RFFT2D = {.prepare = rfft2d_prepare, .invoke = rfft2d_invoke};
