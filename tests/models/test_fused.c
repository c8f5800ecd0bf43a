// SPDX-License-Identifier: Apache-2.0
// Fused models compute what the models did: test_fused PATH...
//
// Of each .tflite file, or those in a folder, chains of two and three operators are taken out by
// oclite/edit.h, and one custom operator, "Nested", is put in their place. It runs the model that was taken
// out, which it has as its options. Outputs of both models have to be the same bits, and so has what comes
// back when nothing is changed. Exit status 77 when there is no file.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "examples/custom_atan/atan_operator.h"
#include "oclite/edit.h"
#include "oclite/tftext.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"

enum { kMaxChains = 6, kMaxTensors = 64, kMaxFiles = 64 };

static int failures, compared, skipped;

static void fail(const char* path, const char* what, const char* why) {
    printf("%s: %s: %s\n", path, what, why);
    failures++;
}

static void print_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vprintf(format, args);
    putchar('\n');
}

// Nested
// ----------------------------------------------------------------------------------------------------------

typedef struct Nested {
    TfLiteModel* model;
    TfLiteInterpreter* interpreter;
} Nested;

static TfLiteInterpreter* create(const TfLiteModel* model, TfLiteOperator* nested);

static void* nested_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    Nested* nested = calloc(1, sizeof(*nested));
    if (nested == NULL) return NULL;
    nested->model = TfLiteModelCreateWithErrorReporter(buffer, length, print_message, NULL);
    if (nested->model != NULL) nested->interpreter = create(nested->model, NULL);
    return nested;
}

static void nested_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    Nested* nested = data;
    if (nested == NULL) return;
    TfLiteInterpreterDelete(nested->interpreter);
    TfLiteModelDelete(nested->model);
    free(nested);
}

// The next input that the nested model is fed: constants and variables it has itself.
static const TfLiteOpaqueTensor* next_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int* at) {
    while (*at < TfLiteOpaqueNodeNumberOfInputs(node)) {
        const TfLiteOpaqueTensor* tensor = TfLiteOpaqueNodeGetInput(context, node, (*at)++);
        if (TfLiteOpaqueTensorGetAllocationType(tensor) == kTfLiteMmapRo) continue;
        if (!TfLiteOpaqueTensorIsVariable(tensor)) return tensor;
    }
    return NULL;
}

static TfLiteStatus nested_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Nested* nested = TfLiteOpaqueNodeGetUserData(node);
    if (nested == NULL || nested->interpreter == NULL) return kTfLiteError;
    const int inputs = TfLiteInterpreterGetInputTensorCount(nested->interpreter);
    int at = 0;
    for (int i = 0; i < inputs; i++) {
        const TfLiteOpaqueTensor* tensor = next_input(context, node, &at);
        int dims[8];
        const int rank = tensor == NULL ? -1 : TfLiteOpaqueTensorNumDims(tensor);
        if (rank < 0 || rank > 8) return kTfLiteError;
        for (int d = 0; d < rank; d++) dims[d] = TfLiteOpaqueTensorDim(tensor, d);
        TF_LITE_ENSURE_STATUS(TfLiteInterpreterResizeInputTensor(nested->interpreter, i, dims, rank));
    }
    TF_LITE_ENSURE_STATUS(TfLiteInterpreterAllocateTensors(nested->interpreter));
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfOutputs(node); i++) {
        const TfLiteTensor* made = TfLiteInterpreterGetOutputTensor(nested->interpreter, i);
        const int rank = TfLiteTensorNumDims(made);
        TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
        if (shape == NULL) return kTfLiteError;
        for (int d = 0; d < rank; d++) shape->data[d] = TfLiteTensorDim(made, d);
        TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, i);
        TF_LITE_ENSURE_STATUS(TfLiteOpaqueContextResizeTensor(context, output, shape));
    }
    return kTfLiteOk;
}

static TfLiteStatus nested_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Nested* nested = TfLiteOpaqueNodeGetUserData(node);
    const int inputs = TfLiteInterpreterGetInputTensorCount(nested->interpreter);
    int at = 0;
    for (int i = 0; i < inputs; i++) {
        const TfLiteOpaqueTensor* tensor = next_input(context, node, &at);
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(nested->interpreter, i);
        TF_LITE_ENSURE_STATUS(TfLiteTensorCopyFromBuffer(input, TfLiteOpaqueTensorData(tensor),
                                                         TfLiteOpaqueTensorByteSize(tensor)));
    }
    TF_LITE_ENSURE_STATUS(TfLiteInterpreterInvoke(nested->interpreter));
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfOutputs(node); i++) {
        const TfLiteTensor* made = TfLiteInterpreterGetOutputTensor(nested->interpreter, i);
        TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, i);
        TF_LITE_ENSURE_STATUS(TfLiteTensorCopyToBuffer(made, TfLiteOpaqueTensorData(output),
                                                       TfLiteOpaqueTensorByteSize(output)));
    }
    return kTfLiteOk;
}

