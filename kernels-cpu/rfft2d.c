// SPDX-License-Identifier: Apache-2.0
// RFFT2D: the Fourier transform of real images, of which the half of the columns that is not redundant is
// kept. Lengths are powers of two; computed in double precision, which the results are rounded from.
#include <math.h>

#include "kernels-cpu/sizing.h"

typedef struct Complex {
    double re, im;
} Complex;

static TfLiteStatus read_lengths(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int32_t lengths[2]) {
    LiteView view;
    int64_t values[2];
    int count;
    LITE_TRY(lite_input(context, node, "RFFT2D", 1, &view));
    LITE_TRY(lite_read_ints(context, "RFFT2D", "fft_length", &view, 2, values, &count));
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
    LITE_TRY(lite_input(context, node, "RFFT2D", 0, &input));
    LITE_TRY(read_lengths(context, node, lengths));
    *shape = input.shape;
    shape->dims[shape->rank - 2] = lengths[0];
    shape->dims[shape->rank - 1] = lengths[1] / 2 + 1;
    return kTfLiteOk;
}

static TfLiteStatus rfft2d_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, lengths, output;
    LITE_TRY(lite_check_counts(context, node, "RFFT2D", 2, 2, 1));
    LITE_TRY(lite_input(context, node, "RFFT2D", 0, &input));
    LITE_TRY(lite_input(context, node, "RFFT2D", 1, &lengths));
    LITE_TRY(lite_output(context, node, "RFFT2D", 0, &output));
    LITE_TRY(lite_check_types(context, "RFFT2D", "input", &input, LITE_TYPE_BIT(Float32)));
    LITE_TRY(lite_check_types(context, "RFFT2D", "fft_length", &lengths, LITE_TYPE_BIT(Int32)));
    LITE_TRY(lite_check_types(context, "RFFT2D", "output", &output, LITE_TYPE_BIT(Complex64)));
    if (input.shape.rank < 2) {
        return lite_fail(context, "RFFT2D: input has %d dimensions, expected 2 or more", input.shape.rank);
    }
    if (lengths.shape.rank != 1 || lengths.count != 2) {
        return lite_fail(context, "RFFT2D: fft_length is not two numbers");
    }
    return lite_size_output(context, node, "RFFT2D", 1u << 1, rfft2d_rule, NULL);
}

// In place, `stride` elements apart; roots[i] = exp(-2 pi i / n).
static void transform(Complex* x, int64_t stride, int32_t n, const Complex* roots) {
    for (int32_t i = 1, j = 0; i < n; i++) {
        int32_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        const Complex held = x[i * stride];
        x[i * stride] = x[j * stride];
        x[j * stride] = held;
    }
    for (int32_t half = 1; half < n; half *= 2) {
        const int32_t step = n / (2 * half);
        for (int32_t first = 0; first < n; first += 2 * half) {
            for (int32_t i = 0; i < half; i++) {
                const Complex root = roots[i * step];
                Complex* a = &x[(first + i) * stride];
                Complex* b = &x[(first + i + half) * stride];
                const Complex turned = {b->re * root.re - b->im * root.im, b->re * root.im + b->im * root.re};
                *b = (Complex){a->re - turned.re, a->im - turned.im};
                *a = (Complex){a->re + turned.re, a->im + turned.im};
            }
        }
    }
}

static Complex* make_roots(LiteArena* arena, int32_t n) {
    Complex* roots = lite_arena_alloc(arena, (size_t)n, sizeof(Complex));
    for (int32_t i = 0; roots != NULL && i < n; i++) {
        const double angle = -2.0 * 3.14159265358979323846 * i / n;
        roots[i] = (Complex){cos(angle), sin(angle)};
    }
    return roots;
}

typedef struct Image {
    int32_t height, width; // of the input
    int32_t rows, columns; // of the transform
    const Complex* row_roots;
    const Complex* column_roots;
    Complex* grid; // rows x columns
} Image;

static void transform_image(const Image* image, const float* from, float* to) {
    const int32_t kept = image->columns / 2 + 1;
    for (int32_t y = 0; y < image->rows; y++) {
        Complex* row = image->grid + (int64_t)y * image->columns;
        for (int32_t x = 0; x < image->columns; x++) {
            // Cropped or filled up with zeros to the lengths of the transform.
            const bool inside = y < image->height && x < image->width;
            row[x] = (Complex){inside ? (double)from[(int64_t)y * image->width + x] : 0.0, 0.0};
        }
        if (y < image->height) transform(row, 1, image->columns, image->row_roots);
    }
    for (int32_t x = 0; x < kept; x++) {
        transform(image->grid + x, image->columns, image->rows, image->column_roots);
    }
    for (int32_t y = 0; y < image->rows; y++) {
        const Complex* row = image->grid + (int64_t)y * image->columns;
        for (int32_t x = 0; x < kept; x++) {
            *to++ = (float)row[x].re;
            *to++ = (float)row[x].im;
        }
    }
}

static TfLiteStatus rfft2d_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    int32_t lengths[2];
    LITE_TRY(lite_input(context, node, "RFFT2D", 0, &input));
    LITE_TRY(lite_sized_output(context, node, "RFFT2D", rfft2d_rule, &output));
    LITE_TRY(read_lengths(context, node, lengths));
    if (output.count == 0) return kTfLiteOk;
    const int32_t* dims = input.shape.dims + input.shape.rank - 2;
    Image image = {.height = dims[0], .width = dims[1], .rows = lengths[0], .columns = lengths[1]};
    LiteArena arena = {0};
    TfLiteStatus status = kTfLiteOk;
    image.row_roots = make_roots(&arena, image.columns);
    image.column_roots = make_roots(&arena, image.rows);
    image.grid = lite_arena_alloc(&arena, (size_t)image.rows * (size_t)image.columns, sizeof(Complex));
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
