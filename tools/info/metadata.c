// SPDX-License-Identifier: Apache-2.0
#include "tools/info/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/info/flat.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// ---- TensorFlow Lite's description of a model: field numbers of its schema, "M001" ----

enum { kModelSubgraphs = 3, kModelFiles = 6 };
enum { kSubgraphInputs = 2, kSubgraphOutputs = 3, kSubgraphFiles = 4 };
enum { kTensorFiles = 6 };
enum { kFileType = 2 };

static const char* const kModelTexts[] = {"name",   "description", "version", NULL,
                                          "author", "license",     NULL,      "min_parser_version"};
static const char* const kNames[] = {"name", "description"};
static const char* const kFileTypes[] = {
    "UNKNOWN",   "DESCRIPTIONS", "TENSOR_AXIS_LABELS", "TENSOR_VALUE_LABELS", "TENSOR_AXIS_SCORE_CALIBRATION",
    "VOCABULARY"};

// Adds the fields that have a name, by their numbers.
static void add_texts(FlatReader* reader, FlatTable table, const char* const* names, int count,
                      cJSON* facts) {
    for (int id = 0; id < count; id++) {
        char* text = names[id] != NULL ? flat_text(reader, table, id) : NULL;
        if (text != NULL) tool_facts_add_text(facts, names[id], text);
        free(text);
    }
}

// Adds what the tables of a vector, field `id`, say.
static void add_list(FlatReader* reader, FlatTable table, int id, const char* key,
                     void (*add)(FlatReader* reader, FlatTable element, cJSON* facts), cJSON* facts) {
    const FlatVector tables = flat_vector(reader, table, id, 4);
    if (tables.count == 0) return;
    cJSON* array = cJSON_AddArrayToObject(facts, key);
    for (uint32_t i = 0; i < tables.count && !reader->broken; i++) {
        cJSON* entry = cJSON_CreateObject();
        add(reader, flat_element(reader, tables, i), entry);
        cJSON_AddItemToArray(array, entry);
    }
}

static void add_file(FlatReader* reader, FlatTable file, cJSON* facts) {
    const uint32_t type = flat_number(reader, file, kFileType, 1);
    add_texts(reader, file, kNames, COUNT(kNames), facts);
    if (type > 0 && type < COUNT(kFileTypes)) tool_facts_add_text(facts, "type", kFileTypes[type]);
}

static void add_tensor(FlatReader* reader, FlatTable tensor, cJSON* facts) {
    add_texts(reader, tensor, kNames, COUNT(kNames), facts);
    add_list(reader, tensor, kTensorFiles, "associated_files", add_file, facts);
}

static void add_subgraph(FlatReader* reader, FlatTable subgraph, cJSON* facts) {
    add_texts(reader, subgraph, kNames, COUNT(kNames), facts);
    add_list(reader, subgraph, kSubgraphInputs, "inputs", add_tensor, facts);
    add_list(reader, subgraph, kSubgraphOutputs, "outputs", add_tensor, facts);
    add_list(reader, subgraph, kSubgraphFiles, "associated_files", add_file, facts);
}

static void add_description(FlatReader* reader, cJSON* facts) {
    const FlatTable model = flat_root(reader, "M001");
    add_texts(reader, model, kModelTexts, COUNT(kModelTexts), facts);
    add_list(reader, model, kModelFiles, "associated_files", add_file, facts);
    add_list(reader, model, kModelSubgraphs, "subgraphs", add_subgraph, facts);
}

// ---- What a converter notes ----

enum { kEnvironment = 0, kOptions = 1 };
enum { kApiVersion = 1, kModelType = 2 };
enum { kOptimizationModes = 0, kMaxModes = 64 };

static const char* const kVersions[] = {"tensorflow_version"};
static const char* const kModelTypes[] = {
    "NONE",         "TF_SAVED_MODEL", "KERAS_MODEL", "TF_CONCRETE_FUNCTIONS",
    "TF_GRAPH_DEF", "TF_SESSION",     "JAX",         "PYTORCH"};
