// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess chooses, from the raw outputs of a detector (encoded boxes, scores of classes,
// anchors), the best boxes that do not overlap.
#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/semantics/custom_options.h"
#include "kernels-cpu/support/ranking.h"
#include "kernels-cpu/support/size.h"

#define OP "TFLite_Detection_PostProcess"

enum { kInputBoxes, kInputScores, kInputAnchors };
enum { kOutputBoxes, kOutputClasses, kOutputScores, kOutputCount, kOutputs };

typedef struct Data {
    bool valid;
    LiteDetectionOptions options;
} Data;

typedef struct Box {
    float y0, x0, y1, x1;
} Box;

static void* detection_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    Data* data = lite_calloc(1, sizeof(*data));
    if (data != NULL) data->valid = lite_detection_options(buffer, length, &data->options);
    return data;
}

static void detection_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus check_options(TfLiteOpaqueContext* context, const Data* data) {
    if (data == NULL) return lite_fail(context, OP ": out of memory");
    if (!data->valid) return lite_fail(context, OP ": there are no options");
    const LiteDetectionOptions* o = &data->options;
    const int least = o->regular ? 1 : 0; // of detections
    if (o->max_detections < least || o->classes_per_box < 1 || o->detections_per_class < least ||
        o->classes < 1) {
        return lite_fail(context,
                         OP ": max_detections %d, max_classes_per_detection %d, detections_per_class %d, "
                            "num_classes %d",
                         o->max_detections, o->classes_per_box, o->detections_per_class, o->classes);
    }
    if (!(o->overlap_threshold > 0.0f && o->overlap_threshold <= 1.0f)) {
        return lite_fail(context, OP ": nms_iou_threshold %g is not in (0, 1]", (double)o->overlap_threshold);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const LiteDetectionOptions* o) {
    LiteView boxes, scores, anchors;
    const uint32_t types = LITE_TYPE(Float32) | LITE_TYPE(UInt8);
    LITE_TRY(lite_kernel_input(context, node, OP, kInputBoxes, &boxes));
    LITE_TRY(lite_kernel_input(context, node, OP, kInputScores, &scores));
    LITE_TRY(lite_kernel_input(context, node, OP, kInputAnchors, &anchors));
    LITE_TRY(lite_check_types(context, OP, "boxes", &boxes, types));
    LITE_TRY(lite_check_types(context, OP, "scores", &scores, types));
    LITE_TRY(lite_check_same_type(context, OP, &boxes, &anchors));
    if (boxes.shape.rank != 3 || scores.shape.rank != 3 || anchors.shape.rank != 2) {
        return lite_fail(context,
                         OP ": boxes, scores and anchors of %d, %d and %d dimensions, expected 3, 3 and 2",
                         boxes.shape.rank, scores.shape.rank, anchors.shape.rank);
    }
    const int32_t count = boxes.shape.dims[1];
    if (boxes.shape.dims[0] != 1 || scores.shape.dims[0] != 1 || scores.shape.dims[1] != count ||
        anchors.shape.dims[0] != count || boxes.shape.dims[2] < 4 || anchors.shape.dims[1] != 4) {
        return lite_fail(context, OP ": boxes, scores and anchors do not fit together: %s, %s and %s",
                         lite_shape_text(&boxes.shape).text, lite_shape_text(&scores.shape).text,
                         lite_shape_text(&anchors.shape).text);
    }
    // The scores may begin with those of the background.
    const int32_t background = scores.shape.dims[2] - o->classes;
    if (background != 0 && background != 1) {
        return lite_fail(context, OP ": %d scores for %d classes", scores.shape.dims[2], o->classes);
    }
    return kTfLiteOk;
}

static TfLiteStatus detection_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Data* data = TfLiteOpaqueNodeGetUserData(node);
    LITE_TRY(lite_kernel_check_counts(context, node, OP, 3, 3, kOutputs));
    LITE_TRY(check_options(context, data));
    const LiteDetectionOptions* o = &data->options;
    LITE_TRY(check_inputs(context, node, o));
    LiteShape detections = {.rank = 1, .dims = {1}};
    LITE_TRY(lite_size_append(context, OP, &detections, (int64_t)o->max_detections * o->classes_per_box));
    LiteShape shapes[kOutputs] = {detections, detections, detections, {.rank = 1, .dims = {1}}};
    LITE_TRY(lite_size_append(context, OP, &shapes[kOutputBoxes], 4));
    for (int i = 0; i < kOutputs; i++) {
        LiteView output;
        LITE_TRY(lite_kernel_output(context, node, OP, i, &output));
        LITE_TRY(lite_check_types(context, OP, "output", &output, LITE_TYPE(Float32)));
        LITE_TRY(lite_kernel_resize(context, output.tensor, &shapes[i]));
    }
    return kTfLiteOk;
}

// What one run works with.
typedef struct Work {
    const LiteDetectionOptions* options;
    LiteView inputs[3];
    LiteView outputs[kOutputs];
    int32_t count; // boxes
    int32_t background;
    Box* boxes;        // decoded
    float* scores;     // of the boxes in one class, or in their best
    int32_t* selected; // boxes left by the suppression
    int32_t* order;    // scratch: `count` numbers, as the next ones
    float* kept;
    int32_t* kept_box;
    bool* suppressed;
} Work;

