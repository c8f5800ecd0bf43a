// SPDX-License-Identifier: Apache-2.0
// What a tensor is and holds. The tensors of an interpreter and of an operator's node are the same structs.
#include <limits.h>
#include <stdlib.h>

#include "bindings/java/jni/arrays.h"
#include "bindings/java/jni/methods.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"

static TfLiteOpaqueTensor* tensor_of(jlong number) {
    return lite_jni_address(number);
}

static jint type(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return (jint)TfLiteOpaqueTensorType(tensor_of(number));
}

static jbyteArray name(JNIEnv* env, jclass kind, jlong number) {
    (void)kind;
    return lite_jni_new_text(env, TfLiteOpaqueTensorName(tensor_of(number)));
}

// The shape; with `is_signature` the model's, in which -1 stands for any length. Empty while there is none.
static jintArray shape(JNIEnv* env, jclass kind, jlong number, jboolean is_signature) {
    (void)kind;
    const TfLiteOpaqueTensor* tensor = tensor_of(number);
    int rank = TfLiteOpaqueTensorNumDims(tensor);
    int signature_rank = 0;
    if (is_signature && TfLiteOpaqueTensorGetNumDimsSignature(tensor, &signature_rank) == kTfLiteOk &&
        signature_rank > 0)
        rank = signature_rank;
    const jintArray lengths = (*env)->NewIntArray(env, rank > 0 ? rank : 0);
    for (int i = 0; lengths != NULL && i < rank; i++) {
        jint length = TfLiteOpaqueTensorDim(tensor, i);
        if (is_signature && signature_rank > 0) TfLiteOpaqueTensorGetDimSignature(tensor, i, &length);
        (*env)->SetIntArrayRegion(env, lengths, i, 1, &length);
    }
    return lengths;
}

static jlong byte_size(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return (jlong)TfLiteOpaqueTensorByteSize(tensor_of(number));
}

static jfloat scale(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return TfLiteOpaqueTensorGetQuantizationParams(tensor_of(number)).scale;
}

static jint zero_point(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return TfLiteOpaqueTensorGetQuantizationParams(tensor_of(number)).zero_point;
}

static jboolean is_constant(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    const TfLiteAllocationType where = TfLiteOpaqueTensorGetAllocationType(tensor_of(number));
    return where == kTfLiteMmapRo || where == kTfLitePersistentRo;
}

// The tensor's own memory, which lives until the interpreter is resized, allocated, invoked or deleted. NULL
// where there is none, and for more bytes than a buffer of Java can have.
static jobject memory(JNIEnv* env, jclass kind, jlong number) {
    (void)kind;
    void* data = TfLiteOpaqueTensorData(tensor_of(number));
    const size_t bytes = TfLiteOpaqueTensorByteSize(tensor_of(number));
    if (data == NULL || bytes == 0 || bytes > INT_MAX) return NULL;
    return (*env)->NewDirectByteBuffer(env, data, (jlong)bytes);
}

// Copies the contents into a direct buffer of their size.
static jint read(JNIEnv* env, jclass kind, jlong number, jobject buffer) {
    (void)kind;
    void* bytes = (*env)->GetDirectBufferAddress(env, buffer);
    const jlong size = (*env)->GetDirectBufferCapacity(env, buffer);
    if (bytes == NULL || size < 0) return kTfLiteError;
    return (jint)TfLiteOpaqueTensorCopyToBuffer(tensor_of(number), bytes, (size_t)size);
}

// The strings of a tensor; NULL where it holds none.
static jobjectArray read_strings(JNIEnv* env, jclass kind, jlong number) {
    (void)kind;
    const TfLiteOpaqueTensor* tensor = tensor_of(number);
    const int count = TfLiteOpaqueTensorGetStringCount(tensor);
    if (count < 0) return NULL;
    const jobjectArray strings = lite_jni_new_bytes_array(env, count);
    jboolean is_stored = strings != NULL;
    for (int i = 0; is_stored && i < count; i++) {
        const char* string = NULL;
        int length = 0;
        TfLiteOpaqueTensorGetString(tensor, i, &string, &length);
        const jbyteArray copy = lite_jni_new_bytes(env, string, length > 0 ? (size_t)length : 0);
        is_stored = lite_jni_store_bytes(env, strings, i, copy);
    }
    return is_stored ? strings : NULL;
}

static jint write_strings(JNIEnv* env, jclass kind, jlong number, jobjectArray strings) {
    (void)kind;
    LiteJniTexts texts;
    if (!lite_jni_copy_texts(env, strings, &texts)) return kTfLiteError;
    const TfLiteStatus status = TfLiteOpaqueTensorWriteStrings(
        tensor_of(number), (const char* const*)texts.texts, texts.count, texts.lengths);
    lite_jni_free_texts(&texts);
    return (jint)status;
}

LiteJniMethods lite_jni_tensor_methods(void) {
    static const JNINativeMethod methods[] = {
        LITE_JNI_METHOD("tensorType", "(J)I", type),
        LITE_JNI_METHOD("tensorName", "(J)[B", name),
        LITE_JNI_METHOD("tensorShape", "(JZ)[I", shape),
        LITE_JNI_METHOD("tensorBytes", "(J)J", byte_size),
        LITE_JNI_METHOD("tensorScale", "(J)F", scale),
        LITE_JNI_METHOD("tensorZeroPoint", "(J)I", zero_point),
        LITE_JNI_METHOD("tensorIsConstant", "(J)Z", is_constant),
        LITE_JNI_METHOD("tensorMemory", "(J)Ljava/nio/ByteBuffer;", memory),
        LITE_JNI_METHOD("tensorRead", "(JLjava/nio/ByteBuffer;)I", read),
        LITE_JNI_METHOD("tensorReadStrings", "(J)[[B", read_strings),
        LITE_JNI_METHOD("tensorWriteStrings", "(J[[B)I", write_strings),
    };
    return (LiteJniMethods){methods, LITE_JNI_COUNT(methods)};
}
