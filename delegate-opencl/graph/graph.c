// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/graph.h"

#include "delegate-opencl/graph/quantization.h"

static LiteClBlocks read_blocks(const TfLiteOpaqueContext* context, const TfLiteQuantization* quantization) {
    const TfLiteBlockwiseQuantization* blockwise = quantization->params;
    if (quantization->type != kTfLiteBlockwiseQuantization || blockwise == NULL) return (LiteClBlocks){0};
    LiteClBlocks blocks = {.size = blockwise->blocksize};
    const TfLiteOpaqueTensor* scales = TfLiteOpaqueContextGetOpaqueTensor(context, blockwise->scale);
    if (scales == NULL || TfLiteOpaqueTensorType(scales) != kTfLiteFloat16 ||
        TfLiteOpaqueTensorGetAllocationType(scales) != kTfLiteMmapRo)
        return blocks;
    blocks.scales = TfLiteOpaqueTensorData(scales);
    blocks.scale_count = TfLiteOpaqueTensorByteSize(scales) / sizeof(uint16_t);
    return blocks;
}

void lite_cl_tensor_update(LiteClTensor* tensor, const TfLiteOpaqueContext* context) {
    const TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(context, tensor->index);
    tensor->odd = NULL;
    tensor->data = NULL;
    tensor->bytes = 0;
    tensor->sparsity = NULL;
    tensor->shape.rank = 0;
    tensor->type = host != NULL ? TfLiteOpaqueTensorType(host) : kTfLiteNoType;
    if (host == NULL) {
        tensor->odd = "does not exist";
        return;
    }
    const int rank = TfLiteOpaqueTensorNumDims(host);
    if (rank < 0 || rank > LITE_MAX_RANK) {
        tensor->odd = "has no shape or more than 8 dimensions";
        return;
    }
    tensor->shape.rank = rank;
    for (int d = 0; d < rank; d++) tensor->shape.dims[d] = TfLiteOpaqueTensorDim(host, d);
    const TfLiteTensor* contents = (const TfLiteTensor*)host;
    tensor->scale = contents->params.scale;
    tensor->zero_point = contents->params.zero_point;
    tensor->blocks = read_blocks(context, &contents->quantization);
    tensor->variable = TfLiteOpaqueTensorIsVariable(host);
    if (contents->sparsity != NULL) tensor->odd = "is sparse";
    if (TfLiteOpaqueTensorGetAllocationType(host) == kTfLiteMmapRo) {
        tensor->data = TfLiteOpaqueTensorData(host);
        tensor->bytes = TfLiteOpaqueTensorByteSize(host);
        tensor->sparsity = contents->sparsity;
    }
}

bool lite_cl_graph_begin(LiteClGraph* graph, size_t tensor_count) {
    size_t slots = 4;
    while (slots < 2 * tensor_count) slots *= 2;
    graph->tensors = lite_arena_alloc(&graph->arena, tensor_count, sizeof *graph->tensors);
    graph->slots = lite_arena_alloc(&graph->arena, slots, sizeof *graph->slots);
    if (graph->tensors == NULL || graph->slots == NULL) return false;
    graph->slot_count = slots;
    return true;
}

// The slot of the tensor, or the free one where it would be. At least half of the slots are free.
static int* find_slot(const LiteClGraph* graph, int index) {
    const size_t last = graph->slot_count - 1;
    size_t at = ((uint32_t)index * UINT32_C(2654435769)) & last; // neighbours stay apart
    while (graph->slots[at] != 0 && graph->tensors[graph->slots[at] - 1].index != index) at = (at + 1) & last;
    return &graph->slots[at];
}

LiteClTensor* lite_cl_graph_tensor(const LiteClGraph* graph, int index) {
    if (graph->slot_count == 0) return NULL;
    const int position = *find_slot(graph, index);
    return position > 0 ? &graph->tensors[position - 1] : NULL;
}

LiteClTensor* lite_cl_graph_enter(LiteClGraph* graph, int index) {
    int* slot = find_slot(graph, index);
    if (*slot > 0) return &graph->tensors[*slot - 1];
    LiteClTensor* tensor = &graph->tensors[graph->tensor_count++];
    *slot = graph->tensor_count;
    tensor->index = index;
    tensor->storage = -1;
    tensor->producer = tensor->last_reader = -1;
    return tensor;
}

size_t lite_cl_tensor_bytes(const LiteClTensor* tensor) {
    size_t bytes = 0;
    (void)lite_tensor_bytes(tensor->type, lite_shape_elements(&tensor->shape), &bytes);
    return bytes;
}

void lite_cl_graph_free(LiteClGraph* graph) {
    for (int t = 0; t < graph->tensor_count; t++) {
        lite_cl_quantization_release(graph->tensors[t].affine);
        lite_shared_release(graph->tensors[t].weights);
    }
    lite_arena_free(&graph->arena);
    *graph = (LiteClGraph){0};
}