// Running
// ---------------------------------------------------------------------------------------------------------

static TfLiteOperator* atan_operator;

static TfLiteInterpreter* create(const TfLiteModel* model, TfLiteOperator* nested) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, print_message, NULL);
    TfLiteInterpreterOptionsSetNumThreads(options, 1);
    TfLiteInterpreterOptionsAddOperator(options, atan_operator);
    if (nested != NULL) TfLiteInterpreterOptionsAddOperator(options, nested);
    TfLiteInterpreter* interpreter = NULL;
    if (oclite_tftext_add_operators(options) == kTfLiteOk)
        interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

typedef struct Result {
    int count;
    size_t bytes[kMaxTensors];
    void* data[kMaxTensors];
} Result;

static void free_result(Result* result) {
    for (int i = 0; i < result->count; i++) free(result->data[i]);
    *result = (Result){0};
}

// Values that are in range for indices, and for images.
static void fill(TfLiteTensor* tensor) {
    const size_t bytes = TfLiteTensorByteSize(tensor);
    void* data = TfLiteTensorData(tensor);
    if (TfLiteTensorType(tensor) == kTfLiteFloat32) {
        for (size_t i = 0; i < bytes / 4; i++) ((float*)data)[i] = (float)(i * 7919 % 1000) / 500 - 1;
    } else if (TfLiteTensorType(tensor) == kTfLiteUInt8 || TfLiteTensorType(tensor) == kTfLiteInt8) {
        for (size_t i = 0; i < bytes; i++) ((uint8_t*)data)[i] = (uint8_t)(i * 7919 % 251);
    } else {
        memset(data, 0, bytes);
    }
}

// Twice, so that variables count. false: it does not run, or has inputs that nobody can make up.
static bool run(const void* data, size_t size, TfLiteOperator* nested, Result* result) {
    TfLiteModel* model = TfLiteModelCreateWithErrorReporter(data, size, print_message, NULL);
    TfLiteInterpreter* interpreter = model == NULL ? NULL : create(model, nested);
    bool good = interpreter != NULL && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk;
    *result = (Result){0};
    for (int round = 0; good && round < 2; round++) {
        for (int i = 0; good && i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
            TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, i);
            good = TfLiteTensorType(input) != kTfLiteString;
            if (good) fill(input);
        }
        good = good && TfLiteInterpreterInvoke(interpreter) == kTfLiteOk;
    }
    const int outputs = good ? TfLiteInterpreterGetOutputTensorCount(interpreter) : 0;
    for (int i = 0; i < outputs && i < kMaxTensors; i++) {
        const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, i);
        const size_t bytes = TfLiteTensorByteSize(output);
        result->bytes[i] = bytes;
        result->data[i] = malloc(bytes + 1);
        result->count++;
        if (result->data[i] != NULL) memcpy(result->data[i], TfLiteTensorData(output), bytes);
    }
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    return good;
}

static bool same(const Result* a, const Result* b) {
    bool equal = a->count == b->count;
    for (int i = 0; equal && i < a->count; i++) {
        equal = a->bytes[i] == b->bytes[i] && a->data[i] != NULL && b->data[i] != NULL &&
                memcmp(a->data[i], b->data[i], a->bytes[i]) == 0;
    }
    return equal;
}

// Fusing
// ----------------------------------------------------------------------------------------------------------

// Whether all that the node gives has a size that is known beforehand, which Nested needs.
static bool is_static(const OcliteEdit* edit, const OcliteEditNode* node) {
    static const char* const dynamic[] = {"IF",    "WHILE",  "CALL_ONCE",
                                          "WHERE", "UNIQUE", "NON_MAX_SUPPRESSION_V4"};
    for (size_t i = 0; i < sizeof(dynamic) / sizeof(*dynamic); i++) {
        if (strcmp(dynamic[i], node->op) == 0) return false;
    }
    for (int i = 0; i < node->input_count; i++) {
        OcliteEditTensor tensor;
        if (node->inputs[i] < 0) continue;
        if (oclite_edit_tensor(edit, 0, node->inputs[i], &tensor) != kTfLiteOk) return false;
        if (tensor.type == kTfLiteString || tensor.type == kTfLiteResource) return false;
        if (tensor.is_variable) return false; // a state of its own for each of the two
    }
    return true;
}

