// SPDX-License-Identifier: Apache-2.0
// NON_MAX_SUPPRESSION_V4 and V5 choose boxes in the order of their scores, at most a given number, and leave
// out those that overlap a chosen one. With a sixth input the suppression is soft: scores of boxes that
// overlap chosen ones decay.
#include <math.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/size.h"

enum { kBoxes, kScores, kMaxOutput, kOverlapThreshold, kScoreThreshold, kSigma };

typedef struct Outputs {
    LiteView indices, scores, count; // scores only of soft suppression
} Outputs;

static TfLiteStatus get_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                bool soft, Outputs* outputs) {
    LITE_TRY(lite_kernel_output(context, node, op, 0, &outputs->indices));
    if (soft) LITE_TRY(lite_kernel_output(context, node, op, 1, &outputs->scores));
    return lite_kernel_output(context, node, op, soft ? 2 : 1, &outputs->count);
}

static bool is_soft(const TfLiteOpaqueNode* node) {
    return TfLiteOpaqueNodeNumberOfInputs(node) == 6;
}

static TfLiteStatus check_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                 bool soft) {
    static const char* const names[] = {"boxes",         "scores",          "maximum output size",
                                        "IoU threshold", "score threshold", "sigma"};
    LiteView views[6] = {{0}};
    for (int i = 0; i < (soft ? 6 : 5); i++) {
        const uint32_t type = i == kMaxOutput ? LITE_TYPE(Int32) : LITE_TYPE(Float32);
        LITE_TRY(lite_kernel_input(context, node, op, i, &views[i]));
        LITE_TRY(lite_check_types(context, op, names[i], &views[i], type));
        const int rank = i == kBoxes ? 2 : i == kScores ? 1 : 0;
        if (views[i].shape.rank != rank) {
            return lite_fail(context, "%s: %s of %d dimensions, expected %d", op, names[i],
                             views[i].shape.rank, rank);
        }
    }
    const int32_t *boxes = views[kBoxes].shape.dims, *scores = views[kScores].shape.dims;
    if (boxes[1] != 4 || boxes[0] != scores[0]) {
        return lite_fail(context, "%s: %d boxes of %d coordinates, and %d scores", op, boxes[0], boxes[1],
                         scores[0]);
    }
    return kTfLiteOk;
}

// Indices and scores have room for as many boxes as input 2 says.
static TfLiteStatus size_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                 Outputs* outputs) {
    LiteView max_output;
    int64_t length;
    LiteShape shape = {0};
    LITE_TRY(lite_kernel_input(context, node, op, kMaxOutput, &max_output));
    LITE_TRY(lite_ints_read_one(context, op, "maximum output size", &max_output, &length));
    LITE_TRY(lite_size_append(context, op, &shape, length));
    LITE_TRY(lite_kernel_resize(context, outputs->indices.tensor, &shape));
    return is_soft(node) ? lite_kernel_resize(context, outputs->scores.tensor, &shape) : kTfLiteOk;
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op) {
    const bool soft = is_soft(node);
    LiteView max_output;
    Outputs outputs;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 5, 6, soft ? 3 : 2));
    LITE_TRY(check_inputs(context, node, op, soft));
    LITE_TRY(get_outputs(context, node, op, soft, &outputs));
    LITE_TRY(lite_check_types(context, op, "indices", &outputs.indices, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, op, "number of indices", &outputs.count, LITE_TYPE(Int32)));
    if (soft) LITE_TRY(lite_check_types(context, op, "scores", &outputs.scores, LITE_TYPE(Float32)));
    LITE_TRY(lite_kernel_resize(context, outputs.count.tensor, &(LiteShape){0}));
    LITE_TRY(lite_kernel_input(context, node, op, kMaxOutput, &max_output));
    if (max_output.constant) return size_outputs(context, node, op, &outputs);
    lite_kernel_set_dynamic(outputs.indices.tensor);
    if (soft) lite_kernel_set_dynamic(outputs.scores.tensor);
    return kTfLiteOk;
}

typedef struct Candidate {
    int32_t box;
    int32_t compared; // with so many of the chosen boxes
    float score;
} Candidate;

// A heap with the best score at the top. Among equal scores the one that its moves bring up comes first: they
// are those of the reference's heap, whose order of boxes is to be ours.
typedef struct Heap {
    Candidate* items;
    int32_t count;
} Heap;

static void heap_lift(Heap* heap, int32_t hole, Candidate item) {
    while (hole > 0) {
        const int32_t parent = (hole - 1) / 2;
        if (!(heap->items[parent].score < item.score)) break;
        heap->items[hole] = heap->items[parent];
        hole = parent;
    }
    heap->items[hole] = item;
}

static void heap_push(Heap* heap, Candidate item) {
    heap_lift(heap, heap->count++, item);
}

// The hole at the top sinks to a leaf, and what was last rises from there.
static Candidate heap_pop(Heap* heap) {
    const Candidate top = heap->items[0];
    const Candidate last = heap->items[--heap->count];
    int32_t hole = 0;
    for (int32_t child = 1; child < heap->count; child = 2 * hole + 1) {
        const Candidate* items = heap->items;
        if (child + 1 < heap->count && !(items[child + 1].score < items[child].score)) child++;
        heap->items[hole] = items[child];
        hole = child;
    }
    heap_lift(heap, hole, last);
    return top;
}

static float smaller(float a, float b) {
    return b < a ? b : a;
}

