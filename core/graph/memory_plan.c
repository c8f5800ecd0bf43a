// SPDX-License-Identifier: Apache-2.0
// Where tensors live: lifetimes follow from the plan, each segment has an arena, graph inputs and variables
// have buffers of their own.
#include "core/graph/memory_plan.h"

#include <assert.h>
#include <string.h>

#include "core/base/planner.h"
#include "core/graph/alias.h"
#include "core/graph/graph.h"
#include "core/graph/memory_limit.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"

static void* align(void* pointer) {
    return (void*)(((uintptr_t)pointer + kTensorAlignment - 1) & ~(uintptr_t)(kTensorAlignment - 1));
}

// Zeroed memory for `bytes` bytes at any address; align() finds the place in it.
static void* allocate_zeroed(size_t bytes) {
    return bytes > SIZE_MAX - kTensorAlignment ? NULL : lite_calloc(1, bytes + kTensorAlignment);
}

static void note_rewrites(LiteSubgraph* subgraph, const TfLiteIntArray* outputs) {
    for (int i = 0; i < outputs->size; i++) {
        if (lite_subgraph_tensor(subgraph, outputs->data[i]) == NULL) continue;
        LiteSlot* slot = &subgraph->slots[outputs->data[i]];
        slot->rewritten |= slot->first_write >= 0;
    }
}

static void note_writes(LiteSubgraph* subgraph, const TfLiteIntArray* tensors, int step) {
    for (int i = 0; i < tensors->size; i++) {
        if (lite_subgraph_tensor(subgraph, tensors->data[i]) == NULL) continue;
        LiteSlot* slot = &subgraph->slots[tensors->data[i]];
        if (slot->first_write < 0) slot->first_write = step;
        slot->last_use = step;
    }
}

static void note_delegated(LiteSubgraph* subgraph, const TfLiteIntArray* tensors) {
    for (int i = 0; i < tensors->size; i++) {
        if (lite_subgraph_tensor(subgraph, tensors->data[i]) == NULL) continue;
        subgraph->slots[tensors->data[i]].is_delegated = true;
    }
}

// Until the kernel has ended nobody else gets the memory of what it reads and writes.
static void note_going(LiteSubgraph* subgraph, const LiteDelegateKernel* kernel) {
    const TfLiteNode* node = &kernel->node.node;
    const TfLiteIntArray* const lists[] = {node->inputs, node->outputs};
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < lists[list]->size; i++) {
            if (lite_subgraph_tensor(subgraph, lists[list]->data[i]) == NULL) continue;
            LiteSlot* slot = &subgraph->slots[lists[list]->data[i]];
            if (slot->last_use < kernel->ends_before) slot->last_use = kernel->ends_before;
        }
    }
}

void lite_memory_lifetimes(LiteSubgraph* subgraph) {
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        LiteSlot* slot = &subgraph->slots[i];
        slot->first_write = slot->last_use = -1;
        slot->read_first = slot->rewritten = slot->is_delegated = false;
    }
    for (int step = 0; step < subgraph->plan->size; step++) {
        const LiteNode* of_step = subgraph->nodes[subgraph->plan->data[step]];
        const TfLiteNode* node = &of_step->node;
        for (int i = 0; i < node->inputs->size; i++) {
            if (node->inputs->data[i] < 0) continue;
            LiteSlot* slot = &subgraph->slots[node->inputs->data[i]];
            if (slot->first_write < 0) slot->read_first = true;
            // A step that is left out reads when a later one runs it, perhaps behind others that read, too.
            if (slot->last_use < step + of_step->left_to) slot->last_use = step + of_step->left_to;
        }
        note_rewrites(subgraph, node->outputs);
        if (node->delegate != NULL) {
            note_delegated(subgraph, node->inputs);
            note_delegated(subgraph, node->outputs);
        }
        if (of_step->left_to == 0 || of_step->is_kept) note_writes(subgraph, node->outputs, step);
        note_writes(subgraph, node->temporaries, step);
        if (of_step->kernel != NULL && of_step->kernel->end != NULL) note_going(subgraph, of_step->kernel);
        note_writes(subgraph, node->temporaries, step + of_step->left_to); // until it runs
    }
    const LiteModelInts outputs = subgraph->source->outputs;
    for (int i = 0; i < outputs.count; i++) {
        if (outputs.data[i] >= 0) subgraph->slots[outputs.data[i]].last_use = subgraph->plan->size;
    }
    if (!subgraph->interpreter->preserve_all_tensors) return;
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        subgraph->slots[i].last_use = subgraph->plan->size;
    }
}

