// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess.
#include <string.h>

#include "core/semantics/custom_options.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/detection.h"

enum { kBoxes, kScores, kAnchors, kInputs };
enum { kOutputs = 4 };

static bool read_options(const LiteClNode* node, LiteDetectionOptions* o, LiteClReason* reason) {
    if (!lite_detection_options(node->custom_options, node->custom_size, o))
        return lite_cl_refuse(reason, "there are no options");
    if (o->max_detections < 1 || o->classes_per_box < 1 || (o->regular && o->detections_per_class < 1) ||
        o->classes < 1)
        return lite_cl_refuse(reason, "%d detections of %d classes", o->max_detections, o->classes);
    return (o->overlap_threshold > 0.0f && o->overlap_threshold <= 1.0f) ||
           lite_cl_refuse(reason, "nms_iou_threshold %g", (double)o->overlap_threshold);
}

static bool check_shapes(const LiteClNode* node, const LiteDetectionOptions* o, LiteClReason* reason) {
    const LiteShape *boxes = &node->inputs[kBoxes]->shape, *scores = &node->inputs[kScores]->shape;
    const LiteShape* anchors = &node->inputs[kAnchors]->shape;
    if (boxes->rank != 3 || scores->rank != 3 || anchors->rank != 2 || boxes->dims[0] != 1 ||
        scores->dims[0] != 1 || scores->dims[1] != boxes->dims[1] || anchors->dims[0] != boxes->dims[1] ||
        boxes->dims[2] < 4 || anchors->dims[1] != 4)
        return lite_cl_refuse(reason, "boxes, scores and anchors do not fit together");
    const int64_t background = (int64_t)scores->dims[2] - o->classes;
    return background == 0 || background == 1 ||
           lite_cl_refuse(reason, "%d scores for %d classes", scores->dims[2], o->classes);
}

static bool detection_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    LiteDetectionOptions o;
    if (node->output_count != kOutputs) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    for (int i = 0; i < kInputs; i++) {
        const TfLiteType type = node->inputs[i]->type;
        if (type != kTfLiteFloat32 && type != kTfLiteUInt8)
            return lite_cl_refuse(reason, "input %d is %s", i, TfLiteTypeGetName(type));
    }
    if (node->inputs[kBoxes]->type != node->inputs[kAnchors]->type)
        return lite_cl_refuse(reason, "boxes and anchors differ in type");
    if (!read_options(node, &o, reason) || !check_shapes(node, &o, reason)) return false;
    for (int i = 0; i < kOutputs; i++) outputs[i] = (LiteShape){1, {1}};
    for (int i = 0; i + 1 < kOutputs; i++) {
        if (!lite_cl_append_dim(&outputs[i], (int64_t)o.max_detections * o.classes_per_box, reason))
            return false;
    }
    return lite_cl_append_dim(&outputs[0], 4, reason);
}

// The CPU kernel takes quantization as it is: no scale makes zeros.
static void set_quantization(const LiteClTensor* tensor, float* scale, int* zero) {
    const bool real = tensor->type == kTfLiteFloat32;
    *scale = real ? 1.0f : tensor->scale;
    *zero = real ? 0 : tensor->zero_point;
}

