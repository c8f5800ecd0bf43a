// SPDX-License-Identifier: Apache-2.0
// A model that is loaded: references and accessors.
#include "core/model/model.h"

#include "core/model/model_internal.h"

LiteModel* lite_model_retain(LiteModel* model) {
    atomic_fetch_add_explicit(&model->references, 1, memory_order_relaxed);
    return model;
}

void lite_model_release(LiteModel* model) {
    if (model == NULL || atomic_fetch_sub_explicit(&model->references, 1, memory_order_acq_rel) > 1) return;
    lite_shared_destroy(&model->shared);
    lite_arena_free(&model->arena);
    lite_unmap_file(&model->mapping);
    lite_free(model);
}

uint64_t lite_model_number(const LiteModel* model) {
    return model->number;
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

LiteShared* lite_model_shared(LiteModel* model) {
    return &model->shared;
}

const void* lite_model_root(const LiteModel* model) {
    return model->root;
}

bool lite_model_optimization_modes(const LiteModel* model, LiteModelInts* modes) {
    *modes = model->optimization_modes;
    return modes->data != NULL;
}
