// SPDX-License-Identifier: Apache-2.0
// Tables are named as the schema's are ("M001"). A small file may say one thing many times over, because its
// parts may be shared; what the result takes of memory is therefore limited by the size of the description.
#include "core/model/metadata.h"

#include <stdio.h>
#include <string.h>

#include "core/model/archive.h"
#include "core/model/describe.h"
#include "core/model/model_internal.h"

// ---- The schema ----

enum { kFileName, kFileDescription, kFileType, kFileLocale };
TABLE(AssociatedFile, STRING(name), STRING(description), SCALAR(type, 1), STRING(locale));

enum { kContentFeature = 1, kContentImage, kContentBoxes, kContentAudio };
enum { kImageColorSpace, kImageDefaultSize };
enum { kBoxesType = 1, kBoxesCoordinateType };
TABLE(FeatureProperties, DEPRECATED(nothing));
TABLE(ImageSize, SCALAR(width, 4), SCALAR(height, 4));
TABLE(ImageProperties, SCALAR(color_space, 1), CHILD(default_size, ImageSize));
TABLE(BoundingBoxProperties, VECTOR(index, 4), SCALAR(type, 1), SCALAR(coordinate_type, 1));
TABLE(AudioProperties, SCALAR(sample_rate, 4), SCALAR(channels, 4));
UNION_OF(ContentProperties, &FeatureProperties, &ImageProperties, &BoundingBoxProperties, &AudioProperties);
enum { kContentType, kContentProperties };
TABLE(Content, SCALAR(content_properties_type, 1), UNION(content_properties, ContentProperties));

enum { kUnitNormalization = 1, kUnitCalibration, kUnitThresholding, kUnitBert, kUnitPieces, kUnitRegex };
TABLE(NormalizationOptions, VECTOR(mean, 4), VECTOR(std, 4));
TABLE(ScoreCalibrationOptions, SCALAR(score_transformation, 1), SCALAR(default_score, 4));
TABLE(ScoreThresholdingOptions, SCALAR(global_score_threshold, 4));
TABLE(BertTokenizerOptions, TABLES(vocab_file, AssociatedFile));
TABLE(SentencePieceTokenizerOptions, TABLES(sentencePiece_model, AssociatedFile),
      TABLES(vocab_file, AssociatedFile));
TABLE(RegexTokenizerOptions, STRING(delim_regex_pattern), TABLES(vocab_file, AssociatedFile));
UNION_OF(ProcessUnitOptions, &NormalizationOptions, &ScoreCalibrationOptions, &ScoreThresholdingOptions,
         &BertTokenizerOptions, &SentencePieceTokenizerOptions, &RegexTokenizerOptions);
enum { kUnitType, kUnitOptions };
TABLE(ProcessUnit, SCALAR(options_type, 1), UNION(options, ProcessUnitOptions));

enum { kStatsMax, kStatsMin };
TABLE(Stats, VECTOR(max, 4), VECTOR(min, 4));
enum {
    kTensorMetaName,
    kTensorMetaDescription,
    kTensorMetaContent = 3,
    kTensorMetaUnits,
    kTensorMetaStats,
    kTensorMetaFiles
};
TABLE(TensorMetadata, STRING(name), STRING(description), DEPRECATED(dimension_names), CHILD(content, Content),
      TABLES(process_units, ProcessUnit), CHILD(stats, Stats), TABLES(associated_files, AssociatedFile));
enum { kGraphName, kGraphDescription, kGraphInputs, kGraphOutputs, kGraphFiles, kGraphInputUnits };
TABLE(SubGraphMetadata, STRING(name), STRING(description), TABLES(input_tensor_metadata, TensorMetadata),
      TABLES(output_tensor_metadata, TensorMetadata), TABLES(associated_files, AssociatedFile),
      TABLES(input_process_units, ProcessUnit));
enum {
    kMetaName,
    kMetaDescription,
    kMetaVersion,
    kMetaSubgraphs,
    kMetaAuthor,
    kMetaLicense,
    kMetaFiles,
    kMetaMinParserVersion
};
TABLE(ModelMetadata, STRING(name), STRING(description), STRING(version),
      TABLES(subgraph_metadata, SubGraphMetadata), STRING(author), STRING(license),
      TABLES(associated_files, AssociatedFile), STRING(min_parser_version));

// ---- Reading ----

