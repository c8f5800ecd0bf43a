// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/cost/measured.h"

#include <stdio.h>
#include <string.h>

#include "core/base/cpu_path.h"
#include "core/base/memory.h"
#include "core/base/sha256.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/graph/op.h"

// ---- In memory ----

bool lite_cl_measured_init(LiteClMeasured* measured, int node_count) {
    const size_t count = (size_t)node_count;
    *measured = (LiteClMeasured){.node_count = node_count,
                                 .host = lite_malloc(count * sizeof(int64_t) + 1),
                                 .device = lite_malloc(count * sizeof(int64_t) + 1),
                                 .together = lite_malloc(count * sizeof(int32_t) + 1),
                                 .partition = -1};
    for (int w = 0; w < kLiteClWays; w++) measured->run[w] = -1;
    if (measured->host == NULL || measured->device == NULL || measured->together == NULL) {
        lite_cl_measured_free(measured);
        return false;
    }
    for (size_t n = 0; n < count; n++) measured->host[n] = measured->device[n] = measured->together[n] = -1;
    return true;
}

void lite_cl_measured_free(LiteClMeasured* measured) {
    lite_free(measured->host);
    lite_free(measured->device);
    lite_free(measured->together);
    *measured = (LiteClMeasured){0};
}

static bool has_node(const LiteClMeasured* measured, const LiteClNode* node) {
    return node->index >= 0 && node->index < measured->node_count;
}

// All that a launch takes counts for its first node.
static void add_launch(LiteClMeasured* measured, const LiteClLaunchTimes* launch) {
    if (launch->runs == 0 || launch->node_count == 0 || !has_node(measured, launch->nodes[0])) return;
    const int first = launch->nodes[0]->index;
    for (int i = 0; i < launch->node_count; i++) {
        if (!has_node(measured, launch->nodes[i])) continue;
        if (launch->node_count > 1) measured->together[launch->nodes[i]->index] = first;
    }
    measured->device[first] += (int64_t)(launch->total_ns / launch->runs);
}

void lite_cl_measured_fit(LiteClMeasured* measured, double host, double device, int partitions, double most) {
    const int count = partitions > 0 ? partitions : 1;
    const double rest = ((double)measured->run[kLiteClAll] - host - device) / count;
    const double partition = rest < 0 ? 0 : rest < most ? rest : most;
    double factor = device > 0 ? 1 + count * (rest - partition) / device : 1;
    factor = factor < 0.5 ? 0.5 : factor < 2 ? factor : 2;
    measured->partition = (int64_t)partition;
    for (int n = 0; n < measured->node_count; n++) {
        if (measured->device[n] > 0) measured->device[n] = (int64_t)(factor * (double)measured->device[n]);
    }
}

void lite_cl_measured_fit_host(LiteClMeasured* measured) {
    double sum = 0;
    for (int n = 0; n < measured->node_count; n++)
        sum += measured->host[n] > 0 ? (double)measured->host[n] : 0;
    const double factor = sum > 0 ? (double)measured->run[kLiteClHost] / sum : 0;
    if (factor <= 0.5 || factor >= 2) return;
    for (int n = 0; n < measured->node_count; n++) {
        if (measured->host[n] > 0) measured->host[n] = (int64_t)(factor * (double)measured->host[n]);
    }
}

void lite_cl_measured_add(LiteClMeasured* measured, const LiteClProfile* profile) {
    bool has_run = false;
    for (int r = 0; r < profile->row_count; r++) has_run = has_run || profile->rows[r].runs > 0;
    if (!has_run) return;
    // What has no launch of its own, as a view of a tensor, takes nothing.
    for (int n = 0; n < profile->graph->node_count; n++) {
        const LiteClNode* node = &profile->graph->nodes[n];
        if (has_node(measured, node) && measured->device[node->index] < 0) measured->device[node->index] = 0;
    }
    for (int r = 0; r < profile->row_count; r++) add_launch(measured, &profile->rows[r]);
}

// ---- Kept, as numbers in a row ----

enum { HEAD = kLiteClWays + 3, PER_NODE = 3 };
#define MOST_NS INT64_C(1000000000000000)

static size_t numbers_of(int node_count) {
    return HEAD + PER_NODE * (size_t)node_count;
}

static void write_numbers(const LiteClMeasured* measured, int64_t* numbers) {
    const size_t count = (size_t)measured->node_count;
    memcpy(numbers, measured->run, sizeof measured->run);
    numbers[kLiteClWays] = measured->partition;
    numbers[kLiteClWays + 1] = measured->checks;
    numbers[kLiteClWays + 2] = measured->untried;
    memcpy(numbers + HEAD, measured->host, count * sizeof *numbers);
    memcpy(numbers + HEAD + count, measured->device, count * sizeof *numbers);
    for (size_t n = 0; n < count; n++) numbers[HEAD + 2 * count + n] = measured->together[n];
}

