// SPDX-License-Identifier: Apache-2.0
// Custom operators: those of native libraries, and those whose functions are methods of a Java object.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bindings/java/jni/arrays.h"
#include "bindings/java/jni/methods.h"
#include "bindings/java/jni/session.h"
#include "oclite/operators.h"
#include "tensorflow/lite/c/c_api_opaque.h"

// An operator of the C API that calls a Java object.
typedef struct JavaOperator {
    TfLiteOperator* op;
    char* name;
    JavaVM* machine;
    jobject binding; // a global reference to an OperatorBinding
    jmethodID call;
} JavaOperator;

// Returns the environment of this thread, which is attached for as long as *is_attached asks for it to be
// released.
static JNIEnv* attach(JavaVM* machine, bool* is_attached) {
    void* env = NULL;
    *is_attached = false;
    if ((*machine)->GetEnv(machine, &env, JNI_VERSION_1_8) == JNI_OK) return env;
    if ((*machine)->AttachCurrentThreadAsDaemon(machine, &env, NULL) != JNI_OK) return NULL;
    *is_attached = true;
    return env;
}

// The object catches what its operator throws. Should an exception come through all the same (no memory, no
// stack), it stays pending until the method of Java that has led here returns.
static TfLiteStatus call_java(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                              jboolean is_invoke) {
    const JavaOperator* made = user_data;
    bool is_attached;
    JNIEnv* env = attach(made->machine, &is_attached);
    if (env == NULL) return kTfLiteError;
    TfLiteStatus status = kTfLiteError;
    if (!(*env)->ExceptionCheck(env)) {
        const jboolean is_done = (*env)->CallBooleanMethod(env, made->binding, made->call, is_invoke,
                                                           lite_jni_number(context), lite_jni_number(node));
        if (!(*env)->ExceptionCheck(env) && is_done) status = kTfLiteOk;
    }
    if (is_attached) (*made->machine)->DetachCurrentThread(made->machine);
    return status;
}

static TfLiteStatus prepare(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return call_java(user_data, context, node, JNI_FALSE);
}

static TfLiteStatus invoke(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return call_java(user_data, context, node, JNI_TRUE);
}

static void delete_operator(JNIEnv* env, jclass kind, jlong number) {
    (void)kind;
    JavaOperator* made = lite_jni_address(number);
    if (made == NULL) return;
    TfLiteOperatorDelete(made->op);
    if (made->binding != NULL) (*env)->DeleteGlobalRef(env, made->binding);
    free(made->name);
    free(made);
}

// Stores the method of the object that the operator calls. Returns false with an exception pending.
static jboolean bind(JNIEnv* env, jobject binding, JavaOperator* made) {
    const jclass its_class = (*env)->GetObjectClass(env, binding);
    made->call = (*env)->GetMethodID(env, its_class, "call", "(ZJJ)Z");
    (*env)->DeleteLocalRef(env, its_class);
    if (made->call == NULL) return JNI_FALSE;
    made->binding = (*env)->NewGlobalRef(env, binding);
    if (made->binding != NULL && (*env)->GetJavaVM(env, &made->machine) == JNI_OK) return JNI_TRUE;
    lite_jni_out_of_memory(env);
    return JNI_FALSE;
}

static jlong create_operator(JNIEnv* env, jclass kind, jbyteArray name, jint version, jobject binding) {
    JavaOperator* made = calloc(1, sizeof *made);
    if (made == NULL) {
        lite_jni_out_of_memory(env);
        return 0;
    }
    if (bind(env, binding, made)) made->name = lite_jni_copy_bytes(env, name);
    if (made->name != NULL) {
        made->op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, made->name, version, made);
        if (made->op != NULL && TfLiteOperatorSetPrepareWithData(made->op, prepare) == kTfLiteOk &&
            TfLiteOperatorSetInvokeWithData(made->op, invoke) == kTfLiteOk)
            return lite_jni_number(made);
        lite_jni_out_of_memory(env);
    }
    delete_operator(env, kind, lite_jni_number(made));
    return 0;
}

static void add_java_operator(JNIEnv* env, jclass kind, jlong session, jlong number) {
    (void)env;
    (void)kind;
    const JavaOperator* made = lite_jni_address(number);
    TfLiteInterpreterOptionsAddOperator(((LiteJniSession*)lite_jni_address(session))->options, made->op);
}

// ---- Libraries ----

// Stores why a function was not found in error[0].
static void store_error(JNIEnv* env, jobjectArray error) {
    const jbyteArray why = lite_jni_new_text(env, dlerror());
    if (why != NULL) lite_jni_store_bytes(env, error, 0, why);
}