// What the result may take, also of texts that it points to, for each byte of the description.
enum { BYTES_PER_BYTE = 64, BYTES_OF_ANY = 1 << 16 };

typedef struct Description {
    OcliteMetadata metadata; // what users see, the first member
    LiteModel* model;
    LiteArena arena;
    size_t budget;
    const LiteReporter* reporter;
} Description;

static TfLiteStatus charge(Description* d, size_t bytes) {
    if (bytes > d->budget) {
        return lite_report(d->reporter, "TFLITE_METADATA is out of proportion with its size: it says the "
                                        "same things many times over");
    }
    d->budget -= bytes;
    return kTfLiteOk;
}

// Sums of elements of verified vectors: no product overflows.
static void* allocate(Description* d, size_t count, size_t size) {
    if (charge(d, count * size) != kTfLiteOk) return NULL;
    void* memory = lite_arena_alloc(&d->arena, count, size);
    if (memory == NULL) (void)lite_report(d->reporter, "out of memory");
    return memory;
}

static TfLiteStatus read_text(Description* d, LiteFlatTable table, int id, const char** text) {
    const LiteFlatVector characters = lite_flat_vector(table, id);
    *text = characters.data != NULL ? (const char*)characters.data : "";
    return charge(d, characters.count);
}

// A name out of a list that begins with that of 0.
static const char* choose(const char* const* names, int count, uint8_t index) {
    return index < count ? names[index] : "";
}

static TfLiteStatus read_floats(Description* d, LiteFlatTable table, int id, OcliteMetadataFloats* floats) {
    const LiteFlatVector vector = lite_flat_vector(table, id);
    float* values = allocate(d, vector.count, sizeof *values); // the description need not be aligned
    if (values == NULL) return kTfLiteError;
    if (vector.count > 0) memcpy(values, vector.data, vector.count * sizeof *values);
    *floats = (OcliteMetadataFloats){(int)vector.count, values};
    return kTfLiteOk;
}

static const OcliteMetadataFile* find_packed(const Description* d, const char* name) {
    for (int i = 0; i < d->metadata.packed_count; i++) {
        if (strcmp(d->metadata.packed[i].name, name) == 0) return &d->metadata.packed[i];
    }
    return NULL;
}

static TfLiteStatus read_file(Description* d, LiteFlatTable table, OcliteMetadataFile* file) {
    static const char* const types[] = {"",
                                        "DESCRIPTIONS",
                                        "TENSOR_AXIS_LABELS",
                                        "TENSOR_VALUE_LABELS",
                                        "TENSOR_AXIS_SCORE_CALIBRATION",
                                        "VOCABULARY",
                                        "SCANN_INDEX_FILE"};
    LITE_TRY(read_text(d, table, kFileName, &file->name));
    LITE_TRY(read_text(d, table, kFileDescription, &file->description));
    LITE_TRY(read_text(d, table, kFileLocale, &file->locale));
    file->type = choose(types, COUNT(types), lite_flat_u8(table, kFileType));
    // What the look through the archive takes counts, too.
    LITE_TRY(charge(d, (size_t)d->metadata.packed_count * (strlen(file->name) + 1)));
    const OcliteMetadataFile* packed = find_packed(d, file->name);
    file->data = packed != NULL ? packed->data : NULL;
    file->size = packed != NULL ? packed->size : 0;
    file->absent = packed != NULL ? packed->absent : "is not packed into the model";
    return kTfLiteOk;
}

// Reads a vector of files, field `id`.
static TfLiteStatus read_files(Description* d, LiteFlatTable table, int id, int* count,
                               const OcliteMetadataFile** files) {
    const LiteFlatVector tables = lite_flat_vector(table, id);
    OcliteMetadataFile* read = allocate(d, tables.count, sizeof *read);
    if (read == NULL) return kTfLiteError;
    for (uint32_t i = 0; i < tables.count; i++) {
        LITE_TRY(read_file(d, lite_flat_element(tables, i), &read[i]));
    }
    *count = (int)tables.count;
    *files = read;
    return kTfLiteOk;
}

static TfLiteStatus read_tokenizer(Description* d, LiteFlatTable options, uint8_t unit,
                                   OcliteMetadataTokenizer* tokenizer) {
    if (unit == kUnitRegex) {
        tokenizer->kind = "regex";
        LITE_TRY(read_text(d, options, 0, &tokenizer->delimiters));
    } else {
        tokenizer->kind = unit == kUnitBert ? "bert" : "sentencepiece";
    }
    const int vocabulary = unit == kUnitBert ? 0 : 1;
    return read_files(d, options, vocabulary, &tokenizer->file_count, &tokenizer->files);
}