static float larger(float a, float b) {
    return a < b ? b : a;
}

typedef struct Box {
    float y0, x0, y1, x1; // any two opposite corners
} Box;

// The area of the intersection over that of the union.
static float overlap(const Box* a, const Box* b) {
    const float a_top = smaller(a->y0, a->y1), a_bottom = larger(a->y0, a->y1);
    const float a_left = smaller(a->x0, a->x1), a_right = larger(a->x0, a->x1);
    const float b_top = smaller(b->y0, b->y1), b_bottom = larger(b->y0, b->y1);
    const float b_left = smaller(b->x0, b->x1), b_right = larger(b->x0, b->x1);
    const float a_area = (a_bottom - a_top) * (a_right - a_left);
    const float b_area = (b_bottom - b_top) * (b_right - b_left);
    if (a_area <= 0.0f || b_area <= 0.0f) return 0.0f;
    const float height = larger(smaller(a_bottom, b_bottom) - larger(a_top, b_top), 0.0f);
    const float width = larger(smaller(a_right, b_right) - larger(a_left, b_left), 0.0f);
    const float shared = height * width;
    return shared / (a_area + b_area - shared);
}

typedef struct Job {
    const Box* boxes;
    float overlap_threshold;
    float score_threshold;
    float decay; // negative for soft suppression, else 0
    int32_t* chosen;
    int32_t count;
} Job;

// Compares the candidate with the chosen boxes that it has not been compared with, the last ones first, as
// they are the likeliest to overlap. false: it is suppressed.
static bool compare(const Job* job, Candidate* candidate) {
    for (int32_t i = job->count - 1; i >= candidate->compared; i--) {
        if (lite_cancelled_at(i)) return false;
        const float shared = overlap(&job->boxes[candidate->box], &job->boxes[job->chosen[i]]);
        if (shared >= job->overlap_threshold) return false;
        if (job->decay < 0.0f) candidate->score *= expf(job->decay * shared * shared);
        if (candidate->score <= job->score_threshold) return false;
    }
    candidate->compared = job->count;
    return true;
}

// Chooses up to `limit` boxes; `scores`, where not NULL, receives theirs.
static void choose(Job* job, Heap* heap, int32_t limit, float* scores) {
    if (limit > heap->count) limit = heap->count;
    while (job->count < limit && heap->count > 0 && !lite_cancelled()) {
        Candidate candidate = heap_pop(heap);
        const float before = candidate.score;
        if (!compare(job, &candidate)) continue;
        if (candidate.score == before) {
            if (scores != NULL) scores[job->count] = candidate.score;
            job->chosen[job->count++] = candidate.box;
        }
        // Another may be better now. One just chosen comes back too, as in the reference, and suppresses
        // itself unless the threshold is over 1 or the box has no area, which so is chosen again and again.
        if (candidate.score > job->score_threshold) heap_push(heap, candidate);
    }
}

static float scalar(const LiteView* view) {
    return *(const float*)view->data;
}

static TfLiteStatus run(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                        const Outputs* outputs, Heap* heap) {
    LiteView inputs[6];
    const bool soft = is_soft(node);
    for (int i = 0; i < (soft ? 6 : 5); i++) LITE_TRY(lite_kernel_input(context, node, op, i, &inputs[i]));
    const float sigma = soft ? scalar(&inputs[kSigma]) : 0.0f;
    if (sigma < 0.0f) return lite_fail(context, "%s: a sigma of %g", op, (double)sigma);
    Job job = {.boxes = inputs[kBoxes].data,
               .overlap_threshold = scalar(&inputs[kOverlapThreshold]),
               .score_threshold = scalar(&inputs[kScoreThreshold]),
               .decay = sigma > 0.0f ? -0.5f / sigma : 0.0f,
               .chosen = outputs->indices.data};
    heap->items = lite_malloc((size_t)inputs[kScores].count * sizeof(Candidate) + 1);
    if (heap->items == NULL) return lite_fail(context, "%s: out of memory", op);
    for (int32_t i = 0; i < inputs[kScores].count && !lite_cancelled_at(i); i++) {
        const float score = ((const float*)inputs[kScores].data)[i];
        if (score > job.score_threshold) heap_push(heap, (Candidate){.box = i, .score = score});
    }
    float* scores = soft ? outputs->scores.data : NULL;
    choose(&job, heap, (int32_t)outputs->indices.count, scores);
    *(int32_t*)outputs->count.data = job.count;
    for (int64_t i = job.count; i < outputs->indices.count; i++) {
        job.chosen[i] = 0;
        if (scores != NULL) scores[i] = 0.0f;
    }
    return kTfLiteOk;
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op) {
    const bool soft = is_soft(node);
    Outputs outputs;
    LITE_TRY(get_outputs(context, node, op, soft, &outputs));
    if (outputs.indices.dynamic) {
        LITE_TRY(size_outputs(context, node, op, &outputs));
        LITE_TRY(get_outputs(context, node, op, soft, &outputs));
    }
    Heap heap = {0};
    const TfLiteStatus status = run(context, node, op, &outputs, &heap);
    lite_free(heap.items);
    return status;
}

#define DEFINE_NMS(NAME)                                                                                     \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return prepare(context, node, #NAME);                                                                \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return invoke(context, node, #NAME);                                                                 \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};

DEFINE_NMS(NON_MAX_SUPPRESSION_V4)
DEFINE_NMS(NON_MAX_SUPPRESSION_V5)