// What is no time, or no node, makes all of it worthless.
static bool read_numbers(LiteClMeasured* measured, const int64_t* numbers) {
    const size_t count = (size_t)measured->node_count;
    for (size_t i = 0; i < HEAD + 2 * count; i++) {
        if (numbers[i] < -1 || numbers[i] > MOST_NS) return false;
    }
    const int64_t untried = numbers[kLiteClWays + 2];
    if (numbers[kLiteClWays + 1] < 0 || untried < 0 || untried >= 1 << kLiteClWays) return false;
    for (size_t n = 0; n < count; n++) {
        const int64_t together = numbers[HEAD + 2 * count + n];
        if (together < -1 || together >= (int64_t)count) return false;
        measured->together[n] = (int32_t)together;
    }
    memcpy(measured->run, numbers, sizeof measured->run);
    measured->partition = numbers[kLiteClWays];
    measured->checks = numbers[kLiteClWays + 1];
    measured->untried = (int32_t)untried;
    memcpy(measured->host, numbers + HEAD, count * sizeof *numbers);
    memcpy(measured->device, numbers + HEAD + count, count * sizeof *numbers);
    return true;
}

bool lite_cl_measured_find(LiteClDevice* device, const char* key, int node_count, LiteClMeasured* measured) {
    const size_t size = numbers_of(node_count) * sizeof(int64_t);
    int64_t* numbers = lite_malloc(size);
    bool found = numbers != NULL && lite_cl_note_find(device, key, numbers, size) &&
                 lite_cl_measured_init(measured, node_count);
    if (found && !read_numbers(measured, numbers)) {
        lite_cl_measured_free(measured);
        found = false;
    }
    lite_free(numbers);
    return found;
}

void lite_cl_measured_keep(LiteClDevice* device, const char* key, const LiteClMeasured* measured,
                           bool lasting) {
    const size_t size = numbers_of(measured->node_count) * sizeof(int64_t);
    int64_t* numbers = lite_malloc(size);
    if (numbers == NULL) return;
    write_numbers(measured, numbers);
    lite_cl_note_keep(device, key, numbers, size, lasting && measured->run[kLiteClHost] >= 0);
    lite_free(numbers);
}

// ---- The key ----

// Bytes that grow; out of memory `data` is NULL and stays so.
typedef struct Bytes {
    unsigned char* data;
    size_t size;
    size_t capacity;
} Bytes;

static void add(Bytes* bytes, const void* data, size_t size) {
    if (bytes->data == NULL || size == 0) return;
    if (bytes->capacity - bytes->size < size) {
        const size_t capacity = 2 * bytes->capacity + size;
        unsigned char* more = lite_realloc(bytes->data, capacity);
        if (more == NULL) lite_free(bytes->data);
        bytes->data = more;
        bytes->capacity = capacity;
        if (more == NULL) return;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void add_number(Bytes* bytes, int64_t number) {
    add(bytes, &number, sizeof number);
}

static void add_tensors(Bytes* bytes, LiteClTensor* const* tensors, int count) {
    add_number(bytes, count);
    for (int i = 0; i < count; i++) {
        const LiteClTensor* tensor = tensors[i];
        add_number(bytes, tensor != NULL ? tensor->index : -1);
        if (tensor == NULL) continue;
        const int64_t facts[] = {tensor->type, tensor->shape.rank, tensor->data != NULL, tensor->late};
        add(bytes, facts, sizeof facts);
        for (int d = 0; d < tensor->shape.rank; d++) add_number(bytes, tensor->shape.dims[d]);
    }
}

static void add_node(Bytes* bytes, const LiteClNode* node, bool supported, LiteClPrecision precision) {
    add(bytes, node->name, strlen(node->name) + 1);
    const int64_t facts[] = {node->index, node->code, supported, precision};
    add(bytes, facts, sizeof facts);
    if (node->op != NULL && node->params != NULL) add(bytes, node->params, node->op->params_size);
    add_tensors(bytes, node->inputs, node->input_count);
    add_tensors(bytes, node->outputs, node->output_count);
}

char* lite_cl_measured_key(const LiteClGraph* graph, const bool* supported, LiteClPrecision precision,
                           int threads) {
    enum { ROOM = 4096, TEXT = 2 * LITE_SHA256_BYTES + 160 };
    Bytes bytes = {.data = lite_malloc(ROOM), .capacity = ROOM};
    char* text = lite_malloc(TEXT);
    for (int n = 0; n < graph->node_count; n++) add_node(&bytes, &graph->nodes[n], supported[n], precision);
    if (text != NULL && bytes.data != NULL) {
        char cpu[LITE_CPU_NAME];
        unsigned char digest[LITE_SHA256_BYTES];
        lite_cpu_name(cpu);
        lite_sha256(&(LiteBytes){bytes.data, bytes.size}, 1, digest);
        int length = snprintf(text, TEXT, "times on %s, %s, %d threads: ", cpu,
                              lite_cpu_path_name(lite_cpu_level()), threads);
        for (int i = 0; i < LITE_SHA256_BYTES; i++) length += sprintf(text + length, "%02x", digest[i]);
    } else {
        lite_free(text);
        text = NULL;
    }
    lite_free(bytes.data);
    return text;
}