// The chain that begins with a node, of `length` nodes: their operators.
static bool chain_at(const OcliteEdit* edit, int first, int length, const char** ops) {
    OcliteEditSubgraph graph;
    if (oclite_edit_subgraph(edit, 0, &graph) != kTfLiteOk) return false;
    int node = first;
    for (int i = 0; i < length; i++) {
        OcliteEditNode at, reader;
        int next = -1;
        if (node < 0 || oclite_edit_node(edit, 0, node, &at) != kTfLiteOk || !is_static(edit, &at))
            return false;
        ops[i] = at.op;
        for (int r = 0; at.output_count == 1 && r < graph.node_count && next < 0; r++) {
            if (oclite_edit_node(edit, 0, r, &reader) != kTfLiteOk) return false;
            for (int j = 0; j < reader.input_count; j++) {
                if (reader.inputs[j] == at.outputs[0]) next = r;
            }
        }
        node = next;
    }
    return true;
}

static bool fuse_chain(const char* path, OcliteEdit* edit, const char* const* ops, int length,
                       TfLiteOperator* nested, const Result* expected) {
    int nodes[8];
    size_t part_size, size;
    Result result;
    if (oclite_edit_find_chains(edit, 0, ops, length, nodes, 1) < 1) return false;
    OcliteEdit* part = oclite_edit_extract(edit, 0, nodes, length);
    if (part == NULL) {
        fail(path, "extract", oclite_edit_last_error());
        return false;
    }
    const void* part_data = oclite_edit_data(part, &part_size);
    const OcliteEditOperator op = {"Nested", 1, part_data, part_size};
    if (oclite_edit_replace(edit, 0, nodes, length, 1, &op) != kTfLiteOk) {
        fail(path, "replace", oclite_edit_last_error());
    } else {
        const void* data = oclite_edit_data(edit, &size);
        const bool ran = run(data, size, nested, &result);
        if (!ran || !same(expected, &result)) fail(path, ops[0], ran ? "other results" : "does not run");
        free_result(&result);
        compared++;
    }
    oclite_edit_delete(part);
    return true;
}

// Chains that begin at nodes spread over the model, all in the one model that changes on the way.
static void fuse_chains(const char* path, OcliteEdit* edit, TfLiteOperator* nested, const Result* expected) {
    for (int k = 0; k < kMaxChains; k++) {
        OcliteEditSubgraph graph;
        const char* ops[3];
        const int length = 2 + k % 2;
        if (oclite_edit_subgraph(edit, 0, &graph) != kTfLiteOk) return;
        for (int tried = 0, first = graph.node_count * k / kMaxChains; tried < 12; tried++, first++) {
            if (first >= graph.node_count || !chain_at(edit, first, length, ops)) continue;
            if (strcmp(ops[0], "Nested") == 0 || strcmp(ops[1], "Nested") == 0) continue;
            if (fuse_chain(path, edit, ops, length, nested, expected)) break;
        }
    }
}

static void test_file(const char* path, TfLiteOperator* nested) {
    Result expected;
    size_t size;
    OcliteEdit* edit = oclite_edit_create_from_file(path);
    if (edit == NULL) {
        fail(path, "open", oclite_edit_last_error());
        return;
    }
    const void* data = oclite_edit_data(edit, &size);
    if (run(data, size, NULL, &expected)) {
        fuse_chains(path, edit, nested, &expected);
    } else {
        printf("%s: skipped: its inputs cannot be made up\n", path);
        skipped++;
    }
    free_result(&expected);
    oclite_edit_delete(edit);
}

static int list_files(const char* path, char files[][1024], int count) {
    struct stat about;
    if (stat(path, &about) != 0) return count;
    if (!S_ISDIR(about.st_mode)) {
        if (count < kMaxFiles) snprintf(files[count++], sizeof(files[0]), "%s", path);
        return count;
    }
    DIR* folder = opendir(path);
    for (struct dirent* entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        const char* ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".tflite") != 0 || count == kMaxFiles) continue;
        snprintf(files[count++], sizeof(files[0]), "%s/%s", path, entry->d_name);
    }
    if (folder != NULL) closedir(folder);
    return count;
}

int main(int argc, char** argv) {
    static char files[kMaxFiles][1024];
    int count = 0;
    for (int i = 1; i < argc; i++) count = list_files(argv[i], files, count);
    if (count == 0) {
        puts("skipped: no models there");
        return 77;
    }
    atan_operator = atan_operator_create();
    TfLiteOperator* nested = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Nested", 1);
    TfLiteOperatorSetInit(nested, nested_init);
    TfLiteOperatorSetFree(nested, nested_free);
    TfLiteOperatorSetPrepare(nested, nested_prepare);
    TfLiteOperatorSetInvoke(nested, nested_invoke);
    for (int i = 0; i < count; i++) test_file(files[i], nested);
    TfLiteOperatorDelete(nested);
    TfLiteOperatorDelete(atan_operator);
    printf("%d models, %d of them not run, %d fused chains compared, %d failures\n", count, skipped, compared,
           failures);
    return failures > 0 || compared == 0;
}
