// SPDX-License-Identifier: Apache-2.0
// What programs may ask about a graph: its nodes, and where its tensors live.
#include "core/graph/inspect.h"

#include "core/graph/graph.h"
#include "core/graph/node.h"
#include "core/graph/subgraph.h"

bool lite_subgraph_node_info(const LiteSubgraph* subgraph, int index, LiteNodeInfo* info) {
    if (index < 0 || index >= subgraph->node_count) return false;
    const LiteNode* node = subgraph->nodes[index];
    *info = (LiteNodeInfo){
        .op = lite_node_name(node),
        .builtin_code = node->methods->registration.builtin_code,
        .version = node->source ? node->source->version : 0,
        .in_plan = node->in_plan,
        .resolved = node->resolved,
        .delegate_node = node->runner,
        .node = &node->node,
        .registration = &node->methods->registration,
    };
    if (node->source == NULL) {
        info->replaced_count = lite_node_replaced(node)->size;
        info->replaced = lite_node_replaced(node)->data;
    }
    return true;
}

// The arena that has the address; -1: none.
static int find_arena(const LiteSubgraph* subgraph, const void* data) {
    for (int i = 0; i < subgraph->segment_count; i++) {
        const LiteSegment* segment = &subgraph->segments[i];
        const uintptr_t offset = (uintptr_t)data - (uintptr_t)segment->base;
        if (segment->base != NULL && offset < segment->capacity) return i;
    }
    return -1;
}

static OcliteMemory memory_of(const LiteSubgraph* subgraph, int index) {
    const TfLiteTensor* tensor = &subgraph->context.tensors[index];
    switch (tensor->allocation_type) {
    case kTfLiteMmapRo:
        return kOcliteMemoryModel;
    case kTfLitePersistentRo:
        return kOcliteMemoryOwn;
    case kTfLiteDynamic:
        return kOcliteMemoryDynamic;
    case kTfLiteCustom:
        return kOcliteMemoryProgram;
    case kTfLiteArenaRw:
    case kTfLiteArenaRwPersistent:
        if (tensor->data.raw == NULL) return kOcliteMemoryNone;
        return tensor->data.raw == subgraph->slots[index].held ? kOcliteMemoryOwn : kOcliteMemoryArena;
    default:
        return kOcliteMemoryNone;
    }
}

bool lite_subgraph_tensor_memory(const LiteSubgraph* subgraph, int index, OcliteTensorMemory* result) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return false;
    *result = (OcliteTensorMemory){.bytes = tensor->bytes, .arena = -1, .first_step = -1, .last_step = -1};
    result->memory = memory_of(subgraph, index);
    if (result->memory == kOcliteMemoryArena) result->arena = find_arena(subgraph, tensor->data.raw);
    if (result->arena >= 0) {
        result->offset = (size_t)(tensor->data.raw - (char*)subgraph->segments[result->arena].base);
    } else if (result->memory == kOcliteMemoryArena) {
        result->memory = kOcliteMemoryNone;
    }
    if (!subgraph->ready) return true;
    result->first_step = subgraph->slots[index].first_write;
    result->last_step = subgraph->slots[index].last_use;
    return true;
}

size_t lite_subgraph_arena_bytes(const LiteSubgraph* subgraph, int arena) {
    return arena >= 0 && arena < subgraph->segment_count ? subgraph->segments[arena].capacity : 0;
}

size_t lite_subgraph_memory(const LiteSubgraph* subgraph) {
    size_t total = 0;
    for (int i = 0; i < subgraph->segment_capacity; i++) total += subgraph->segments[i].capacity;
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        const TfLiteTensor* tensor = &subgraph->context.tensors[i];
        total += subgraph->slots[i].held_bytes;
        if (tensor->allocation_type == kTfLitePersistentRo && tensor->data.raw != NULL)
            total += tensor->bytes;
    }
    return total;
}
