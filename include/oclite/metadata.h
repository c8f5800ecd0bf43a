// SPDX-License-Identifier: Apache-2.0
// What a model says about itself: TensorFlow Lite's metadata (an entry "TFLITE_METADATA" in the model) and
// the files that are packed into it (a ZIP archive behind it), such as labels and vocabularies.
//
//     OcliteMetadata* metadata = oclite_metadata_create(model, NULL, NULL);
//     if (metadata == NULL) return false; // damaged
//     for (int i = 0; i < metadata->subgraph_count; i++) {
//         const OcliteMetadataSubgraph* subgraph = &metadata->subgraphs[i];
//         ...
//     }
//     oclite_metadata_delete(metadata);
//
// Texts are UTF-8 as far as the model's author has kept to it, never NULL, and "" when the model does not
// say. Counts of 0 come with any pointer. What is said of tensors is not compared with the model's graph: a
// program must not count on there being as many as the graph has.
#ifndef OCLITE_METADATA_H_
#define OCLITE_METADATA_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OcliteMetadataFile {
    const char* name;
    const char* description;
    const char* type; // DESCRIPTIONS, TENSOR_AXIS_LABELS, TENSOR_VALUE_LABELS, TENSOR_AXIS_SCORE_CALIBRATION,
                      // VOCABULARY, SCANN_INDEX_FILE or ""
    const char* locale;
    const void* data; // what is in the file; NULL: see `absent`
    size_t size;
    const char* absent; // why there is no data, as the end of a sentence: "is not packed into the model"
} OcliteMetadataFile;

// How text becomes numbers.
typedef struct OcliteMetadataTokenizer {
    const char* kind;       // regex, bert, sentencepiece or ""
    const char* delimiters; // of regex: an expression for what lies between words
    int file_count;         // vocabularies, and of sentencepiece the model
    const OcliteMetadataFile* files;
} OcliteMetadataTokenizer;

typedef struct OcliteMetadataFloats {
    int count; // one for all channels, or one for each
    const float* values;
} OcliteMetadataFloats;

typedef struct OcliteMetadataTensor {
    const char* name;
    const char* description;
    const char* content;         // feature, image, bounding boxes, audio or ""
    const char* color_space;     // of images: RGB, GRAYSCALE or ""
    uint32_t width, height;      // of images, 0: the tensor's own
    const char* box_type;        // of bounding boxes: BOUNDARIES, UPPER_LEFT, CENTER or ""
    const char* coordinate_type; // of bounding boxes: RATIO, PIXEL or ""
    uint32_t sample_rate;        // of audio, in Hz
    uint32_t channels;           // of audio
    OcliteMetadataFloats mean;   // an input's values are normalized as (x - mean) / std before they are
    OcliteMetadataFloats std;    // quantized; count 0: they are not
    OcliteMetadataFloats min;    // of the values
    OcliteMetadataFloats max;
    bool has_score_threshold;
    float score_threshold; // less is to be left out
    OcliteMetadataTokenizer tokenizer;
    int file_count;
    const OcliteMetadataFile* files;
} OcliteMetadataTensor;

typedef struct OcliteMetadataSubgraph {
    const char* name;
    const char* description;
    int input_count;
    const OcliteMetadataTensor* inputs;
    int output_count;
    const OcliteMetadataTensor* outputs;
    OcliteMetadataTokenizer tokenizer; // of all inputs together
    int file_count;
    const OcliteMetadataFile* files;
} OcliteMetadataSubgraph;

typedef struct OcliteMetadata {
    const char* name;
    const char* description;
    const char* version;
    const char* author;
    const char* license;
    const char* min_parser_version;
    int subgraph_count; // the first is the main one
    const OcliteMetadataSubgraph* subgraphs;
    int file_count;
    const OcliteMetadataFile* files;
    int packed_count; // every file of the archive, whether or not it is spoken of above
    const OcliteMetadataFile* packed;
} OcliteMetadata;

// Reads a model's metadata; one that has none gives counts of 0. Returns NULL when they are damaged, or
// memory runs out, and says why by `reporter` (NULL allowed). All pointers live as long as the result, which
// keeps the model. Its memory is bounded by a multiple of the size of the metadata. Any thread may read it.
TFL_CAPI_EXPORT extern OcliteMetadata*
oclite_metadata_create(const TfLiteModel* model,
                       void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_metadata_delete(OcliteMetadata* metadata);

#ifdef __cplusplus
}
#endif

#endif
