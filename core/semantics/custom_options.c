// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/custom_options.h"

#include <string.h>

#include "oclite/flexbuffers.h"

bool lite_struct_options(const void* bytes, size_t length, void* options, size_t size) {
    if (bytes == NULL || length < size) return false;
    memcpy(options, bytes, size);
    return true;
}

static void read_int(OcliteFlex map, const char* key, int32_t* value) {
    OcliteFlex element;
    int64_t number;
    if (!oclite_flex_map_find(map, key, &element) || !oclite_flex_int(element, &number)) return;
    *value = number < INT32_MIN ? INT32_MIN : number > INT32_MAX ? INT32_MAX : (int32_t)number;
}

static void read_float(OcliteFlex map, const char* key, float* value) {
    OcliteFlex element;
    double number;
    if (!oclite_flex_map_find(map, key, &element) || !oclite_flex_float(element, &number)) return;
    *value = (float)number;
}

bool lite_detection_options(const void* bytes, size_t length, LiteDetectionOptions* options) {
    OcliteFlex map, element;
    *options = (LiteDetectionOptions){.detections_per_class = 100};
    if (bytes == NULL || !oclite_flex_root(bytes, length, &map)) return false;
    read_int(map, "detections_per_class", &options->detections_per_class);
    if (oclite_flex_map_find(map, "use_regular_nms", &element)) oclite_flex_bool(element, &options->regular);
    read_int(map, "max_detections", &options->max_detections);
    read_int(map, "max_classes_per_detection", &options->classes_per_box);
    read_int(map, "num_classes", &options->classes);
    read_float(map, "nms_score_threshold", &options->score_threshold);
    read_float(map, "nms_iou_threshold", &options->overlap_threshold);
    read_float(map, "y_scale", &options->scale[0]);
    read_float(map, "x_scale", &options->scale[1]);
    read_float(map, "h_scale", &options->scale[2]);
    read_float(map, "w_scale", &options->scale[3]);
    return true;
}