static const struct {
    uint32_t mode;
    const char* name;
} kModes[] = {
    {1001, "PTQ_FLOAT16"},    {1002, "PTQ_DYNAMIC_RANGE"},           {1003, "PTQ_FULL_INTEGER"},
    {1004, "PTQ_INT16"},      {2000, "QUANTIZATION_AWARE_TRAINING"}, {3001, "RANDOM_SPARSITY"},
    {3002, "BLOCK_SPARSITY"}, {3003, "STRUCTURED_SPARSITY"},
};

static cJSON* describe_mode(uint32_t mode) {
    for (int m = 0; m < COUNT(kModes); m++) {
        if (kModes[m].mode == mode) return cJSON_CreateString(kModes[m].name);
    }
    return cJSON_CreateNumber(mode);
}

static void add_conversion(FlatReader* reader, cJSON* facts) {
    const FlatTable root = flat_root(reader, NULL);
    const FlatTable environment = flat_child(reader, root, kEnvironment);
    add_texts(reader, environment, kVersions, COUNT(kVersions), facts);
    const uint32_t type = flat_number(reader, environment, kModelType, 4);
    const uint32_t api = flat_number(reader, environment, kApiVersion, 4);
    if (api > 0) cJSON_AddNumberToObject(facts, "api_version", api);
    if (type > 0 && type < COUNT(kModelTypes)) tool_facts_add_text(facts, "model_type", kModelTypes[type]);
    const FlatVector modes = flat_vector(reader, flat_child(reader, root, kOptions), kOptimizationModes, 4);
    if (modes.count == 0 || modes.count > kMaxModes) return;
    cJSON* array = cJSON_AddArrayToObject(facts, "optimization_modes");
    for (uint32_t m = 0; m < modes.count && !reader->broken; m++) {
        cJSON_AddItemToArray(array, describe_mode(flat_number_at(reader, modes, m)));
    }
}

// ---- All ----

// Known contents, by their names.
static const struct {
    const char* name;
    const char* key;
    void (*add)(FlatReader* reader, cJSON* facts);
} kContents[] = {
    {"TFLITE_METADATA", "model", add_description},
    {"CONVERSION_METADATA", "conversion", add_conversion},
};

// Adds contents that are a line of printable ASCII, with zeros behind it.
static void add_line(const char* data, size_t size, cJSON* entry) {
    char text[65] = "";
    size_t length = 0;
    while (length < size && data[length] >= ' ' && data[length] <= '~') length++;
    if (length == 0 || length >= sizeof(text)) return;
    for (size_t i = length; i < size; i++) {
        if (data[i] != '\0') return;
    }
    memcpy(text, data, length);
    tool_facts_add_text(entry, "text", text);
}

static void add_contents(const char* name, const void* data, size_t size, cJSON* entry) {
    if (data == NULL) return;
    for (int c = 0; c < COUNT(kContents); c++) {
        if (strcmp(name, kContents[c].name) != 0) continue;
        FlatReader reader = {.data = data, .size = size};
        cJSON* facts = cJSON_CreateObject();
        kContents[c].add(&reader, facts);
        if (!reader.broken && facts != NULL && facts->child != NULL) {
            cJSON_AddItemToObject(entry, kContents[c].key, facts);
        } else {
            cJSON_Delete(facts);
        }
        return;
    }
    add_line(data, size, entry);
}

void info_add_metadata(const TfLiteModel* model, cJSON* facts) {
    cJSON* array = cJSON_AddArrayToObject(facts, "metadata");
    const char* name;
    const void* data;
    size_t size;
    for (int i = 0; oclite_model_metadata(model, i, &name, &data, &size) == kTfLiteOk; i++) {
        cJSON* entry = cJSON_CreateObject();
        tool_facts_add_text(entry, "name", name);
        cJSON_AddNumberToObject(entry, "bytes", (double)size);
        add_contents(name, data, size, entry);
        cJSON_AddItemToArray(array, entry);
    }
}
