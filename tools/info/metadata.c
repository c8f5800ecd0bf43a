// SPDX-License-Identifier: Apache-2.0
#include "tools/info/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/metadata.h"
#include "tools/info/flat.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// ---- What a converter notes ----

enum { kEnvironment = 0, kOptions = 1 };
enum { kTensorflowVersion, kApiVersion, kModelType };
enum { kOptimizationModes = 0, kMaxModes = 64 };

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
    char* version = flat_text(reader, environment, kTensorflowVersion);
    if (version != NULL) tool_facts_add_text(facts, "tensorflow_version", version);
    free(version);
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

// TensorFlow Lite's description is read by the library, from the model.
static void add_description(const OcliteMetadata* metadata, const ToolMessage* damage, cJSON* entry) {
    cJSON* facts = cJSON_CreateObject();
    if (metadata != NULL) tool_metadata_add(metadata, facts);
    if (metadata == NULL) tool_facts_add_text(entry, "damaged", damage->text);
    if (facts != NULL && facts->child != NULL) {
        cJSON_AddItemToObject(entry, "model", facts);
    } else {
        cJSON_Delete(facts);
    }
}

static void add_notes(const void* data, size_t size, cJSON* entry) {
    FlatReader reader = {.data = data, .size = size};
    cJSON* facts = cJSON_CreateObject();
    add_conversion(&reader, facts);
    if (!reader.broken && facts != NULL && facts->child != NULL) {
        cJSON_AddItemToObject(entry, "conversion", facts);
    } else {
        cJSON_Delete(facts);
    }
}

void info_add_metadata(const TfLiteModel* model, cJSON* facts) {
    cJSON* array = cJSON_AddArrayToObject(facts, "metadata");
    ToolMessage damage = {{0}};
    OcliteMetadata* metadata = tool_metadata_read(model, &damage);
    const char* name;
    const void* data;
    size_t size;
    bool is_told = false; // the first description counts
    for (int i = 0; oclite_model_metadata(model, i, &name, &data, &size) == kTfLiteOk; i++) {
        cJSON* entry = cJSON_CreateObject();
        tool_facts_add_text(entry, "name", name);
        cJSON_AddNumberToObject(entry, "bytes", (double)size);
        if (strcmp(name, "TFLITE_METADATA") == 0 && !is_told) {
            is_told = true;
            add_description(metadata, &damage, entry);
        } else if (data != NULL && strcmp(name, "CONVERSION_METADATA") == 0) {
            add_notes(data, size, entry);
        } else if (data != NULL) {
            add_line(data, size, entry);
        }
        cJSON_AddItemToArray(array, entry);
    }
    if (metadata != NULL) {
        tool_metadata_add_packed(metadata, facts);
    } else {
        tool_facts_add_text(facts, "metadata_damaged", damage.text);
    }
    oclite_metadata_delete(metadata);
}