// The address of a library's function; 0 after error[0] has been set. The library stays loaded: nobody can
// tell whether it may go.
static jlong library_symbol(JNIEnv* env, jclass kind, jbyteArray path, jbyteArray symbol,
                            jobjectArray error) {
    (void)kind;
    char* file = lite_jni_copy_bytes(env, path);
    char* name = file == NULL ? NULL : lite_jni_copy_bytes(env, symbol);
    void* found = NULL;
    if (name != NULL) {
        void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) found = dlsym(library, name);
        if (found == NULL) store_error(env, error);
    }
    free(file);
    free(name);
    return lite_jni_number(found);
}

// Calls a function that returns an operator, and stores the operator's name in name[0], nothing for one
// without a name.
static jlong library_operator(JNIEnv* env, jclass kind, jlong function, jobjectArray name) {
    (void)kind;
    TfLiteOperator* op = ((TfLiteOperator * (*)(void)) lite_jni_address(function))();
    const char* its_name = op == NULL ? NULL : TfLiteOperatorGetCustomName(op);
    if (its_name == NULL) return 0;
    return lite_jni_store_bytes(env, name, 0, lite_jni_new_text(env, its_name)) ? lite_jni_number(op) : 0;
}

static void add_operator(JNIEnv* env, jclass kind, jlong session, jlong op) {
    (void)env;
    (void)kind;
    TfLiteInterpreterOptionsAddOperator(((LiteJniSession*)lite_jni_address(session))->options,
                                        lite_jni_address(op));
}

// Calls a function that adds operators (oclite/operators.h).
static jint add_operators(JNIEnv* env, jclass kind, jlong session, jlong function) {
    (void)env;
    (void)kind;
    return (jint)((OcliteAddOperators)lite_jni_address(function))(
        ((LiteJniSession*)lite_jni_address(session))->options);
}

// ---- Nodes of operators in Java: valid during their calls ----

static jint node_count(JNIEnv* env, jclass kind, jlong node, jboolean is_output) {
    (void)env;
    (void)kind;
    return is_output ? TfLiteOpaqueNodeNumberOfOutputs(lite_jni_address(node))
                     : TfLiteOpaqueNodeNumberOfInputs(lite_jni_address(node));
}

// The address of a tensor; 0 for an absent input.
static jlong node_tensor(JNIEnv* env, jclass kind, jlong context, jlong node, jint index,
                         jboolean is_output) {
    (void)env;
    (void)kind;
    return lite_jni_number(
        is_output ? TfLiteOpaqueNodeGetOutput(lite_jni_address(context), lite_jni_address(node), index)
                  : TfLiteOpaqueNodeGetInput(lite_jni_address(context), lite_jni_address(node), index));
}

static jbyteArray node_options(JNIEnv* env, jclass kind, jlong node) {
    (void)kind;
    const void* options = NULL;
    int length = 0;
    if (TfLiteOpaqueNodeGetCustomInitialData(lite_jni_address(node), &options, &length) != kTfLiteOk ||
        options == NULL)
        length = 0;
    return lite_jni_new_bytes(env, options, length > 0 ? (size_t)length : 0);
}

static jint resize_output(JNIEnv* env, jclass kind, jlong context, jlong tensor, jintArray dims) {
    (void)kind;
    const jsize rank = (*env)->GetArrayLength(env, dims);
    TfLiteIntArray* lengths = TfLiteIntArrayCreate(rank);
    if (lengths == NULL) {
        lite_jni_out_of_memory(env);
        return kTfLiteError;
    }
    if (rank > 0) (*env)->GetIntArrayRegion(env, dims, 0, rank, lengths->data);
    return (jint)TfLiteOpaqueContextResizeTensor(lite_jni_address(context), lite_jni_address(tensor),
                                                 lengths);
}

LiteJniMethods lite_jni_operator_methods(void) {
    static const JNINativeMethod methods[] = {
        LITE_JNI_METHOD("operatorCreate", "([BILorg/oclite/OperatorBinding;)J", create_operator),
        LITE_JNI_METHOD("operatorDelete", "(J)V", delete_operator),
        LITE_JNI_METHOD("operatorAddJava", "(JJ)V", add_java_operator),
        LITE_JNI_METHOD("librarySymbol", "([B[B[[B)J", library_symbol),
        LITE_JNI_METHOD("libraryOperator", "(J[[B)J", library_operator),
        LITE_JNI_METHOD("operatorAdd", "(JJ)V", add_operator),
        LITE_JNI_METHOD("operatorAddAll", "(JJ)I", add_operators),
        LITE_JNI_METHOD("nodeCount", "(JZ)I", node_count),
        LITE_JNI_METHOD("nodeTensor", "(JJIZ)J", node_tensor),
        LITE_JNI_METHOD("nodeOptions", "(J)[B", node_options),
        LITE_JNI_METHOD("nodeResizeOutput", "(JJ[I)I", resize_output),
    };
    return (LiteJniMethods){methods, LITE_JNI_COUNT(methods)};
}
