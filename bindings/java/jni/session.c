// SPDX-License-Identifier: Apache-2.0
#include "bindings/java/jni/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/java/jni/arrays.h"
#include "bindings/java/jni/methods.h"
#include "oclite/oclite.h"

// Messages beyond that are dropped: a model may make any number of them.
#define MAX_MESSAGES ((size_t)1 << 16)

static void append(LiteJniSession* session, const char* text, size_t length) {
    char* longer = realloc(session->messages, session->length + length + 2);
    if (longer == NULL) return;
    session->messages = longer;
    if (session->length > 0) longer[session->length++] = ' ';
    memcpy(longer + session->length, text, length);
    session->length += length;
    longer[session->length] = '\0';
}

// The reporter of model and interpreter.
static void report(void* user_data, const char* format, va_list arguments) {
    LiteJniSession* session = user_data;
    char text[4096];
    const int needed = vsnprintf(text, sizeof text, format, arguments);
    if (needed <= 0) return;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') length--;
    pthread_mutex_lock(&session->lock);
    if (session->length + length < MAX_MESSAGES) append(session, text, length);
    pthread_mutex_unlock(&session->lock);
}

static bool is_cancelled(void* user_data) {
    const LiteJniSession* session = user_data;
    return atomic_load(&session->is_cancelled);
}

static void delete_session(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    LiteJniSession* session = lite_jni_address(number);
    if (session == NULL) return;
    TfLiteInterpreterDelete(session->interpreter);
    TfLiteInterpreterOptionsDelete(session->options);
    TfLiteModelDelete(session->model);
    pthread_mutex_destroy(&session->lock);
    free(session->messages);
    free(session);
}

static jlong create_session(JNIEnv* env, jclass kind) {
    (void)kind;
    LiteJniSession* session = calloc(1, sizeof *session);
    if (session == NULL || pthread_mutex_init(&session->lock, NULL) != 0) {
        free(session);
        lite_jni_out_of_memory(env);
        return 0;
    }
    session->options = TfLiteInterpreterOptionsCreate();
    if (session->options == NULL) {
        delete_session(env, kind, lite_jni_number(session));
        lite_jni_out_of_memory(env);
        return 0;
    }
    TfLiteInterpreterOptionsSetErrorReporter(session->options, report, session);
    return lite_jni_number(session);
}

static jboolean open_file(JNIEnv* env, jclass kind, jlong number, jbyteArray path) {
    (void)kind;
    LiteJniSession* session = lite_jni_address(number);
    char* name = lite_jni_copy_bytes(env, path);
    if (name == NULL) return JNI_FALSE;
    session->model = TfLiteModelCreateFromFileWithErrorReporter(name, report, session);
    free(name);
    return session->model != NULL;
}

// The caller keeps the direct buffer as long as the session.
static jboolean open_buffer(JNIEnv* env, jclass kind, jlong number, jobject buffer) {
    (void)kind;
    LiteJniSession* session = lite_jni_address(number);
    const void* content = (*env)->GetDirectBufferAddress(env, buffer);
    const jlong size = (*env)->GetDirectBufferCapacity(env, buffer);
    if (content == NULL || size < 0) return JNI_FALSE;
    session->model = TfLiteModelCreateWithErrorReporter(content, (size_t)size, report, session);
    return session->model != NULL;
}

// Adds delegates, which the caller keeps as long as the session, and creates the interpreter.
static jboolean create_interpreter(JNIEnv* env, jclass kind, jlong number, jint threads,
                                   jboolean is_cancellable, jlongArray delegates) {
    (void)kind;
    LiteJniSession* session = lite_jni_address(number);
    TfLiteInterpreterOptionsSetNumThreads(session->options, threads);
    const jsize count = (*env)->GetArrayLength(env, delegates);
    for (jsize i = 0; i < count; i++) {
        jlong delegate = 0;
        (*env)->GetLongArrayRegion(env, delegates, i, 1, &delegate);
        TfLiteInterpreterOptionsAddDelegate(session->options, lite_jni_address(delegate));
    }
    session->interpreter = TfLiteInterpreterCreate(session->model, session->options);
    if (session->interpreter == NULL) return JNI_FALSE;
    if (is_cancellable) oclite_interpreter_set_cancellation(session->interpreter, is_cancelled, session);
    return JNI_TRUE;
}

// The messages since the last call.
static jbyteArray take_messages(JNIEnv* env, jclass kind, jlong number) {
    (void)kind;
    LiteJniSession* session = lite_jni_address(number);
    pthread_mutex_lock(&session->lock);
    char* messages = session->messages;
    session->messages = NULL;
    session->length = 0;
    pthread_mutex_unlock(&session->lock);
    const jbyteArray taken = lite_jni_new_text(env, messages);
    free(messages);
    return taken;
}

static void set_cancelled(JNIEnv* env, jclass kind, jlong number, jboolean cancelled) {
    (void)env;
    (void)kind;
    LiteJniSession* session = lite_jni_address(number);
    atomic_store(&session->is_cancelled, cancelled);
}

// oclite's version, that of TensorFlow Lite's API, and that of the format.
static jbyteArray version(JNIEnv* env, jclass kind, jint which) {
    (void)kind;
    char schema[16];
    snprintf(schema, sizeof schema, "%d", TfLiteSchemaVersion());
    return lite_jni_new_text(env, which == 0 ? oclite_version() : which == 1 ? TfLiteVersion() : schema);
}

LiteJniMethods lite_jni_session_methods(void) {
    static const JNINativeMethod methods[] = {
        LITE_JNI_METHOD("sessionCreate", "()J", create_session),
        LITE_JNI_METHOD("sessionDelete", "(J)V", delete_session),
        LITE_JNI_METHOD("sessionOpenFile", "(J[B)Z", open_file),
        LITE_JNI_METHOD("sessionOpenBuffer", "(JLjava/nio/ByteBuffer;)Z", open_buffer),
        LITE_JNI_METHOD("sessionCreateInterpreter", "(JIZ[J)Z", create_interpreter),
        LITE_JNI_METHOD("sessionTakeMessages", "(J)[B", take_messages),
        LITE_JNI_METHOD("sessionSetCancelled", "(JZ)V", set_cancelled),
        LITE_JNI_METHOD("version", "(I)[B", version),
    };
    return (LiteJniMethods){methods, LITE_JNI_COUNT(methods)};
}