// Whether tensor `i` belongs into the arena of the segment of steps [first, end).
static bool in_arena(const LiteSubgraph* subgraph, size_t i, int first, int end) {
    const TfLiteTensor* tensor = &subgraph->context.tensors[i];
    const LiteSlot* slot = &subgraph->slots[i];
    return tensor->allocation_type == kTfLiteArenaRw && !slot->is_input && !slot->read_first &&
           slot->first_write >= first && slot->first_write < end && tensor->bytes > 0;
}

// `largest` is one of the tensors that need the memory.
static TfLiteStatus reserve_segment(LiteSubgraph* subgraph, LiteSegment* segment, size_t bytes,
                                    const TfLiteTensor* largest) {
    if (bytes <= segment->capacity) return kTfLiteOk;
    assert(largest != NULL);
    LITE_TRY(lite_memory_charge(subgraph, largest, largest->bytes, &segment->capacity, bytes));
    lite_free(segment->raw);
    segment->raw = allocate_zeroed(bytes);
    if (segment->raw == NULL) {
        lite_memory_charge(subgraph, largest, 0, &segment->capacity, 0);
        return lite_subgraph_fail(subgraph, "out of memory for %zu bytes of tensors", bytes);
    }
    segment->base = align(segment->raw);
    return kTfLiteOk;
}

// What needs memory: each tensor of the arena that is no part of another, for as long as any of its parts is
// alive. Returns how many there are.
static int list_usages(LiteSubgraph* subgraph, int first, int end, LiteUsage* usages,
                       const TfLiteTensor** largest) {
    int used = 0;
    *largest = NULL;
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        LiteSlot* slot = &subgraph->slots[i];
        if (!in_arena(subgraph, i, first, end) || slot->within >= 0) continue;
        const TfLiteTensor* tensor = &subgraph->context.tensors[i];
        slot->usage = used;
        usages[used++] = (LiteUsage){tensor->bytes, slot->first_write, slot->last_use, 0};
        if (*largest == NULL || tensor->bytes > (*largest)->bytes) *largest = tensor;
    }
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        LiteSlot* slot = &subgraph->slots[i];
        if (!in_arena(subgraph, i, first, end) || slot->within < 0) continue;
        size_t offset;
        slot->usage = subgraph->slots[lite_alias_root(subgraph, (int)i, &offset)].usage;
        LiteUsage* usage = &usages[slot->usage];
        if (slot->first_write < usage->first) usage->first = slot->first_write;
        if (slot->last_use > usage->last) usage->last = slot->last_use;
    }
    return used;
}

static TfLiteStatus place_in_arena(LiteSubgraph* subgraph, LiteSegment* segment, int end) {
    const size_t tensor_count = subgraph->context.tensors_size;
    size_t count = 0;
    for (size_t i = 0; i < tensor_count; i++) count += in_arena(subgraph, i, segment->first, end);
    LiteUsage* usages = lite_calloc(count, sizeof *usages);
    if (usages == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    const TfLiteTensor* largest;
    const int used = list_usages(subgraph, segment->first, end, usages, &largest);
    size_t total;
    TfLiteStatus status = kTfLiteOk;
    if (!lite_planner_place(usages, used, kTensorAlignment, &total)) {
        status = lite_subgraph_fail(subgraph, "out of memory: %d tensors are too large together", used);
    }
    if (status == kTfLiteOk) status = reserve_segment(subgraph, segment, total, largest);
    for (size_t i = 0; i < tensor_count && status == kTfLiteOk; i++) {
        if (!in_arena(subgraph, i, segment->first, end)) continue;
        size_t offset;
        (void)lite_alias_root(subgraph, (int)i, &offset);
        subgraph->context.tensors[i].data.raw =
            (char*)segment->base + usages[subgraph->slots[i].usage].offset + offset;
    }
    lite_free(usages);
    return status;
}

// Gives a tensor its own buffer of its present size; the contents stay when the size does.
static TfLiteStatus hold(LiteSubgraph* subgraph, TfLiteTensor* tensor, LiteSlot* slot) {
    if (slot->raw == NULL || slot->held_bytes != tensor->bytes) {
        LITE_TRY(lite_memory_charge(subgraph, tensor, tensor->bytes, &slot->held_bytes, tensor->bytes));
        lite_free(slot->raw);
        slot->held = NULL;
        slot->raw = tensor->bytes > 0 ? allocate_zeroed(tensor->bytes) : NULL;
        if (slot->raw != NULL) {
            slot->held = align(slot->raw);
        } else if (tensor->bytes > 0) {
            lite_memory_charge(subgraph, tensor, 0, &slot->held_bytes, 0);
            tensor->data.raw = NULL;
            return lite_subgraph_fail(subgraph, "out of memory for %zu bytes of tensor '%s'", tensor->bytes,
                                      tensor->name ? tensor->name : "");
        }
    }
    tensor->data.raw = slot->held;
    return kTfLiteOk;
}

static TfLiteStatus place_outside_arena(LiteSubgraph* subgraph) {
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[i];
        LiteSlot* slot = &subgraph->slots[i];
        if (tensor->allocation_type == kTfLiteCustom) lite_tensor_place_custom(subgraph, tensor);
        if (tensor->allocation_type == kTfLiteCustom && slot->custom_bytes < tensor->bytes) {
            return lite_subgraph_fail(subgraph,
                                      "Custom allocation is too small for tensor idx: %zu (%zu bytes of %zu)",
                                      i, slot->custom_bytes, tensor->bytes);
        }
        // What only a delegate's kernel still knows of needs none.
        const bool lasts = tensor->allocation_type == kTfLiteArenaRwPersistent &&
                           (tensor->is_variable || slot->last_use >= 0);
        if (lasts || (tensor->allocation_type == kTfLiteArenaRw && slot->is_input)) {
            LITE_TRY(hold(subgraph, tensor, slot));
        }
    }
    return kTfLiteOk;
}

