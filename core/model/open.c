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
    LiteModelSubgraph* loaded = lite_load_alloc(loader, subgraphs.count, sizeof(*loaded));
    if (loaded == NULL) return kTfLiteError;
    model->subgraphs = loader->subgraphs = loaded;
    model->subgraph_count = loader->subgraph_count = (int)subgraphs.count;
    for (uint32_t i = 0; i < subgraphs.count; i++) {
        loader->subgraph = (int)i;
        LITE_TRY(load_subgraph(loader, lite_flat_element(subgraphs, i), &loaded[i]));
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
    LiteLoader loader = {.model = model, .reporter = reporter, .root = {model->root}};
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

// Takes over the mapping, in any case.
static LiteModel* allocate(const LiteMapping* mapping, const LiteReporter* reporter) {
    LiteMapping owned = *mapping;
    LiteModel* model = lite_calloc(1, sizeof(*model));
    if (model == NULL) {
        lite_unmap_file(&owned);
        lite_report(reporter, "out of memory");
        return NULL;
    }
    static atomic_ullong count;
    atomic_init(&model->references, 1);
    model->number = atomic_fetch_add(&count, 1) + 1;
    model->mapping = owned;
    lite_shared_init(&model->shared);
    if (owned.data != NULL) model->shared.mapping = &model->mapping;
    return model;
}

// Loads the verified model, or gives it up.
static LiteModel* finish(LiteModel* model, TfLiteStatus status, const LiteReporter* reporter) {
    if (status == kTfLiteOk && load(model, reporter) == kTfLiteOk) return model;
    lite_model_release(model);
    return NULL;
}

// Copies `size` bytes to a place that is `shift` bytes behind an aligned one.
static TfLiteStatus copy_bytes(LiteModel* model, const void* data, size_t size, size_t shift,
                               const LiteReporter* reporter) {
    unsigned char* copy = lite_arena_alloc(&model->arena, size + shift, 1);
    if (copy == NULL) return lite_report(reporter, "out of memory");
    model->data = memcpy(copy + shift, data, size);
    return kTfLiteOk;
}

// A model of `data`, or of the file behind `mapping`, which it takes over in any case.
static LiteModel* create(const void* data, size_t size, const LiteMapping* mapping,
                         const LiteReporter* reporter) {
    LiteModel* model = allocate(mapping, reporter);
    if (model == NULL) return NULL;
    model->data = data;
    model->size = size;
    TfLiteStatus status = kTfLiteOk;
    if ((uintptr_t)data % kFileAlignment != 0) status = copy_bytes(model, data, size, 0, reporter);
    if (status == kTfLiteOk) {
        status = lite_flat_verify(model->data, size, &lite_schema_model, LITE_SCHEMA_IDENTIFIER, reporter);
    }
    if (status == kTfLiteOk) model->root = lite_flat_root(model->data).at;
    return finish(model, status, reporter);
}

LiteModel* lite_model_create(const void* data, size_t size, const LiteReporter* reporter) {
    return create(data, size, &(LiteMapping){.fd = -1}, reporter);
}

// The parts of a buffer are aligned relative to its start, wherever that is: often to an aligned address, and
// then nothing is to be copied. Else the bytes go to where they are aligned, which may be either half of 8.
static TfLiteStatus place_parts(LiteModel* model, const uint8_t* root, size_t before, size_t after,
                                const LiteReporter* reporter) {
    const uint8_t* parts = root - before;
    const size_t shift = (uintptr_t)parts % kFileAlignment;
    model->data = parts - shift; // the bytes in front of the parts are not read
    model->size = shift + before + after;
    model->root = root;
    if (lite_flat_verify_at(model->data, model->size, shift + before, &lite_schema_model, NULL) ==
        kTfLiteOk) {
        return kTfLiteOk;
    }
    TfLiteStatus status = kTfLiteError;
    for (size_t start = 0; start < kFileAlignment && status != kTfLiteOk; start += 4) {
        const bool last = start + 4 == kFileAlignment;
        const size_t head =
            (start + kFileAlignment - before % 4) % kFileAlignment; // the root is aligned to 4
        LITE_TRY(copy_bytes(model, parts, before + after, head, reporter));
        model->data -= head;
        model->size = head + before + after;
        model->root = model->data + head + before;
        status = lite_flat_verify_at(model->data, model->size, head + before, &lite_schema_model,
                                     last ? reporter : NULL);
    }
    return status;
}

LiteModel* lite_model_create_from_root(const void* root_table, const LiteReporter* reporter) {
    size_t before, after;
    LiteModel* model = allocate(&(LiteMapping){.fd = -1}, reporter);
    if (model == NULL) return NULL;
    model->is_part = true;
    TfLiteStatus status = lite_flat_extent(root_table, &lite_schema_model, &before, &after, reporter);
    if (status == kTfLiteOk) status = place_parts(model, root_table, before, after, reporter);
    return finish(model, status, reporter);
}

LiteModel* lite_model_create_empty(const LiteReporter* reporter) {
    static const LiteModelSubgraph nothing = {.name = ""};
    LiteModel* model = allocate(&(LiteMapping){.fd = -1}, reporter);
    if (model == NULL) return NULL;
    model->description = "";
    model->schema_version = LITE_SCHEMA_VERSION;
    model->subgraph_count = 1;
    model->subgraphs = &nothing;
    return model;
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
