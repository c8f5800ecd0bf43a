// SPDX-License-Identifier: Apache-2.0
// A .tflite model, read and verified completely before anyone sees it, and immutable from then on: several
// interpreters, also on several threads, share one. This is the only module that touches model bytes.
//
// Everything here points into the model's bytes (memory-mapped, or the caller's) or into the model's arena,
// and lives until the last reference is released. All indices have been checked against the arrays they
// index; optional tensor indices are -1.
#ifndef CORE_MODEL_MODEL_H_
#define CORE_MODEL_MODEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/shared.h"
#include "core/base/status.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/common.h"

typedef struct LiteModelInts {
    int count;
    const int32_t* data;
} LiteModelInts;

typedef struct LiteModelTensor {
    const char* name; // never NULL
    TfLiteType type;
    bool is_variable;
    bool has_rank;                 // false: neither a shape nor has_rank in the file (a scalar, or unranked)
    LiteModelInts shape;           // dimensions, each >= 0
    LiteModelInts shape_signature; // -1 for unknown dimensions; count 0 when absent
    uint32_t buffer;               // index; 0 is the empty buffer
    const void* data;              // constant contents, aligned for the type; NULL when the tensor has none
    size_t bytes;                  // of data: what the shape and type need (sparse: the stored elements)
    // kTfLiteAffineQuantization, kTfLiteBlockwiseQuantization, kTfLiteMultiAxisQuantization or
    // kTfLiteNoQuantization; params owned by the model, and partly in the read-only file.
    TfLiteQuantization quantization;
    const TfLiteSparsity* sparsity; // NULL: dense
} LiteModelTensor;

typedef struct LiteModelOperator {
    TfLiteBuiltinOperator builtin_code; // kTfLiteBuiltinCustom for custom operators
    const char* custom_name;            // NULL for builtins
    int version;
    LiteModelInts inputs; // -1: absent
    LiteModelInts outputs;
    LiteModelInts intermediates;
    const void* builtin_data;   // the TfLite*Params of the code; NULL for operators without parameters
    const void* custom_options; // FlexBuffer of a custom operator; NULL when absent
    size_t custom_options_size;
    LiteModelInts mutating_inputs; // one 0/1 per input; count 0 when absent
} LiteModelOperator;

typedef struct LiteModelSubgraph {
    const char* name; // never NULL
    int tensor_count;
    bool is_called; // by an operator
    const LiteModelTensor* tensors;
    int operator_count;
    const LiteModelOperator* operators;
    LiteModelInts inputs; // -1: absent
    LiteModelInts outputs;
} LiteModelSubgraph;

typedef struct LiteModelTensorName {
    const char* name;
    int tensor; // index in the signature's subgraph
} LiteModelTensorName;

typedef struct LiteModelSignature {
    const char* key;
    int subgraph;
    int input_count; // names are sorted
    const LiteModelTensorName* inputs;
    int output_count;
    const LiteModelTensorName* outputs;
} LiteModelSignature;

typedef struct LiteModelMetadata {
    const char* name;
    const void* data;
    size_t bytes;
} LiteModelMetadata;

typedef struct LiteModel LiteModel;

// A further reference; the model given back. Thread-safe, as is release. release(NULL) does nothing.
LiteModel* lite_model_retain(LiteModel* model);
void lite_model_release(LiteModel* model);

// No other model of this process gets the same, whereas addresses are used again.
uint64_t lite_model_number(const LiteModel* model);

int lite_model_subgraph_count(const LiteModel* model); // at least 1
const LiteModelSubgraph* lite_model_subgraph(const LiteModel* model, int index);
int lite_model_signature_count(const LiteModel* model);
const LiteModelSignature* lite_model_signature(const LiteModel* model, int index);
int lite_model_metadata_count(const LiteModel* model);
const LiteModelMetadata* lite_model_metadata(const LiteModel* model, int index);
// How the converter says that it optimized the model (ModelOptimizationMode of its schema); false when it
// does not say.
bool lite_model_optimization_modes(const LiteModel* model, LiteModelInts* modes);
const char* lite_model_description(const LiteModel* model); // never NULL
int lite_model_schema_version(const LiteModel* model);

// Where the model's bytes are, for TfLiteOpaqueContextGetNodeInitDataMmapInfo: the open file's descriptor and
// the start of its mapping; fd -1 for models from memory.
int lite_model_file(const LiteModel* model, const void** base, size_t* size);

// What interpreters compute from the contents of tensors, once for all of them.
LiteShared* lite_model_shared(LiteModel* model);

// The root table in the model's bytes; NULL when it has none.
const void* lite_model_root(const LiteModel* model);

#endif