static float value_at(const LiteView* view, int64_t index) {
    if (view->type == kTfLiteFloat32) return ((const float*)view->data)[index];
    const int64_t q = ((const uint8_t*)view->data)[index];
    return (float)(q - view->zero_point) * view->scale;
}

static float score_of(const Work* w, int32_t box, int32_t class_index) {
    const LiteView* scores = &w->inputs[kInputScores];
    return value_at(scores, (int64_t)box * scores->shape.dims[2] + w->background + class_index);
}

static TfLiteStatus decode_boxes(TfLiteOpaqueContext* context, Work* w) {
    const LiteView *boxes = &w->inputs[kInputBoxes], *anchors = &w->inputs[kInputAnchors];
    for (int32_t i = 0; i < w->count && !lite_cancelled_at(i); i++) {
        double code[4], anchor[4];
        for (int k = 0; k < 4; k++) {
            const float value = value_at(boxes, (int64_t)i * boxes->shape.dims[2] + k);
            code[k] = (double)value / (double)w->options->scale[k];
            anchor[k] = (double)value_at(anchors, (int64_t)i * anchors->shape.dims[1] + k);
        }
        const float y = (float)(code[0] * anchor[2] + anchor[0]);
        const float x = (float)(code[1] * anchor[3] + anchor[1]);
        const float half_height = (float)(0.5 * exp(code[2]) * anchor[2]);
        const float half_width = (float)(0.5 * exp(code[3]) * anchor[3]);
        w->boxes[i] = (Box){y - half_height, x - half_width, y + half_height, x + half_width};
        const Box* box = &w->boxes[i];
        if (box->y0 > box->y1 || box->x0 > box->x1) {
            return lite_fail(context, OP ": box %d ends before it begins: %g to %g and %g to %g", i,
                             (double)box->y0, (double)box->y1, (double)box->x0, (double)box->x1);
        }
    }
    return kTfLiteOk;
}

// The area of the intersection over that of the union.
static float overlap(const Box* a, const Box* b) {
    const float area_a = (a->y1 - a->y0) * (a->x1 - a->x0);
    const float area_b = (b->y1 - b->y0) * (b->x1 - b->x0);
    if (area_a <= 0.0f || area_b <= 0.0f) return 0.0f;
    const float height = fmaxf(fminf(a->y1, b->y1) - fmaxf(a->y0, b->y0), 0.0f);
    const float width = fmaxf(fminf(a->x1, b->x1) - fmaxf(a->x0, b->x0), 0.0f);
    const float shared = height * width;
    return shared / (area_a + area_b - shared);
}

// From the best score down, each box removes those that overlap it. Returns how many are in w->selected.
static int32_t suppress(Work* w, int32_t limit) {
    int32_t kept = 0, selected = 0;
    for (int32_t i = 0; i < w->count; i++) {
        if (!(w->scores[i] >= w->options->score_threshold)) continue;
        w->kept[kept] = w->scores[i];
        w->kept_box[kept++] = i;
    }
    lite_ranking_select(w->kept, kTfLiteFloat32, kept, kept, w->order);
    memset(w->suppressed, 0, (size_t)kept * sizeof(bool));
    for (int32_t i = 0; i < kept && selected < limit; i++) {
        if (w->suppressed[i]) continue;
        if (lite_cancelled()) break;
        const Box* best = &w->boxes[w->kept_box[w->order[i]]];
        w->selected[selected++] = w->kept_box[w->order[i]];
        for (int32_t j = i + 1; j < kept; j++) {
            if (w->suppressed[j]) continue;
            const Box* other = &w->boxes[w->kept_box[w->order[j]]];
            w->suppressed[j] = overlap(best, other) > w->options->overlap_threshold;
        }
    }
    return selected;
}

static void store_detection(Work* w, int64_t at, int32_t box, int32_t class_index, float score) {
    ((Box*)w->outputs[kOutputBoxes].data)[at] = w->boxes[box];
    ((float*)w->outputs[kOutputClasses].data)[at] = (float)class_index;
    ((float*)w->outputs[kOutputScores].data)[at] = score;
}

// Each box counts once, with its best classes.
static TfLiteStatus run_fast(TfLiteOpaqueContext* context, Work* w, LiteArena* arena, int32_t* detections) {
    const LiteDetectionOptions* o = w->options;
    const int32_t per_box = o->classes_per_box < o->classes ? o->classes_per_box : o->classes;
    float* row = lite_arena_alloc(arena, (size_t)o->classes, sizeof(float));
    int32_t* classes = lite_arena_alloc(arena, (size_t)o->classes, sizeof(int32_t));
    if (row == NULL || classes == NULL) return lite_fail(context, OP ": out of memory");
    for (int32_t i = 0; i < w->count && !lite_cancelled_at((int64_t)i * o->classes); i++) {
        w->scores[i] = score_of(w, i, 0);
        for (int32_t c = 1; c < o->classes; c++) w->scores[i] = fmaxf(w->scores[i], score_of(w, i, c));
    }
    *detections = suppress(w, o->max_detections);
    for (int32_t i = 0; i < *detections && !lite_cancelled(); i++) {
        const int32_t box = w->selected[i];
        for (int32_t c = 0; c < o->classes; c++) row[c] = score_of(w, box, c);
        lite_ranking_select(row, kTfLiteFloat32, o->classes, per_box, classes);
        for (int32_t k = 0; k < per_box; k++) {
            store_detection(w, (int64_t)i * o->classes_per_box + k, box, classes[k], row[classes[k]]);
        }
    }
    return kTfLiteOk;
}

