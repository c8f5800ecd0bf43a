// SPDX-License-Identifier: Apache-2.0
// Reads signatures, and sorts the names of their tensors.
#include "core/model/signature.h"

#include <stdlib.h>
#include <string.h>

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

TfLiteStatus lite_load_signatures(LiteLoader* loader) {
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
