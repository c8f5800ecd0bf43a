// SPDX-License-Identifier: Apache-2.0
#include "core/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/loader.h"

// Bases of contents and of TfLiteIntArrays inside the file: the greatest alignment that a number needs.
static const size_t kFileAlignment = 8;

// What a file may cost beyond a multiple of its size (lite_load_charge). Honest files need under 10 per byte.
static const size_t kBudgetPerByte = 64;
static const size_t kBudgetOfAnyFile = (size_t)1 << 20;

TfLiteStatus(lite_load_fail)(const LiteLoader* loader, const char* format, ...) {
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    if (loader->kind == NULL) return lite_report(loader->reporter, "%s", message);
    if (loader->index < 0) {
        return lite_report(loader->reporter, "%s %d (%.80s): %s", loader->kind, loader->subgraph,
                           loader->name, message);
    }
    return lite_report(loader->reporter, "Subgraph %d, %s %d (%.80s): %s", loader->subgraph, loader->kind,
                       loader->index, loader->name, message);
}

TfLiteStatus lite_load_charge(LiteLoader* loader, size_t amount) {
    if (amount > loader->budget) {
        return lite_load_fail(loader, "the model is out of proportion with its file of %zu bytes",
                              loader->model->size);
    }
    loader->budget -= amount;
    return kTfLiteOk;
}

void* lite_load_alloc(LiteLoader* loader, size_t count, size_t size) {
    // Counts come from verified vectors and sizes are those of structs: no product overflows 64 bits.
    if (size != 0 && count > SIZE_MAX / size) return NULL;
    if (lite_load_charge(loader, count * size) != kTfLiteOk) return NULL;
    void* memory = lite_arena_alloc(&loader->model->arena, count, size);
    if (memory == NULL) lite_load_fail(loader, "out of memory");
    return memory;
}

LiteModelInts lite_load_ints(LiteFlatVector vector) {
    static const int32_t nothing;
    if (vector.count == 0) return (LiteModelInts){0, &nothing};
    return (LiteModelInts){(int)vector.count, (const int32_t*)vector.data};
}

TfLiteIntArray* lite_load_int_array(LiteFlatVector vector) {
    return vector.data == NULL ? NULL : (TfLiteIntArray*)(vector.data - sizeof(int32_t));
}

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
    LITE_TRY(lite_load_check_tensors(loader, "inputs", result->inputs, 0, result->tensor_count));
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

// Pointers into one array: of equal names the later one comes later.
static int compare_names(const void* a, const void* b) {
    const LiteModelTensorName* x = *(const LiteModelTensorName* const*)a;
    const LiteModelTensorName* y = *(const LiteModelTensorName* const*)b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x > y) - (x < y);
}

int lite_model_sort_names(const LiteModelTensorName* names, int count, const LiteModelTensorName** order,
                          LiteModelTensorName* sorted) {
    for (int i = 0; i < count; i++) order[i] = &names[i];
    qsort(order, (size_t)count, sizeof *order, compare_names);
    int used = 0;
    for (int i = 0; i < count; i++) {
        const bool repeated = used > 0 && strcmp(sorted[used - 1].name, order[i]->name) == 0;
        sorted[repeated ? used - 1 : used++] = *order[i];
    }
    return used;
}