// `tensor` is NULL for those of a subgraph.
static TfLiteStatus read_units(Description* d, LiteFlatTable table, int id, OcliteMetadataTensor* tensor,
                               OcliteMetadataTokenizer* tokenizer) {
    const LiteFlatVector units = lite_flat_vector(table, id);
    *tokenizer = (OcliteMetadataTokenizer){.kind = "", .delimiters = ""};
    for (uint32_t i = 0; i < units.count; i++) {
        const LiteFlatTable unit = lite_flat_element(units, i);
        const LiteFlatTable options = lite_flat_child(unit, kUnitOptions);
        const uint8_t type = lite_flat_u8(unit, kUnitType);
        LITE_TRY(charge(d, 1));
        if (options.at == NULL) continue;
        if (type >= kUnitBert && type <= kUnitRegex) {
            LITE_TRY(read_tokenizer(d, options, type, tokenizer));
        } else if (type == kUnitNormalization && tensor != NULL) {
            LITE_TRY(read_floats(d, options, 0, &tensor->mean));
            LITE_TRY(read_floats(d, options, 1, &tensor->std));
        } else if (type == kUnitThresholding && tensor != NULL) {
            const uint32_t bits = lite_flat_u32(options, 0);
            tensor->has_score_threshold = true;
            memcpy(&tensor->score_threshold, &bits, sizeof bits);
        }
    }
    return kTfLiteOk;
}

static void read_content(LiteFlatTable content, OcliteMetadataTensor* tensor) {
    static const char* const kinds[] = {"", "feature", "image", "bounding boxes", "audio"};
    static const char* const colors[] = {"", "RGB", "GRAYSCALE"};
    static const char* const boxes[] = {"", "BOUNDARIES", "UPPER_LEFT", "CENTER"};
    static const char* const coordinates[] = {"RATIO", "PIXEL"};
    const uint8_t kind = lite_flat_u8(content, kContentType);
    const LiteFlatTable about = lite_flat_child(content, kContentProperties);
    tensor->content = choose(kinds, COUNT(kinds), kind);
    tensor->color_space = tensor->box_type = tensor->coordinate_type = "";
    if (kind == kContentImage) {
        const LiteFlatTable size = lite_flat_child(about, kImageDefaultSize);
        tensor->color_space = choose(colors, COUNT(colors), lite_flat_u8(about, kImageColorSpace));
        tensor->width = lite_flat_u32(size, 0);
        tensor->height = lite_flat_u32(size, 1);
    } else if (kind == kContentBoxes) {
        tensor->box_type = choose(boxes, COUNT(boxes), lite_flat_u8(about, kBoxesType));
        tensor->coordinate_type =
            choose(coordinates, COUNT(coordinates), lite_flat_u8(about, kBoxesCoordinateType));
    } else if (kind == kContentAudio) {
        tensor->sample_rate = lite_flat_u32(about, 0);
        tensor->channels = lite_flat_u32(about, 1);
    }
}

static TfLiteStatus read_tensor(Description* d, LiteFlatTable table, OcliteMetadataTensor* tensor) {
    const LiteFlatTable stats = lite_flat_child(table, kTensorMetaStats);
    LITE_TRY(read_text(d, table, kTensorMetaName, &tensor->name));
    LITE_TRY(read_text(d, table, kTensorMetaDescription, &tensor->description));
    read_content(lite_flat_child(table, kTensorMetaContent), tensor);
    LITE_TRY(read_units(d, table, kTensorMetaUnits, tensor, &tensor->tokenizer));
    LITE_TRY(read_floats(d, stats, kStatsMin, &tensor->min));
    LITE_TRY(read_floats(d, stats, kStatsMax, &tensor->max));
    return read_files(d, table, kTensorMetaFiles, &tensor->file_count, &tensor->files);
}

static TfLiteStatus read_tensors(Description* d, LiteFlatTable table, int id, int* count,
                                 const OcliteMetadataTensor** tensors) {
    const LiteFlatVector tables = lite_flat_vector(table, id);
    OcliteMetadataTensor* read = allocate(d, tables.count, sizeof *read);
    if (read == NULL) return kTfLiteError;
    for (uint32_t i = 0; i < tables.count; i++) {
        LITE_TRY(read_tensor(d, lite_flat_element(tables, i), &read[i]));
    }
    *count = (int)tables.count;
    *tensors = read;
    return kTfLiteOk;
}