typedef struct Candidate {
    int32_t box;
    int32_t class_index;
} Candidate;

// Each class is suppressed by itself; of all classes the best are kept.
static TfLiteStatus run_regular(TfLiteOpaqueContext* context, Work* w, LiteArena* arena,
                                int32_t* detections) {
    const LiteDetectionOptions* o = w->options;
    const int32_t limit =
        o->detections_per_class < o->max_detections ? o->detections_per_class : o->max_detections;
    const size_t room = (size_t)o->max_detections + (size_t)(limit < w->count ? limit : w->count);
    Candidate* best = lite_arena_alloc(arena, room, sizeof(Candidate));
    Candidate* next = lite_arena_alloc(arena, room, sizeof(Candidate));
    float* scores = lite_arena_alloc(arena, room, sizeof(float));
    float* next_scores = lite_arena_alloc(arena, room, sizeof(float));
    int32_t* order = lite_arena_alloc(arena, room, sizeof(int32_t));
    if (best == NULL || next == NULL || scores == NULL || next_scores == NULL || order == NULL) {
        return lite_fail(context, OP ": out of memory");
    }
    int32_t count = 0;
    for (int32_t c = 0; c < o->classes && !lite_cancelled(); c++) {
        for (int32_t i = 0; i < w->count; i++) w->scores[i] = score_of(w, i, c);
        const int32_t selected = suppress(w, limit);
        for (int32_t i = 0; i < selected; i++) {
            best[count + i] = (Candidate){w->selected[i], c};
            scores[count + i] = w->scores[w->selected[i]];
        }
        const int32_t total = count + selected;
        count = total < o->max_detections ? total : o->max_detections;
        lite_ranking_select(scores, kTfLiteFloat32, total, count, order);
        for (int32_t i = 0; i < count; i++) next[i] = best[order[i]], next_scores[i] = scores[order[i]];
        memcpy(best, next, (size_t)count * sizeof(Candidate));
        memcpy(scores, next_scores, (size_t)count * sizeof(float));
    }
    for (int32_t i = 0; i < count; i++) store_detection(w, i, best[i].box, best[i].class_index, scores[i]);
    *detections = count;
    return kTfLiteOk;
}

static TfLiteStatus run_detection(TfLiteOpaqueContext* context, Work* w, LiteArena* arena) {
    const size_t count = (size_t)w->count;
    int32_t detections = 0;
    w->boxes = lite_arena_alloc(arena, count, sizeof(Box));
    w->scores = lite_arena_alloc(arena, count, sizeof(float));
    w->selected = lite_arena_alloc(arena, count, sizeof(int32_t));
    w->order = lite_arena_alloc(arena, count, sizeof(int32_t));
    w->kept = lite_arena_alloc(arena, count, sizeof(float));
    w->kept_box = lite_arena_alloc(arena, count, sizeof(int32_t));
    w->suppressed = lite_arena_alloc(arena, count, sizeof(bool));
    if (w->boxes == NULL || w->scores == NULL || w->selected == NULL || w->order == NULL || w->kept == NULL ||
        w->kept_box == NULL || w->suppressed == NULL) {
        return lite_fail(context, OP ": out of memory");
    }
    for (int i = 0; i < kOutputs; i++) {
        if (w->outputs[i].count > 0) memset(w->outputs[i].data, 0, w->outputs[i].bytes);
    }
    LITE_TRY(decode_boxes(context, w));
    LITE_TRY(w->options->regular ? run_regular(context, w, arena, &detections)
                                 : run_fast(context, w, arena, &detections));
    *(float*)w->outputs[kOutputCount].data = (float)detections;
    return kTfLiteOk;
}

static TfLiteStatus detection_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Work w = {.options = &((const Data*)TfLiteOpaqueNodeGetUserData(node))->options};
    for (int i = 0; i < 3; i++) LITE_TRY(lite_kernel_input(context, node, OP, i, &w.inputs[i]));
    for (int i = 0; i < kOutputs; i++) LITE_TRY(lite_kernel_output(context, node, OP, i, &w.outputs[i]));
    w.count = w.inputs[kInputBoxes].shape.dims[1];
    w.background = w.inputs[kInputScores].shape.dims[2] - w.options->classes;
    LiteArena arena = {0};
    const TfLiteStatus status = run_detection(context, &w, &arena);
    lite_arena_free(&arena);
    return status;
}

const LiteKernel lite_kernel_TFLite_Detection_PostProcess = {
    .init = detection_init, .free = detection_free, .prepare = detection_prepare, .invoke = detection_invoke};
