// SPDX-License-Identifier: Apache-2.0
// The native methods of the class org.oclite.Native, a table for each file. JNI_OnLoad (load.c) registers
// them.
//
// Objects of the C API are numbers (jlong) in Java: their addresses, 0 for NULL. The methods trust them: the
// Java classes hand in nothing else, and nothing that was deleted. A method that finds an exception pending
// (memory has run out) returns at once.
#ifndef BINDINGS_JAVA_JNI_METHODS_H_
#define BINDINGS_JAVA_JNI_METHODS_H_

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LiteJniMethods {
    const JNINativeMethod* methods;
    int count;
} LiteJniMethods;

LiteJniMethods lite_jni_session_methods(void);
LiteJniMethods lite_jni_graph_methods(void);
LiteJniMethods lite_jni_tensor_methods(void);
LiteJniMethods lite_jni_operator_methods(void);
LiteJniMethods lite_jni_delegate_methods(void);

// A row of a table: the name in Java, its signature in JNI's notation, and the function.
#define LITE_JNI_METHOD(name, signature, function)                                                           \
    { (char*)(name), (char*)(signature), (void*)(function) }
#define LITE_JNI_COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

// Addresses as numbers, and back.
static inline jlong lite_jni_number(const void* address) {
    return (jlong)(intptr_t)address;
}
static inline void* lite_jni_address(jlong number) {
    return (void*)(intptr_t)number;
}

#endif