static LiteClDetectionArgs detection_args(const LiteClNode* node, const LiteDetectionOptions* o) {
    const int32_t* boxes = node->inputs[kBoxes]->shape.dims;
    const int32_t scores = node->inputs[kScores]->shape.dims[2];
    const int per_class =
        o->detections_per_class < o->max_detections ? o->detections_per_class : o->max_detections;
    const int limit = o->regular ? per_class : o->max_detections;
    LiteClDetectionArgs args = {
        .boxes = boxes[1],
        .box_stride = boxes[2],
        .anchor_stride = node->inputs[kAnchors]->shape.dims[1],
        .score_stride = scores,
        .background = scores - o->classes,
        .classes = o->classes,
        .runs = o->regular ? o->classes : 1,
        .limit = limit < boxes[1] ? limit : boxes[1],
        .detections = o->max_detections,
        .room = o->max_detections * o->classes_per_box,
        .classes_per_box = o->classes_per_box,
        .score_threshold = o->score_threshold,
        .overlap_threshold = o->overlap_threshold,
        .scale_y = o->scale[0],
        .scale_x = o->scale[1],
        .scale_h = o->scale[2],
        .scale_w = o->scale[3],
        .node = node->index + 1,
    };
    set_quantization(node->inputs[kBoxes], &args.scale_boxes, &args.zero_boxes);
    set_quantization(node->inputs[kScores], &args.scale_scores, &args.zero_scores);
    set_quantization(node->inputs[kAnchors], &args.scale_anchors, &args.zero_anchors);
    return args;
}

static LiteClPrelude detection_prelude(const LiteClPlan* plan, const LiteClNode* node, bool regular) {
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "B_", node->inputs[kBoxes]->type);
    lite_cl_define_type(&prelude, "S_", node->inputs[kScores]->type);
    lite_cl_define_type(&prelude, "A_", node->inputs[kAnchors]->type);
    if (plan->device->doubles) lite_cl_define(&prelude, "DOUBLES");
    if (regular) lite_cl_define(&prelude, "REGULAR");
    return prelude;
}

static TfLiteStatus detection_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteDetectionOptions o = {0};
    lite_cl_agreed(read_options(node, &o, &(LiteClReason){0}));
    const LiteClDetectionArgs args = detection_args(node, &o);
    const LiteClPrelude prelude = detection_prelude(plan, node, o.regular);
    const size_t boxes = (size_t)args.boxes, runs = (size_t)args.runs;
    const int decoded = lite_cl_plan_add_storage(plan, kLiteClArena, boxes * 4 * sizeof(cl_float));
    const int left = lite_cl_plan_add_storage(plan, kLiteClArena, boxes * runs * sizeof(cl_float));
    const int selected =
        lite_cl_plan_add_storage(plan, kLiteClArena, runs * (size_t)args.limit * sizeof(cl_int));
    const int counts = lite_cl_plan_add_storage(plan, kLiteClArena, runs * sizeof(cl_int));
    const int next = lite_cl_plan_add_storage(plan, kLiteClArena, runs * sizeof(cl_int));
    const int scores = lite_cl_plan_tensor(plan, node->inputs[kScores]);
    LiteClLaunch launch = {.family = &lite_cl_source_detection,
                           .kernel = "decode",
                           .prelude = prelude.text,
                           .args = &args,
                           .args_size = sizeof args,
                           .buffer_count = 4,
                           .buffers = {lite_cl_plan_tensor(plan, node->inputs[kBoxes]),
                                       lite_cl_plan_tensor(plan, node->inputs[kAnchors]), decoded,
                                       lite_cl_plan_status(plan)},
                           .items = {boxes, 1, 1}};
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    const int suppress[] = {scores, decoded, left, selected, counts};
    launch.kernel = "suppress";
    launch.buffer_count = 5;
    memcpy(launch.buffers, suppress, sizeof suppress);
    launch.items[0] = runs;
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    const int collect[] = {scores, decoded, selected, counts, next};
    launch.kernel = "collect";
    memcpy(launch.buffers, collect, sizeof collect);
    for (int i = 0; i < kOutputs; i++)
        launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, node->outputs[i]);
    launch.items[0] = o.regular ? 1 : (size_t)args.detections;
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_TFLite_Detection_PostProcess = {.min_inputs = kInputs,
                                                          .max_inputs = kInputs,
                                                          .max_outputs = kOutputs,
                                                          .inputs = ".",
                                                          .outputs = "f",
                                                          .rounds = kLiteClRoundsMany,
                                                          .infer = detection_infer,
                                                          .lower = detection_lower};
