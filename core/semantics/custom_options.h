// SPDX-License-Identifier: Apache-2.0
// Options of custom operators, read by CPU kernels and by delegates.
#ifndef CORE_SEMANTICS_CUSTOM_OPTIONS_H_
#define CORE_SEMANTICS_CUSTOM_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MediaPipe's operators have the bytes of C structs as options; those of later versions are longer.

// The first fields of TfLitePoolParams.
typedef struct LitePoolOptions {
    int32_t padding; // TfLitePadding
    int32_t stride_w;
    int32_t stride_h;
    int32_t filter_w;
    int32_t filter_h;
    int32_t activation; // TfLiteFusedActivation
} LitePoolOptions;

// The first fields of TfLiteTransposeConvParams.
typedef struct LiteTransposeConvOptions {
    int32_t padding;
    int32_t stride_w;
    int32_t stride_h;
} LiteTransposeConvOptions;

// Copies a struct of int32_t from options, which may be absent (NULL); false when they are too short.
bool lite_struct_options(const void* bytes, size_t length, void* options, size_t size);

// TFLite_Detection_PostProcess, from a FlexBuffers map.
typedef struct LiteDetectionOptions {
    bool regular; // each class by itself, else each box by its best class
    int32_t max_detections;
    int32_t classes_per_box;
    int32_t detections_per_class;
    int32_t classes;
    float score_threshold;
    float overlap_threshold;
    float scale[4]; // y, x, height, width
} LiteDetectionOptions;

// What is not there is 0, as in the reference, and 100 for detections_per_class. false when there are none.
bool lite_detection_options(const void* bytes, size_t length, LiteDetectionOptions* options);

#endif
