// SPDX-License-Identifier: Apache-2.0
// Arrays of Java and of C. Texts cross the border as arrays of bytes, because what models and drivers call
// things need not be the UTF-8 that JNI demands of strings.
#ifndef BINDINGS_JAVA_JNI_ARRAYS_H_
#define BINDINGS_JAVA_JNI_ARRAYS_H_

#include <jni.h>
#include <stddef.h>

// Return a new array with a copy. NULL, with an exception pending, when memory runs out.
jbyteArray lite_jni_new_bytes(JNIEnv* env, const void* bytes, size_t length);
jbyteArray lite_jni_new_text(JNIEnv* env, const char* text); // NULL counts as ""
jintArray lite_jni_new_ints(JNIEnv* env, const int* values, int count);

// Returns a new array of `count` arrays of bytes, each NULL. NULL, with an exception pending, when memory
// runs out.
jobjectArray lite_jni_new_bytes_array(JNIEnv* env, int count);

// Stores an array of bytes in an array of such, and releases the reference to it. Returns false, with an
// exception pending, when `bytes` is NULL or cannot be stored.
jboolean lite_jni_store_bytes(JNIEnv* env, jobjectArray array, int index, jbyteArray bytes);

// Return a copy from malloc, the bytes with a zero behind them. NULL, with an exception pending, when memory
// runs out.
char* lite_jni_copy_bytes(JNIEnv* env, jbyteArray bytes);
int* lite_jni_copy_ints(JNIEnv* env, jintArray ints, int* count);

// Copies of all arrays of bytes in an array, from malloc.
typedef struct LiteJniTexts {
    char** texts; // each with a zero behind it
    int* lengths;
    int count;
} LiteJniTexts;

// Returns false, with an exception pending, when memory runs out; there is nothing to be released then.
jboolean lite_jni_copy_texts(JNIEnv* env, jobjectArray array, LiteJniTexts* result);
void lite_jni_free_texts(LiteJniTexts* texts);

// Makes an OutOfMemoryError pending.
void lite_jni_out_of_memory(JNIEnv* env);

#endif
