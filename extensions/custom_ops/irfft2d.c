// SPDX-License-Identifier: Apache-2.0
// Irfft2d computes real images from the half of the columns of their Fourier transforms that is not
// redundant. Lengths are powers of two. It computes in double precision and rounds the results.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"
#include "oclite/oclite.h"

static const char op[] = "Irfft2d";

enum { kInput, kLengths, kInputs };

static TfLiteStatus rule(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, LiteCustomShape* shape) {
    LiteCustomView input, lengths;
    int64_t values[2];
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kInput, &input));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kLengths, &lengths));
    for (int i = 0; i < 2; i++) {
        values[i] = lite_custom_integer(&lengths, i);
        if (values[i] < 1 || (values[i] & (values[i] - 1)) != 0) {
            return lite_extension_fail(context, "%s: length %lld is not a power of two", op,
                                       (long long)values[i]);
        }
    }
    if (values[0] > INT_MAX / 8 || values[0] * (values[1] + 2) > INT_MAX) {
        return lite_extension_fail(context, "%s: a transform of %lld by %lld is too large", op,
                                   (long long)values[0], (long long)values[1]);
    }
    shape->rank = input.rank;
    memcpy(shape->dims, input.dims, sizeof(shape->dims));
    shape->dims[shape->rank - 2] = values[0];
    shape->dims[shape->rank - 1] = values[1];
    return kTfLiteOk;
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView input, lengths, output;
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, kInputs, kInputs, 1));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kInput, &input));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kLengths, &lengths));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "input", &input, 1u << kTfLiteComplex64));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "fft_length", &lengths, 1u << kTfLiteInt32));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &output, 1u << kTfLiteFloat32));
    if (input.rank < 2) {
        return lite_extension_fail(context, "%s: input has %d dimensions, expected 2 or more", op,
                                   input.rank);
    }
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "fft_length", &lengths, 1));
    if (lengths.count != 2) {
        return lite_extension_fail(context, "%s: fft_length has %lld elements, expected 2", op,
                                   (long long)lengths.count);
    }
    return lite_custom_size_output(context, node, op, kLengths, rule);
}

typedef struct Complex {
    double re, im;
} Complex;

static Complex conjugate(Complex x) {
    return (Complex){x.re, -x.im};
}

// What the transform of images of `rows` by `columns` needs. Each pointer is into one block.
typedef struct Grid {
    int64_t rows, columns;
    int64_t kept;      // columns / 2 + 1
    Complex* roots[2]; // of the rows and of the columns
    Complex* cells;    // rows by kept
    Complex* line;     // a row of the image, or a column
} Grid;

// In place: x[j] becomes the sum of x[k] exp(2 pi i jk / n).
static void transform(Complex* x, int64_t n, const Complex* roots) {
    for (int64_t i = 1, j = 0; i < n; i++) {
        int64_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        const Complex held = x[i];
        x[i] = x[j];
        x[j] = held;
    }
    for (int64_t half = 1; half < n; half *= 2) {
        for (int64_t first = 0; first < n; first += 2 * half) {
            for (int64_t i = 0; i < half; i++) {
                Complex *a = &x[first + i], *b = &x[first + i + half];
                const Complex root = roots[i * (n / (2 * half))];
                const Complex turned = {b->re * root.re - b->im * root.im, b->re * root.im + b->im * root.re};
                *b = (Complex){a->re - turned.re, a->im - turned.im};
                *a = (Complex){a->re + turned.re, a->im + turned.im};
            }
        }
    }
}

static void find_roots(Complex* roots, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        const double angle = 2.0 * 3.14159265358979323846 * (double)i / (double)n;
        roots[i] = (Complex){cos(angle), sin(angle)};
    }
}

// The first and the last column are the transforms of real columns: one half follows from the other. As in
// the reference it is the upper half of the first column that counts, and the lower half of the last.
static void complete_ends(const Grid* grid) {
    const int64_t rows = grid->rows, kept = grid->kept;
    Complex *first = grid->cells, *last = grid->cells + kept - 1;
    for (int64_t y = 1; y < rows - y; y++) {
        first[(rows - y) * kept] = conjugate(first[y * kept]);
        if (last != first) last[y * kept] = conjugate(last[(rows - y) * kept]);
    }
    for (int64_t y = 0; y<rows; y += rows> 1 ? rows / 2 : 1) {
        first[y * kept].im = last[y * kept].im = 0.0;
    }
}

static void fill_cells(const Grid* grid, const float* from, int64_t height, int64_t width) {
    memset(grid->cells, 0, (size_t)(grid->rows * grid->kept) * sizeof(Complex));
    for (int64_t y = 0; y < height && y < grid->rows; y++) {
        for (int64_t x = 0; x < width && x < grid->kept; x++) {
            const float* cell = from + 2 * (y * width + x);
            grid->cells[y * grid->kept + x] = (Complex){(double)cell[0], (double)cell[1]};
        }
    }
    complete_ends(grid);
}

static void compute_image(const Grid* grid, float* to) {
    const int64_t rows = grid->rows, columns = grid->columns, kept = grid->kept;
    const double factor = 1.0 / (double)(rows * columns); // a power of two
    for (int64_t x = 0; x < kept; x++) {
        for (int64_t y = 0; y < rows; y++) grid->line[y] = grid->cells[y * kept + x];
        transform(grid->line, rows, grid->roots[0]);
        for (int64_t y = 0; y < rows; y++) grid->cells[y * kept + x] = grid->line[y];
    }
    for (int64_t y = 0; y < rows; y++) {
        memcpy(grid->line, grid->cells + y * kept, (size_t)kept * sizeof(Complex));
        for (int64_t x = kept; x < columns; x++) grid->line[x] = conjugate(grid->line[columns - x]);
        transform(grid->line, columns, grid->roots[1]);
        for (int64_t x = 0; x < columns; x++) to[y * columns + x] = (float)(grid->line[x].re * factor);
    }
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView input, output;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kInput, &input));
    LITE_EXTENSION_TRY(lite_custom_sized_output(context, node, op, kLengths, rule, &output));
    if (output.count == 0) return kTfLiteOk;
    Grid grid = {.rows = output.dims[output.rank - 2], .columns = output.dims[output.rank - 1]};
    grid.kept = grid.columns / 2 + 1;
    const int64_t longest = grid.rows > grid.columns ? grid.rows : grid.columns;
    Complex* block =
        calloc((size_t)(grid.rows + grid.columns + longest + grid.rows * grid.kept), sizeof(*block));
    if (block == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    grid.roots[0] = block;
    grid.roots[1] = grid.roots[0] + grid.rows;
    grid.line = grid.roots[1] + grid.columns;
    grid.cells = grid.line + longest;
    find_roots(grid.roots[0], grid.rows);
    find_roots(grid.roots[1], grid.columns);
    const int64_t height = input.dims[input.rank - 2], width = input.dims[input.rank - 1];
    const int64_t size = grid.rows * grid.columns;
    for (int64_t i = 0; i < output.count / size && !oclite_context_is_cancelled(context); i++) {
        fill_cells(&grid, (const float*)input.data + 2 * i * height * width, height, width);
        compute_image(&grid, (float*)output.data + i * size);
    }
    free(block);
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_irfft2d = {.name = op, .prepare = prepare, .invoke = invoke};
const LiteExtensionOperator lite_custom_irfft2d_too = {
    .name = "IRFFT2D", .prepare = prepare, .invoke = invoke};
