// SPDX-License-Identifier: Apache-2.0
// TfLiteBackendBuffer* and TfLiteSynchronization*: wrappers around pointers of other systems.
#include "core/base/async.h"
#include "core/base/memory.h"

#define DEFINE_WRAPPER(Type)                                                                                 \
    Type* Type##Create(void) {                                                                               \
        return lite_calloc(1, sizeof(Type));                                                                 \
    }                                                                                                        \
                                                                                                             \
    void Type##Delete(Type* wrapper) {                                                                       \
        lite_free(wrapper);                                                                                  \
    }                                                                                                        \
                                                                                                             \
    void Type##SetPtr(Type* wrapper, void* ptr) {                                                            \
        if (wrapper) wrapper->pointer = ptr;                                                                 \
    }                                                                                                        \
                                                                                                             \
    void* Type##GetPtr(const Type* wrapper) {                                                                \
        return wrapper ? wrapper->pointer : NULL;                                                            \
    }

DEFINE_WRAPPER(TfLiteBackendBuffer)
DEFINE_WRAPPER(TfLiteSynchronization)