static TfLiteStatus read_subgraph(Description* d, LiteFlatTable table, OcliteMetadataSubgraph* subgraph) {
    LITE_TRY(read_text(d, table, kGraphName, &subgraph->name));
    LITE_TRY(read_text(d, table, kGraphDescription, &subgraph->description));
    LITE_TRY(read_tensors(d, table, kGraphInputs, &subgraph->input_count, &subgraph->inputs));
    LITE_TRY(read_tensors(d, table, kGraphOutputs, &subgraph->output_count, &subgraph->outputs));
    LITE_TRY(read_units(d, table, kGraphInputUnits, NULL, &subgraph->tokenizer));
    return read_files(d, table, kGraphFiles, &subgraph->file_count, &subgraph->files);
}

static TfLiteStatus read_description(Description* d, LiteFlatTable root) {
    OcliteMetadata* metadata = &d->metadata;
    const LiteFlatVector subgraphs = lite_flat_vector(root, kMetaSubgraphs);
    LITE_TRY(read_text(d, root, kMetaName, &metadata->name));
    LITE_TRY(read_text(d, root, kMetaDescription, &metadata->description));
    LITE_TRY(read_text(d, root, kMetaVersion, &metadata->version));
    LITE_TRY(read_text(d, root, kMetaAuthor, &metadata->author));
    LITE_TRY(read_text(d, root, kMetaLicense, &metadata->license));
    LITE_TRY(read_text(d, root, kMetaMinParserVersion, &metadata->min_parser_version));
    LITE_TRY(read_files(d, root, kMetaFiles, &metadata->file_count, &metadata->files));
    OcliteMetadataSubgraph* read = allocate(d, subgraphs.count, sizeof *read);
    if (read == NULL) return kTfLiteError;
    for (uint32_t i = 0; i < subgraphs.count; i++) {
        LITE_TRY(read_subgraph(d, lite_flat_element(subgraphs, i), &read[i]));
    }
    metadata->subgraph_count = (int)subgraphs.count;
    metadata->subgraphs = read;
    return kTfLiteOk;
}

// Says of which part of the model the verifier speaks.
static void report_damage(void* user_data, const char* format, va_list args) {
    char text[256];
    vsnprintf(text, sizeof text, format, args);
    (void)lite_report(user_data, "TFLITE_METADATA: %s", text);
}

static TfLiteStatus read(Description* d) {
    const LiteReporter damage = {report_damage, (void*)(uintptr_t)d->reporter};
    const LiteModel* model = d->model;
    OcliteMetadataFile* packed;
    // Models that begin somewhere in a buffer have nothing behind them.
    LITE_TRY(lite_archive_read(model->data, model->is_part ? 0 : model->size, &d->arena, &packed,
                               &d->metadata.packed_count, d->reporter));
    d->metadata.packed = packed;
    for (int i = 0; i < model->metadata_count; i++) {
        const LiteModelMetadata* entry = &model->metadata[i];
        if (strcmp(entry->name, "TFLITE_METADATA") != 0) continue;
        LITE_TRY(lite_flat_verify(entry->data, entry->bytes, &ModelMetadata, "M001", &damage));
        d->budget = entry->bytes * BYTES_PER_BYTE + BYTES_OF_ANY;
        return read_description(d, lite_flat_root(entry->data));
    }
    return kTfLiteOk;
}

OcliteMetadata* lite_metadata_create(LiteModel* model, const LiteReporter* reporter) {
    Description* d = lite_calloc(1, sizeof *d);
    if (d == NULL) {
        lite_report(reporter, "out of memory");
        return NULL;
    }
    d->metadata = (OcliteMetadata){
        .name = "", .description = "", .version = "", .author = "", .license = "", .min_parser_version = ""};
    d->model = lite_model_retain(model);
    d->reporter = reporter;
    const TfLiteStatus status = read(d);
    d->reporter = NULL; // the caller's
    if (status == kTfLiteOk) return &d->metadata;
    lite_metadata_delete(&d->metadata);
    return NULL;
}

void lite_metadata_delete(OcliteMetadata* metadata) {
    Description* d = (Description*)metadata; // its first member
    if (d == NULL) return;
    lite_arena_free(&d->arena);
    lite_model_release(d->model);
    lite_free(d);
}
