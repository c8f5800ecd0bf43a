// SPDX-License-Identifier: Apache-2.0
// WHERE lists the coordinates of the elements that are not 0, as rows of INT64.
#include "core/base/parallel.h"
#include "kernels-cpu/support/elementwise.h"
#include "kernels-cpu/support/types.h"

static bool supported(TfLiteType type) {
    return type == kTfLiteBool || type == kTfLiteFloat32 || type == kTfLiteInt8 || type == kTfLiteUInt8 ||
           type == kTfLiteInt32 || type == kTfLiteUInt32 || type == kTfLiteInt64;
}

enum {
    kParts = 64, // of the input, whose outputs are known once their elements are counted
    kBlock = 256,
    kGrain = 16 * 1024, // elements worth a thread
};

// How many of `count` elements are set; with `at`, also which.
#define DEFINE_FIND(SUFFIX, CODE, STORED, VALUE, LOW, HIGH)                                                  \
    static int64_t find_##SUFFIX(const void* data, int64_t first, int64_t count, int32_t* at) {              \
        const STORED* x = (const STORED*)data + first;                                                       \
        int64_t found = 0;                                                                                   \
        if (at == NULL) {                                                                                    \
            for (int64_t i = 0; i < count; i++) found += x[i] != 0;                                          \
        } else { /* without branches, which nobody can predict */                                            \
            for (int64_t i = 0; i < count; i++) {                                                            \
                at[found] = (int32_t)i;                                                                      \
                found += x[i] != 0;                                                                          \
            }                                                                                                \
        }                                                                                                    \
        return found;                                                                                        \
    }
LITE_INTEGER_TYPES(DEFINE_FIND)
DEFINE_FIND(f32, kTfLiteFloat32, float, float, , )

typedef int64_t (*Find)(const void* data, int64_t first, int64_t count, int32_t* at);

static Find find_of(TfLiteType type) {
    switch ((int)type) {
#define CASE(SUFFIX, CODE, STORED, VALUE, LOW, HIGH)                                                         \
    case CODE:                                                                                               \
        return find_##SUFFIX;
        LITE_INTEGER_TYPES(CASE)
        CASE(f32, kTfLiteFloat32, float, float, , )
    default:
        return NULL;
    }
}

typedef struct WhereJob {
    const LiteView* input;
    Find find;
    int64_t parts[kParts + 1]; // elements that are set before each part
    int64_t* coordinates;
} WhereJob;

static int64_t part_begin(const WhereJob* job, int64_t part) {
    return job->input->count / kParts * part + job->input->count % kParts * part / kParts;
}

static void count_parts(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    WhereJob* job = argument;
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part_begin(job, part);
        job->parts[part + 1] = job->find(job->input->data, first, part_begin(job, part + 1) - first, NULL);
    }
}

// The coordinates of a block of one row, whose first element has those in `at`.
static int64_t* write_block(const WhereJob* job, int64_t first, int64_t count, const int64_t* at,
                            int64_t* to) {
    int32_t set[kBlock];
    const int last = job->input->shape.rank - 1;
    const int64_t found = job->find(job->input->data, first, count, set);
    for (int64_t i = 0; i < found; i++, to += last + 1) {
        for (int d = 0; d < last; d++) to[d] = at[d];
        to[last] = at[last] + set[i];
    }
    return to;
}

static void write_parts(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const WhereJob* job = argument;
    const LiteShape* shape = &job->input->shape;
    const int last = shape->rank - 1;
    int64_t first = part_begin(job, begin), rest = first;
    const int64_t after = part_begin(job, end);
    int64_t* to = job->coordinates + job->parts[begin] * shape->rank;
    int64_t at[LITE_MAX_RANK];
    for (int d = last; d >= 0; d--) {
        at[d] = rest % shape->dims[d];
        rest /= shape->dims[d];
    }
    while (first < after) {
        int64_t count = shape->dims[last] - at[last];
        if (count > after - first) count = after - first;
        if (count > kBlock) count = kBlock;
        to = write_block(job, first, count, at, to);
        first += count;
        at[last] += count;
        for (int d = last; d > 0 && at[d] == shape->dims[d]; d--) {
            at[d] = 0;
            at[d - 1]++;
        }
    }
}

// Counts what is set; the number of all is parts[kParts].
static void count_set(TfLiteOpaqueContext* context, WhereJob* job) {
    lite_parallel_for(lite_kernel_num_threads(context), kParts, kGrain * kParts / (job->input->count + 1) + 1,
                      count_parts, job);
    job->parts[0] = 0;
    for (int i = 0; i < kParts; i++) job->parts[i + 1] += job->parts[i];
}

static TfLiteStatus resize_output(TfLiteOpaqueContext* context, const WhereJob* job, const LiteView* output) {
    const int64_t count = job->parts[kParts];
    if (count > INT32_MAX) return lite_fail(context, "WHERE: too many elements");
    const LiteShape shape = {2, {(int32_t)count, job->input->shape.rank}};
    return lite_kernel_resize(context, output->tensor, &shape);
}

static TfLiteStatus where_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "WHERE", 1, 1, 1));
    LITE_TRY(lite_kernel_views(context, node, "WHERE", &input, 1, &output));
    LITE_TRY(lite_check_type(context, "WHERE", "output", &output, kTfLiteInt64));
    if (!supported(input.type)) return lite_check_fail_type(context, "WHERE", input.type);
    if (input.shape.rank < 1)
        return lite_fail(context, "WHERE: the input is a scalar: Where op requires condition w/ rank > 0");
    if (input.constant) {
        WhereJob job = {.input = &input, .find = find_of(input.type)};
        count_set(context, &job);
        return resize_output(context, &job, &output);
    }
    lite_kernel_set_dynamic(output.tensor);
    return kTfLiteOk;
}

static TfLiteStatus where_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, "WHERE", &input, 1, &output));
    WhereJob job = {.input = &input, .find = find_of(input.type)};
    count_set(context, &job);
    if (output.dynamic) {
        LITE_TRY(resize_output(context, &job, &output));
        LITE_TRY(lite_kernel_output(context, node, "WHERE", 0, &output));
    }
    if (output.count == 0) return kTfLiteOk;
    job.coordinates = output.data;
    lite_parallel_for(lite_kernel_num_threads(context), kParts, kGrain * kParts / (input.count + 1) + 1,
                      write_parts, &job);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_WHERE = {.prepare = where_prepare, .invoke = where_invoke};
