// SPDX-License-Identifier: Apache-2.0
// What the Java machine calls when it loads the library, the only function that the library exports.
#include "bindings/java/jni/methods.h"

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* machine, void* reserved) {
    (void)reserved;
    void* place = NULL;
    if ((*machine)->GetEnv(machine, &place, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
    JNIEnv* env = place;
    const jclass native = (*env)->FindClass(env, "org/oclite/Native");
    if (native == NULL) return JNI_ERR;
    const LiteJniMethods tables[] = {lite_jni_session_methods(), lite_jni_graph_methods(),
                                     lite_jni_tensor_methods(), lite_jni_operator_methods(),
                                     lite_jni_delegate_methods()};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if ((*env)->RegisterNatives(env, native, tables[i].methods, tables[i].count) != JNI_OK)
            return JNI_ERR;
    }
    (*env)->DeleteLocalRef(env, native);
    return JNI_VERSION_1_8;
}
