// SPDX-License-Identifier: Apache-2.0
#include "bindings/java/jni/arrays.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void lite_jni_out_of_memory(JNIEnv* env) {
    const jclass kind = (*env)->FindClass(env, "java/lang/OutOfMemoryError");
    if (kind == NULL) return; // FindClass has thrown
    (*env)->ThrowNew(env, kind, "oclite: out of memory");
    (*env)->DeleteLocalRef(env, kind);
}

jbyteArray lite_jni_new_bytes(JNIEnv* env, const void* bytes, size_t length) {
    if (length > INT_MAX) {
        lite_jni_out_of_memory(env);
        return NULL;
    }
    const jbyteArray array = (*env)->NewByteArray(env, (jsize)length);
    if (array != NULL && length > 0) (*env)->SetByteArrayRegion(env, array, 0, (jsize)length, bytes);
    return array;
}

jbyteArray lite_jni_new_text(JNIEnv* env, const char* text) {
    return lite_jni_new_bytes(env, text, text == NULL ? 0 : strlen(text));
}

jintArray lite_jni_new_ints(JNIEnv* env, const int* values, int count) {
    _Static_assert(sizeof(jint) == sizeof(int), "an array of C is copied as it is");
    const jintArray array = (*env)->NewIntArray(env, count);
    if (array != NULL && count > 0) (*env)->SetIntArrayRegion(env, array, 0, count, values);
    return array;
}

jobjectArray lite_jni_new_bytes_array(JNIEnv* env, int count) {
    const jclass kind = (*env)->FindClass(env, "[B");
    if (kind == NULL) return NULL;
    const jobjectArray array = (*env)->NewObjectArray(env, count, kind, NULL);
    (*env)->DeleteLocalRef(env, kind);
    return array;
}

jboolean lite_jni_store_bytes(JNIEnv* env, jobjectArray array, int index, jbyteArray bytes) {
    if (bytes == NULL) return JNI_FALSE;
    (*env)->SetObjectArrayElement(env, array, index, bytes);
    (*env)->DeleteLocalRef(env, bytes);
    return !(*env)->ExceptionCheck(env);
}

// Room for `count` elements of `size` bytes and one more.
static void* allocate(JNIEnv* env, int count, size_t size) {
    void* room = calloc((size_t)count + 1, size);
    if (room == NULL) lite_jni_out_of_memory(env);
    return room;
}

char* lite_jni_copy_bytes(JNIEnv* env, jbyteArray bytes) {
    const jsize length = (*env)->GetArrayLength(env, bytes);
    char* copy = allocate(env, length, 1);
    if (copy != NULL && length > 0) (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte*)copy);
    return copy;
}

int* lite_jni_copy_ints(JNIEnv* env, jintArray ints, int* count) {
    *count = (*env)->GetArrayLength(env, ints);
    int* copy = allocate(env, *count, sizeof(int));
    if (copy != NULL && *count > 0) (*env)->GetIntArrayRegion(env, ints, 0, *count, copy);
    return copy;
}

void lite_jni_free_texts(LiteJniTexts* texts) {
    for (int i = 0; texts->texts != NULL && i < texts->count; i++) free(texts->texts[i]);
    free(texts->texts);
    free(texts->lengths);
    *texts = (LiteJniTexts){0};
}

static jboolean copy_text(JNIEnv* env, jobjectArray array, int i, LiteJniTexts* result) {
    const jbyteArray bytes = (*env)->GetObjectArrayElement(env, array, i);
    if (bytes == NULL) {
        if (!(*env)->ExceptionCheck(env)) lite_jni_out_of_memory(env);
        return JNI_FALSE;
    }
    result->lengths[i] = (*env)->GetArrayLength(env, bytes);
    result->texts[i] = lite_jni_copy_bytes(env, bytes);
    (*env)->DeleteLocalRef(env, bytes);
    return result->texts[i] != NULL;
}

jboolean lite_jni_copy_texts(JNIEnv* env, jobjectArray array, LiteJniTexts* result) {
    const int count = (*env)->GetArrayLength(env, array);
    *result = (LiteJniTexts){.count = count};
    result->texts = allocate(env, count, sizeof(char*));
    if (result->texts != NULL) result->lengths = allocate(env, count, sizeof(int));
    jboolean is_copied = result->lengths != NULL;
    for (int i = 0; is_copied && i < count; i++) is_copied = copy_text(env, array, i, result);
    if (!is_copied) lite_jni_free_texts(result);
    return is_copied;
}
