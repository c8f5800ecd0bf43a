// SPDX-License-Identifier: Apache-2.0
// The arguments of detection.cl.
#ifndef KERNELS_CL_ARGS_DETECTION_H_
#define KERNELS_CL_ARGS_DETECTION_H_

// TFLite_Detection_PostProcess. Strides are those of a row of the tensors.
typedef struct LiteClDetectionArgs {
    int boxes;
    int box_stride;
    int anchor_stride;
    int score_stride;
    int background; // where the scores of classes begin
    int classes;
    int runs;       // of the suppression: one, or one for each class
    int limit;      // of boxes that a run selects
    int detections; // most
    int room;       // of the outputs, for detections
    int classes_per_box;
    float score_threshold;
    float overlap_threshold;
    float scale_y; // of encoded boxes
    float scale_x;
    float scale_h;
    float scale_w;
    float scale_boxes; // of quantized tensors, else 1
    float scale_scores;
    float scale_anchors;
    int zero_boxes;
    int zero_scores;
    int zero_anchors;
    int node;
} LiteClDetectionArgs;

#endif
