// SPDX-License-Identifier: Apache-2.0
// The OpenCL delegate, and its report as arrays of numbers and texts.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/java/jni/arrays.h"
#include "bindings/java/jni/methods.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"

// Options are pairs of texts. Returns 0 when there is no delegate; delegateError then says why on the same
// thread.
static jlong create(JNIEnv* env, jclass kind, jobjectArray keys, jobjectArray values) {
    (void)kind;
    LiteJniTexts names, contents;
    TfLiteDelegate* made = NULL;
    if (!lite_jni_copy_texts(env, keys, &names)) return 0;
    if (lite_jni_copy_texts(env, values, &contents)) {
        made = tflite_plugin_create_delegate((const char* const*)names.texts,
                                             (const char* const*)contents.texts, (size_t)names.count, NULL);
        lite_jni_free_texts(&contents);
    }
    lite_jni_free_texts(&names);
    return lite_jni_number(made);
}

static jbyteArray last_error(JNIEnv* env, jclass kind) {
    (void)kind;
    return lite_jni_new_text(env, oclite_opencl_last_error());
}

static void delete_delegate(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    oclite_opencl_delegate_delete(lite_jni_address(number));
}

// The device, a warning, and the first failure.
static jbyteArray text(JNIEnv* env, jclass kind, jlong number, jint which) {
    (void)kind;
    static const char* (*const functions[])(const TfLiteDelegate*) = {
        oclite_opencl_delegate_device, oclite_opencl_delegate_warning, oclite_opencl_delegate_failure};
    return lite_jni_new_text(env, functions[which](lite_jni_address(number)));
}

static jint status(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return (jint)oclite_opencl_delegate_status(lite_jni_address(number));
}

static jlong device_memory(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return (jlong)oclite_opencl_delegate_memory(lite_jni_address(number));
}

// ---- Report ----

// What a callback collects: it must not call the delegate, and JNI is better left alone while the delegate
// holds its lock.
typedef struct Rows {
    jlong* numbers;
    size_t number_count;
    char** texts;
    size_t text_count;
    bool is_out_of_memory;
} Rows;

static void add_number(Rows* rows, int64_t number) {
    jlong* longer =
        rows->is_out_of_memory ? NULL : realloc(rows->numbers, (rows->number_count + 1) * sizeof(jlong));
    rows->is_out_of_memory = longer == NULL;
    if (longer == NULL) return;
    longer[rows->number_count++] = number;
    rows->numbers = longer;
}

static void add_text(Rows* rows, const char* said) {
    char* copy = rows->is_out_of_memory ? NULL : strdup(said == NULL ? "" : said);
    char** longer = copy == NULL ? NULL : realloc(rows->texts, (rows->text_count + 1) * sizeof(char*));
    rows->is_out_of_memory = longer == NULL;
    if (longer == NULL) {
        free(copy);
        return;
    }
    longer[rows->text_count++] = copy;
    rows->texts = longer;
}

static void add_node(void* user_data, const OcliteOpenclNode* node) {
    Rows* rows = user_data;
    const int64_t numbers[] = {node->graph,   node->node,    node->taken,
                               node->float16, node->host_ns, node->device_ns};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) add_number(rows, numbers[i]);
    add_text(rows, node->op);
    add_text(rows, node->reason);
}

static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    Rows* rows = user_data;
    const int64_t numbers[] = {kernel->graph, (int64_t)kernel->runs, (int64_t)kernel->last_ns,
                               (int64_t)kernel->total_ns};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) add_number(rows, numbers[i]);
    for (size_t i = 0; i < 3; i++) add_number(rows, (int64_t)kernel->global[i]);
    for (size_t i = 0; i < 3; i++) add_number(rows, (int64_t)kernel->local[i]);
    add_number(rows, kernel->node_count);
    for (int i = 0; i < kernel->node_count; i++) add_number(rows, kernel->nodes[i]);
    add_text(rows, kernel->op);
    add_text(rows, kernel->kernel);
}

static jlongArray store_numbers(JNIEnv* env, const Rows* rows) {
    const jlongArray numbers = (*env)->NewLongArray(env, (jsize)rows->number_count);
    if (numbers != NULL && rows->number_count > 0)
        (*env)->SetLongArrayRegion(env, numbers, 0, (jsize)rows->number_count, rows->numbers);
    return numbers;
}

// Stores the texts as elements of the array, behind its first one.
static jboolean store_texts(JNIEnv* env, const Rows* rows, jobjectArray array) {
    jboolean is_stored = JNI_TRUE;
    for (size_t i = 0; is_stored && i < rows->text_count; i++)
        is_stored = lite_jni_store_bytes(env, array, (int)i + 1, lite_jni_new_text(env, rows->texts[i]));
    return is_stored;
}

// An array of objects: the numbers as long[], then each text as byte[].
static jobjectArray as_array(JNIEnv* env, const Rows* rows) {
    if (rows->is_out_of_memory) {
        lite_jni_out_of_memory(env);
        return NULL;
    }
    const jclass object = (*env)->FindClass(env, "java/lang/Object");
    if (object == NULL) return NULL;
    const jobjectArray array = (*env)->NewObjectArray(env, (jsize)rows->text_count + 1, object, NULL);
    (*env)->DeleteLocalRef(env, object);
    const jlongArray numbers = array == NULL ? NULL : store_numbers(env, rows);
    if (numbers == NULL) return NULL;
    (*env)->SetObjectArrayElement(env, array, 0, numbers);
    (*env)->DeleteLocalRef(env, numbers);
    return !(*env)->ExceptionCheck(env) && store_texts(env, rows, array) ? array : NULL;
}

static jobjectArray rows_of(JNIEnv* env, Rows* rows) {
    const jobjectArray array = as_array(env, rows);
    for (size_t i = 0; i < rows->text_count; i++) free(rows->texts[i]);
    free(rows->texts);
    free(rows->numbers);
    return array;
}

static jobjectArray nodes(JNIEnv* env, jclass kind, jlong number) {
    (void)kind;
    Rows rows = {0};
    oclite_opencl_delegate_explain(lite_jni_address(number), add_node, &rows);
    return rows_of(env, &rows);
}

static jobjectArray kernels(JNIEnv* env, jclass kind, jlong number) {
    (void)kind;
    Rows rows = {0};
    oclite_opencl_delegate_profile(lite_jni_address(number), add_kernel, &rows);
    return rows_of(env, &rows);
}

LiteJniMethods lite_jni_delegate_methods(void) {
    static const JNINativeMethod methods[] = {
        LITE_JNI_METHOD("delegateCreate", "([[B[[B)J", create),
        LITE_JNI_METHOD("delegateError", "()[B", last_error),
        LITE_JNI_METHOD("delegateDelete", "(J)V", delete_delegate),
        LITE_JNI_METHOD("delegateText", "(JI)[B", text),
        LITE_JNI_METHOD("delegateStatus", "(J)I", status),
        LITE_JNI_METHOD("delegateMemory", "(J)J", device_memory),
        LITE_JNI_METHOD("delegateNodes", "(J)[Ljava/lang/Object;", nodes),
        LITE_JNI_METHOD("delegateKernels", "(J)[Ljava/lang/Object;", kernels),
    };
    return (LiteJniMethods){methods, LITE_JNI_COUNT(methods)};
}
