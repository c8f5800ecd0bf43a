// SPDX-License-Identifier: Apache-2.0
// Opening a model: subgraphs, signatures and metadata.
#include "core/model/open.h"

#include <string.h>

#include "core/model/conversion.h"
#include "core/model/loader.h"
#include "core/model/operator.h"
#include "core/model/signature.h"
#include "core/model/tensor.h"

// The start of the file must be aligned so: contents and TfLiteIntArrays inside of it need no greater
// alignment.
static const size_t kFileAlignment = 8;

// What a file may cost beyond a multiple of its size (lite_load_charge). Honest files need under 10 per byte.
static const size_t kBudgetPerByte = 64;
static const size_t kBudgetOfAnyFile = (size_t)1 << 20;

static TfLiteStatus load_subgraph(LiteLoader* loader, LiteFlatTable table, LiteModelSubgraph* result) {
    const char* name = lite_flat_string(table, kSubGraphName);
    result->name = name == NULL ? "" : name;
    result->inputs = lite_load_ints(lite_flat_vector(table, kSubGraphInputs));
    result->outputs = lite_load_ints(lite_flat_vector(table, kSubGraphOutputs));
    LITE_TRY(lite_load_tensors(loader, table, result));
    LITE_TRY(lite_load_operators(loader, table, result));
    loader->kind = "Subgraph";
    loader->name = result->name;
    loader->index = -1;
    LITE_TRY(lite_load_check_tensors(loader, "inputs", result->inputs, -1, result->tensor_count));
    return lite_load_check_tensors(loader, "outputs", result->outputs, 0, result->tensor_count);
}

static TfLiteStatus load_subgraphs(LiteLoader* loader) {
    const LiteFlatVector subgraphs = lite_flat_vector(loader->root, kModelSubgraphs);
    if (subgraphs.count == 0) return lite_load_fail(loader, "No subgraph in the model");
    LiteModel* model = loader->model;
    model->subgraphs = lite_load_alloc(loader, subgraphs.count, sizeof(*model->subgraphs));
    if (model->subgraphs == NULL) return kTfLiteError;
    model->subgraph_count = loader->subgraph_count = (int)subgraphs.count;
    for (uint32_t i = 0; i < subgraphs.count; i++) {
        loader->subgraph = (int)i;
        LITE_TRY(load_subgraph(loader, lite_flat_element(subgraphs, i), &model->subgraphs[i]));
    }
    loader->kind = NULL;
    return kTfLiteOk;
}

static TfLiteStatus load_metadata(LiteLoader* loader) {
    const LiteFlatVector metadata = lite_flat_vector(loader->root, kModelMetadata);
    LiteModel* model = loader->model;
    model->metadata = lite_load_alloc(loader, metadata.count, sizeof(*model->metadata));
    if (model->metadata == NULL) return kTfLiteError;
    model->metadata_count = (int)metadata.count;
    for (uint32_t i = 0; i < metadata.count; i++) {
        const LiteFlatTable table = lite_flat_element(metadata, i);
        const char* name = lite_flat_string(table, kMetadataName);
        model->metadata[i].name = name == NULL ? "" : name;
        LITE_TRY(lite_load_buffer(loader, lite_flat_u32(table, kMetadataBuffer), 1, &model->metadata[i].data,
                                  &model->metadata[i].bytes));
        LITE_TRY(lite_load_conversion(loader, &model->metadata[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus load(LiteModel* model, const LiteReporter* reporter) {
    LITE_TRY(
        lite_flat_verify(model->data, model->size, &lite_schema_model, LITE_SCHEMA_IDENTIFIER, reporter));
    LiteLoader loader = {.model = model, .reporter = reporter, .root = lite_flat_root(model->data)};
    const bool huge = model->size > (SIZE_MAX - kBudgetOfAnyFile) / kBudgetPerByte;
    loader.budget = huge ? SIZE_MAX : model->size * kBudgetPerByte + kBudgetOfAnyFile;
    loader.buffers = lite_flat_vector(loader.root, kModelBuffers);
    const char* description = lite_flat_string(loader.root, kModelDescription);
    model->description = description == NULL ? "" : description;
    model->schema_version = lite_flat_i32(loader.root, kModelVersion, 0);
    if (model->schema_version != LITE_SCHEMA_VERSION) {
        return lite_load_fail(&loader,
                              "Model provided is schema version %d, not equal to supported version %d",
                              model->schema_version, LITE_SCHEMA_VERSION);
    }
    if (loader.buffers.data == NULL) return lite_load_fail(&loader, "No buffers in the model");
    LITE_TRY(load_subgraphs(&loader));
    LITE_TRY(lite_load_signatures(&loader));
    return load_metadata(&loader);
}

// A model of `data`, or of the file behind `mapping`, which it takes over in any case.
static LiteModel* create(const void* data, size_t size, const LiteMapping* mapping,
                         const LiteReporter* reporter) {
    LiteMapping owned = *mapping;
    LiteModel* model = lite_calloc(1, sizeof(*model));
    if (model == NULL) {
        lite_unmap_file(&owned);
        lite_report(reporter, "out of memory");
        return NULL;
    }
    atomic_init(&model->references, 1);
    model->mapping = owned;
    model->data = data;
    model->size = size;
    if ((uintptr_t)data % kFileAlignment != 0) {
        void* copy = lite_arena_alloc(&model->arena, size, 1);
        model->data = copy == NULL ? NULL : memcpy(copy, data, size);
        if (copy == NULL) lite_report(reporter, "out of memory");
    }
    if ((model->data == NULL && data != NULL) || load(model, reporter) != kTfLiteOk) {
        lite_model_release(model);
        return NULL;
    }
    return model;
}

LiteModel* lite_model_create(const void* data, size_t size, const LiteReporter* reporter) {
    return create(data, size, &(LiteMapping){.fd = -1}, reporter);
}

LiteModel* lite_model_open(const char* path, const LiteReporter* reporter) {
    LiteMapping mapping = {.fd = -1};
    const int error = lite_map_file(path, &mapping);
    if (error != 0) {
        lite_report(reporter, "Could not open '%s': %s", path, strerror(error));
        return NULL;
    }
    return create(mapping.data, mapping.size, &mapping, reporter);
}