// The segment that begins with step `first`. The segments after it are dropped; their memory stays for reuse.
static LiteSegment* begin_segment(LiteSubgraph* subgraph, int first) {
    int index = 0;
    while (index < subgraph->segment_count && subgraph->segments[index].first < first) index++;
    if (index == subgraph->segment_capacity) {
        const int capacity = subgraph->segment_capacity * 2 + 1;
        LiteSegment* segments = lite_realloc(subgraph->segments, (size_t)capacity * sizeof *segments);
        if (segments == NULL) return NULL;
        memset(segments + index, 0, (size_t)(capacity - index) * sizeof *segments);
        subgraph->segments = segments;
        subgraph->segment_capacity = capacity;
    }
    subgraph->segment_count = index + 1;
    subgraph->segments[index].first = first;
    return &subgraph->segments[index];
}

// A program or kernel may have replaced the dimensions by hand. Those who read them must not find less
// memory.
static TfLiteStatus follow_dims(LiteSubgraph* subgraph) {
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[i];
        const TfLiteAllocationType type = tensor->allocation_type;
        size_t bytes;
        if (tensor->dims == NULL || (type != kTfLiteArenaRw && type != kTfLiteArenaRwPersistent)) continue;
        LITE_TRY(lite_tensor_size(subgraph, tensor, tensor->dims, &bytes));
        if (bytes > tensor->bytes) tensor->bytes = bytes;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_memory_place(LiteSubgraph* subgraph, int first, int end) {
    LITE_TRY(follow_dims(subgraph));
    lite_memory_lifetimes(subgraph);
    LiteSegment* segment = begin_segment(subgraph, first);
    if (segment == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    LITE_TRY(place_outside_arena(subgraph));
    lite_alias_find(subgraph, first, end, in_arena);
    return place_in_arena(subgraph, segment, end);
}

void lite_memory_retract(LiteSubgraph* subgraph, int first) {
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[i];
        const LiteSlot* slot = &subgraph->slots[i];
        if (tensor->allocation_type != kTfLiteArenaRw || slot->is_input) continue;
        if (first == 0 || slot->first_write >= first) tensor->data.raw = NULL;
    }
}

void lite_memory_release(LiteSubgraph* subgraph) {
    lite_memory_retract(subgraph, 0);
    for (int i = 0; i < subgraph->segment_capacity; i++) {
        LiteSegment* segment = &subgraph->segments[i];
        subgraph->interpreter->memory_used -= segment->capacity;
        lite_free(segment->raw);
        *segment = (LiteSegment){.first = segment->first};
    }
}

void lite_memory_destroy(LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->segment_capacity; i++) lite_free(subgraph->segments[i].raw);
    lite_free(subgraph->segments);
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) lite_free(subgraph->slots[i].raw);
}
