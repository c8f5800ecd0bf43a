// SPDX-License-Identifier: Apache-2.0
// Reads the tensors of a subgraph.
#include "core/model/tensor.h"

#include "core/base/shape.h"
#include "core/model/options.h"
#include "core/model/quantization.h"
#include "core/model/sparsity.h"
#include "core/model/strings.h"

static size_t element_alignment(TfLiteType type) {
    if (type == kTfLiteString) return sizeof(int32_t);
    const size_t size = lite_type_size(type);
    return size > 8 ? 8 : size < 1 ? 1 : size;
}

static TfLiteStatus check_strings(LiteLoader* loader, const LiteModelTensor* tensor, int64_t elements) {
    char problem[128];
    const size_t most = tensor->bytes / 4; // strings that are looked at
    const size_t count = most == 0 ? 0 : lite_flat_load_u32(tensor->data);
    LITE_TRY(lite_load_charge(loader, count < most ? count : most));
    if (lite_model_strings_check(tensor->data, tensor->bytes, elements, problem, sizeof problem))
        return kTfLiteOk;
    return lite_load_fail(loader, "%s", problem);
}

// Checks that the constant contents are `elements` elements (the stored ones, for a sparse tensor).
static TfLiteStatus check_contents(LiteLoader* loader, LiteModelTensor* tensor, int64_t elements) {
    size_t required;
    if (tensor->type == kTfLiteString) return check_strings(loader, tensor, elements);
    if (tensor->type == kTfLiteResource || tensor->type == kTfLiteVariant) return kTfLiteOk;
    if (!lite_tensor_bytes(tensor->type, elements, &required)) {
        return lite_load_fail(loader, "%lld elements are too many", (long long)elements);
    }
    if (required > tensor->bytes) {
        return lite_load_fail(loader, "needs %zu bytes, but its buffer %u holds %zu", required,
                              tensor->buffer, tensor->bytes);
    }
    tensor->bytes = required;
    return kTfLiteOk;
}

static TfLiteStatus load_shape(LiteLoader* loader, LiteFlatTable table, LiteModelTensor* tensor,
                               int64_t* elements) {
    const LiteFlatVector shape = lite_flat_vector(table, kTensorShape);
    tensor->has_rank = shape.data != NULL || lite_flat_u8(table, kTensorHasRank) != 0;
    tensor->shape = lite_load_ints(shape);
    tensor->shape_signature = lite_load_ints(lite_flat_vector(table, kTensorShapeSignature));
    LITE_TRY(lite_load_charge(loader, shape.count));
    for (int i = 0; i < tensor->shape.count; i++) {
        if (tensor->shape.data[i] < 0) {
            return lite_load_fail(loader, "dimension %d is %d", i, tensor->shape.data[i]);
        }
    }
    if (!lite_shape_count(tensor->shape.data, tensor->shape.count, elements)) {
        return lite_load_fail(loader, "its %d dimensions make too many elements", tensor->shape.count);
    }
    return kTfLiteOk;
}

static TfLiteStatus load_tensor(LiteLoader* loader, LiteFlatTable table, int tensor_count,
                                LiteModelTensor* tensor) {
    int64_t elements;
    tensor->name = loader->name;
    tensor->is_variable = lite_flat_u8(table, kTensorIsVariable) != 0;
    const int type = lite_flat_u8(table, kTensorType);
    tensor->type = lite_options_tensor_type(type);
    if (tensor->type == kTfLiteNoType) return lite_load_fail(loader, "has the unknown type %d", type);
    if (lite_flat_u32(table, kTensorExternalBuffer) != 0) {
        return lite_load_fail(loader, "its contents are in another file, which is not supported");
    }
    LITE_TRY(load_shape(loader, table, tensor, &elements));
    LITE_TRY(lite_load_quantization(loader, table, tensor_count, tensor));
    if (lite_flat_child(table, kTensorSparsity).at != NULL) {
        LITE_TRY(lite_load_sparsity(loader, table, tensor, &elements));
    }
    tensor->buffer = lite_flat_u32(table, kTensorBuffer);
    if (tensor->buffer == 0) return kTfLiteOk; // by convention the one without contents
    LITE_TRY(lite_load_buffer(loader, tensor->buffer, element_alignment(tensor->type), &tensor->data,
                              &tensor->bytes));
    // Contents of no bytes are those of a tensor without elements. Writers give them to others that have
    // none.
    size_t needed;
    if (tensor->bytes == 0 && (!lite_tensor_bytes(tensor->type, elements, &needed) || needed > 0)) {
        tensor->data = NULL;
    }
    return tensor->data == NULL ? kTfLiteOk : check_contents(loader, tensor, elements);
}

TfLiteStatus lite_load_tensors(LiteLoader* loader, LiteFlatTable subgraph, LiteModelSubgraph* result) {
    const LiteFlatVector tensors = lite_flat_vector(subgraph, kSubGraphTensors);
    if (tensors.data == NULL) {
        loader->kind = NULL;
        return lite_load_fail(loader, "Did not get tensors in subgraph %d", loader->subgraph);
    }
    LiteModelTensor* array = lite_load_alloc(loader, tensors.count, sizeof(*array));
    if (array == NULL) return kTfLiteError;
    result->tensors = array;
    result->tensor_count = (int)tensors.count;
    for (uint32_t i = 0; i < tensors.count; i++) {
        const LiteFlatTable table = lite_flat_element(tensors, i);
        const char* name = lite_flat_string(table, kTensorName);
        loader->kind = "tensor";
        loader->index = (int)i;
        loader->name = name == NULL ? "" : name;
        LITE_TRY(load_tensor(loader, table, result->tensor_count, &array[i]));
    }
    return kTfLiteOk;
}
