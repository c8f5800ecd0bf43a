// SPDX-License-Identifier: Apache-2.0
#include "tools/common/metadata.h"

static void add_text(cJSON* facts, const char* key, const char* text) {
    if (text[0]) tool_facts_add_text(facts, key, text);
}

static void add_floats(cJSON* facts, const char* key, const OcliteMetadataFloats* floats) {
    if (floats->count == 0) return;
    cJSON* array = cJSON_AddArrayToObject(facts, key);
    for (int i = 0; i < floats->count; i++) {
        cJSON_AddItemToArray(array, cJSON_CreateNumber((double)floats->values[i]));
    }
}

static void add_files(cJSON* facts, const char* key, const OcliteMetadataFile* files, int count) {
    if (count == 0) return;
    cJSON* array = cJSON_AddArrayToObject(facts, key);
    for (int i = 0; i < count; i++) {
        cJSON* entry = cJSON_CreateObject();
        tool_facts_add_text(entry, "name", files[i].name);
        add_text(entry, "description", files[i].description);
        add_text(entry, "type", files[i].type);
        add_text(entry, "locale", files[i].locale);
        if (files[i].data != NULL) {
            cJSON_AddNumberToObject(entry, "bytes", (double)files[i].size);
        } else {
            tool_facts_add_text(entry, "absent", files[i].absent);
        }
        cJSON_AddItemToArray(array, entry);
    }
}

static void add_tokenizer(cJSON* facts, const OcliteMetadataTokenizer* tokenizer) {
    if (!tokenizer->kind[0]) return;
    cJSON* entry = cJSON_AddObjectToObject(facts, "tokenizer");
    tool_facts_add_text(entry, "kind", tokenizer->kind);
    add_text(entry, "delimiters", tokenizer->delimiters);
    add_files(entry, "files", tokenizer->files, tokenizer->file_count);
}

static void add_content(cJSON* facts, const OcliteMetadataTensor* tensor) {
    const struct {
        const char* key;
        uint32_t value;
    } numbers[] = {{"width", tensor->width},
                   {"height", tensor->height},
                   {"sample_rate", tensor->sample_rate},
                   {"channels", tensor->channels}};
    add_text(facts, "content", tensor->content);
    add_text(facts, "color_space", tensor->color_space);
    add_text(facts, "box_type", tensor->box_type);
    add_text(facts, "coordinate_type", tensor->coordinate_type);
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        if (numbers[n].value > 0) cJSON_AddNumberToObject(facts, numbers[n].key, numbers[n].value);
    }
}

static void add_tensors(cJSON* facts, const char* key, const OcliteMetadataTensor* tensors, int count) {
    if (count == 0) return;
    cJSON* array = cJSON_AddArrayToObject(facts, key);
    for (int i = 0; i < count; i++) {
        const OcliteMetadataTensor* tensor = &tensors[i];
        cJSON* entry = cJSON_CreateObject();
        add_text(entry, "name", tensor->name);
        add_text(entry, "description", tensor->description);
        add_content(entry, tensor);
        if (tensor->mean.count > 0 || tensor->std.count > 0) {
            cJSON* normalization = cJSON_AddObjectToObject(entry, "normalization");
            add_floats(normalization, "mean", &tensor->mean);
            add_floats(normalization, "std", &tensor->std);
        }
        add_floats(entry, "min", &tensor->min);
        add_floats(entry, "max", &tensor->max);
        if (tensor->has_score_threshold) {
            cJSON_AddNumberToObject(entry, "score_threshold", (double)tensor->score_threshold);
        }
        add_tokenizer(entry, &tensor->tokenizer);
        add_files(entry, "associated_files", tensor->files, tensor->file_count);
        cJSON_AddItemToArray(array, entry);
    }
}

OcliteMetadata* tool_metadata_read(const TfLiteModel* model, ToolMessage* message) {
    return oclite_metadata_create(model, tool_report, message);
}

void tool_metadata_add(const OcliteMetadata* metadata, cJSON* facts) {
    add_text(facts, "name", metadata->name);
    add_text(facts, "description", metadata->description);
    add_text(facts, "version", metadata->version);
    add_text(facts, "author", metadata->author);
    add_text(facts, "license", metadata->license);
    add_text(facts, "min_parser_version", metadata->min_parser_version);
    add_files(facts, "associated_files", metadata->files, metadata->file_count);
    if (metadata->subgraph_count == 0) return;
    cJSON* array = cJSON_AddArrayToObject(facts, "subgraphs");
    for (int i = 0; i < metadata->subgraph_count; i++) {
        const OcliteMetadataSubgraph* subgraph = &metadata->subgraphs[i];
        cJSON* entry = cJSON_CreateObject();
        add_text(entry, "name", subgraph->name);
        add_text(entry, "description", subgraph->description);
        add_tensors(entry, "inputs", subgraph->inputs, subgraph->input_count);
        add_tensors(entry, "outputs", subgraph->outputs, subgraph->output_count);
        add_tokenizer(entry, &subgraph->tokenizer);
        add_files(entry, "associated_files", subgraph->files, subgraph->file_count);
        cJSON_AddItemToArray(array, entry);
    }
}

void tool_metadata_add_packed(const OcliteMetadata* metadata, cJSON* facts) {
    add_files(facts, "packed_files", metadata->packed, metadata->packed_count);
}