// The names of a signature's inputs or outputs.
static TfLiteStatus load_names(LiteLoader* loader, LiteFlatTable signature, int field, int tensor_count,
                               int* count, const LiteModelTensorName** names) {
    const char* key = lite_flat_string(signature, kSignatureKey);
    const LiteFlatVector maps = lite_flat_vector(signature, field);
    LiteModelTensorName* array = lite_load_alloc(loader, maps.count, sizeof(*array));
    LiteModelTensorName* sorted = lite_load_alloc(loader, maps.count, sizeof(*sorted));
    const LiteModelTensorName** order = lite_load_alloc(loader, maps.count, sizeof(*order));
    if (array == NULL || sorted == NULL || order == NULL) return kTfLiteError;
    for (uint32_t i = 0; i < maps.count; i++) {
        const LiteFlatTable map = lite_flat_element(maps, i);
        const uint32_t tensor = lite_flat_u32(map, kTensorMapTensorIndex);
        array[i].name = lite_flat_string(map, kTensorMapName);
        array[i].tensor = (int)tensor;
        if (array[i].name == NULL) return lite_load_fail(loader, "Signature %.80s: a name is missing", key);
        if (tensor >= (uint32_t)tensor_count) {
            return lite_load_fail(loader, "Signature %.80s: %.80s is tensor %u, but there are %d tensors",
                                  key, array[i].name, tensor, tensor_count);
        }
    }
    *count = lite_model_sort_names(array, (int)maps.count, order, sorted);
    *names = sorted;
    return kTfLiteOk;
}

static TfLiteStatus load_signature(LiteLoader* loader, LiteFlatTable table, LiteModelSignature* result) {
    const LiteModel* model = loader->model;
    const uint32_t subgraph = lite_flat_u32(table, kSignatureSubgraphIndex);
    result->key = lite_flat_string(table, kSignatureKey);
    result->subgraph = (int)subgraph;
    if (result->key == NULL) return lite_load_fail(loader, "A signature has no key");
    if (subgraph >= (uint32_t)model->subgraph_count) {
        return lite_load_fail(loader, "Signature %.80s belongs to subgraph %u, but the model has %d",
                              result->key, subgraph, model->subgraph_count);
    }
    const int tensors = model->subgraphs[subgraph].tensor_count;
    LITE_TRY(load_names(loader, table, kSignatureInputs, tensors, &result->input_count, &result->inputs));
    return load_names(loader, table, kSignatureOutputs, tensors, &result->output_count, &result->outputs);
}

static TfLiteStatus load_signatures(LiteLoader* loader) {
    const LiteFlatVector signatures = lite_flat_vector(loader->root, kModelSignatureDefs);
    LiteModel* model = loader->model;
    model->signatures = lite_load_alloc(loader, signatures.count, sizeof(*model->signatures));
    if (model->signatures == NULL) return kTfLiteError;
    model->signature_count = (int)signatures.count;
    for (uint32_t i = 0; i < signatures.count; i++) {
        LITE_TRY(load_signature(loader, lite_flat_element(signatures, i), &model->signatures[i]));
    }
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
    LITE_TRY(load_signatures(&loader));
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

LiteModel* lite_model_retain(LiteModel* model) {
    atomic_fetch_add_explicit(&model->references, 1, memory_order_relaxed);
    return model;
}

void lite_model_release(LiteModel* model) {
    if (model == NULL || atomic_fetch_sub_explicit(&model->references, 1, memory_order_acq_rel) > 1) return;
    lite_arena_free(&model->arena);
    lite_unmap_file(&model->mapping);
    lite_free(model);
}

int lite_model_subgraph_count(const LiteModel* model) {
    return model->subgraph_count;
}

const LiteModelSubgraph* lite_model_subgraph(const LiteModel* model, int index) {
    return &model->subgraphs[index];
}

int lite_model_signature_count(const LiteModel* model) {
    return model->signature_count;
}

const LiteModelSignature* lite_model_signature(const LiteModel* model, int index) {
    return &model->signatures[index];
}

int lite_model_metadata_count(const LiteModel* model) {
    return model->metadata_count;
}

const LiteModelMetadata* lite_model_metadata(const LiteModel* model, int index) {
    return &model->metadata[index];
}

const char* lite_model_description(const LiteModel* model) {
    return model->description;
}

int lite_model_schema_version(const LiteModel* model) {
    return model->schema_version;
}

int lite_model_file(const LiteModel* model, const void** base, size_t* size) {
    *base = model->data;
    *size = model->size;
    return model->mapping.fd;
}
