// SPDX-License-Identifier: Apache-2.0
// Subgraphs of an interpreter, their tensors, and the signatures that run them.
#include <stdlib.h>

#include "bindings/java/jni/arrays.h"
#include "bindings/java/jni/methods.h"
#include "bindings/java/jni/session.h"
#include "oclite/graph.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api_experimental.h"

static TfLiteInterpreter* interpreter_of(jlong number) {
    return ((const LiteJniSession*)lite_jni_address(number))->interpreter;
}

// The tensors that are inputs or outputs of a subgraph; -1 for absent ones.
static jintArray subgraph_ends(JNIEnv* env, jclass kind, jlong number, jint subgraph, jboolean is_output) {
    (void)kind;
    const int* tensors = NULL;
    int count = 0;
    if (is_output) {
        oclite_interpreter_outputs(interpreter_of(number), subgraph, &tensors, &count);
    } else {
        oclite_interpreter_inputs(interpreter_of(number), subgraph, &tensors, &count);
    }
    return lite_jni_new_ints(env, tensors, count);
}

static jint resize(JNIEnv* env, jclass kind, jlong number, jint subgraph, jint tensor, jintArray dims) {
    (void)kind;
    int rank;
    int* lengths = lite_jni_copy_ints(env, dims, &rank);
    if (lengths == NULL) return kTfLiteError;
    const TfLiteStatus status =
        oclite_interpreter_resize_input(interpreter_of(number), subgraph, tensor, lengths, rank);
    free(lengths);
    return (jint)status;
}

static jint allocate(JNIEnv* env, jclass kind, jlong number, jint subgraph) {
    (void)env;
    (void)kind;
    TfLiteInterpreter* interpreter = interpreter_of(number);
    return (jint)(subgraph == 0 ? TfLiteInterpreterAllocateTensors(interpreter)
                                : oclite_graph_allocate(interpreter, subgraph));
}

static jint invoke(JNIEnv* env, jclass kind, jlong number, jint subgraph) {
    (void)env;
    (void)kind;
    TfLiteInterpreter* interpreter = interpreter_of(number);
    return (jint)(subgraph == 0 ? TfLiteInterpreterInvoke(interpreter)
                                : oclite_graph_invoke(interpreter, subgraph));
}

static jint reset_variables(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return (jint)TfLiteInterpreterResetVariableTensors(interpreter_of(number));
}

// The address of a tensor; 0 where there is none. It is valid as long as no tensors are added.
static jlong tensor(JNIEnv* env, jclass kind, jlong number, jint subgraph, jint index) {
    (void)env;
    (void)kind;
    return lite_jni_number(oclite_interpreter_tensor(interpreter_of(number), subgraph, index));
}

static jint signature_count(JNIEnv* env, jclass kind, jlong number) {
    (void)env;
    (void)kind;
    return TfLiteInterpreterGetSignatureCount(interpreter_of(number));
}

static jbyteArray signature_key(JNIEnv* env, jclass kind, jlong number, jint signature) {
    (void)kind;
    return lite_jni_new_text(env, TfLiteInterpreterGetSignatureKey(interpreter_of(number), signature));
}

static jint signature_subgraph(JNIEnv* env, jclass kind, jlong number, jint signature) {
    (void)env;
    (void)kind;
    return oclite_interpreter_signature_subgraph(interpreter_of(number), signature);
}

static TfLiteSignatureRunner* runner_of(jlong number, jint signature) {
    TfLiteInterpreter* interpreter = interpreter_of(number);
    return TfLiteInterpreterGetSignatureRunner(interpreter,
                                               TfLiteInterpreterGetSignatureKey(interpreter, signature));
}

static int end_count(const TfLiteSignatureRunner* runner, bool is_output) {
    return (int)(is_output ? TfLiteSignatureRunnerGetOutputCount(runner)
                           : TfLiteSignatureRunnerGetInputCount(runner));
}

static const char* end_name(const TfLiteSignatureRunner* runner, int index, bool is_output) {
    return is_output ? TfLiteSignatureRunnerGetOutputName(runner, index)
                     : TfLiteSignatureRunnerGetInputName(runner, index);
}

static jobjectArray signature_names(JNIEnv* env, jclass kind, jlong number, jint signature,
                                    jboolean is_output) {
    (void)kind;
    TfLiteSignatureRunner* runner = runner_of(number, signature);
    const int count = runner == NULL ? 0 : end_count(runner, is_output);
    const jobjectArray names = lite_jni_new_bytes_array(env, count);
    jboolean is_stored = names != NULL;
    for (int i = 0; is_stored && i < count; i++) {
        const jbyteArray name = lite_jni_new_text(env, end_name(runner, i, is_output));
        is_stored = lite_jni_store_bytes(env, names, i, name);
    }
    TfLiteSignatureRunnerDelete(runner);
    return is_stored ? names : NULL;
}

// The indices of the tensors with these names in their subgraph; -1 for none.
static jintArray signature_tensors(JNIEnv* env, jclass kind, jlong number, jint signature,
                                   jboolean is_output) {
    (void)kind;
    TfLiteInterpreter* interpreter = interpreter_of(number);
    const int subgraph = oclite_interpreter_signature_subgraph(interpreter, signature);
    const TfLiteTensor* first = oclite_interpreter_tensor(interpreter, subgraph, 0);
    TfLiteSignatureRunner* runner = runner_of(number, signature);
    const int count = runner == NULL ? 0 : end_count(runner, is_output);
    const jintArray indices = (*env)->NewIntArray(env, count);
    for (int i = 0; indices != NULL && i < count; i++) {
        const char* name = end_name(runner, i, is_output);
        const TfLiteTensor* found = is_output ? TfLiteSignatureRunnerGetOutputTensor(runner, name)
                                              : TfLiteSignatureRunnerGetInputTensor(runner, name);
        const jint index = found == NULL ? -1 : (jint)(found - first);
        (*env)->SetIntArrayRegion(env, indices, i, 1, &index);
    }
    TfLiteSignatureRunnerDelete(runner);
    return indices;
}

LiteJniMethods lite_jni_graph_methods(void) {
    static const JNINativeMethod methods[] = {
        LITE_JNI_METHOD("subgraphEnds", "(JIZ)[I", subgraph_ends),
        LITE_JNI_METHOD("resize", "(JII[I)I", resize),
        LITE_JNI_METHOD("allocate", "(JI)I", allocate),
        LITE_JNI_METHOD("invoke", "(JI)I", invoke),
        LITE_JNI_METHOD("resetVariables", "(J)I", reset_variables),
        LITE_JNI_METHOD("tensor", "(JII)J", tensor),
        LITE_JNI_METHOD("signatureCount", "(J)I", signature_count),
        LITE_JNI_METHOD("signatureKey", "(JI)[B", signature_key),
        LITE_JNI_METHOD("signatureSubgraph", "(JI)I", signature_subgraph),
        LITE_JNI_METHOD("signatureNames", "(JIZ)[[B", signature_names),
        LITE_JNI_METHOD("signatureTensors", "(JIZ)[I", signature_tensors),
    };
    return (LiteJniMethods){methods, LITE_JNI_COUNT(methods)};
}
