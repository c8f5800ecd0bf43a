// SPDX-License-Identifier: Apache-2.0
#include "extensions/common/operator.h"

#include <stdarg.h>
#include <stdlib.h>

static TfLiteOperator* make_operator(const LiteExtensionOperator* source) {
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, source->name, 1);
    if (op == NULL) return NULL;
    TfLiteOperatorSetInit(op, source->init);
    TfLiteOperatorSetFree(op, source->free);
    TfLiteOperatorSetPrepare(op, source->prepare);
    TfLiteOperatorSetInvoke(op, source->invoke);
    return op;
}

TfLiteOperator* lite_extension_operator(LiteExtensionSet* set, int index) {
    if (index < 0 || index >= set->count) return NULL;
    TfLiteOperator* made = atomic_load(&set->made[index]);
    if (made != NULL) return made;
    TfLiteOperator* op = make_operator(set->sources[index]);
    // Another thread may be first. A lock would stay locked in a child that is forked meanwhile.
    if (op == NULL || atomic_compare_exchange_strong(&set->made[index], &made, op)) return op;
    TfLiteOperatorDelete(op);
    return made;
}

TfLiteStatus lite_extension_add(LiteExtensionSet* set, TfLiteInterpreterOptions* options) {
    if (options == NULL) return kTfLiteError;
    for (int i = 0; i < set->count; i++) {
        TfLiteOperator* op = lite_extension_operator(set, i);
        if (op == NULL) return kTfLiteError;
        TfLiteInterpreterOptionsAddOperator(options, op);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_extension_fail(TfLiteOpaqueContext* context, const char* format, ...) {
    va_list args;
    va_start(args, format);
    TfLiteOpaqueContextReportErrorVa(context, format, args);
    va_end(args);
    return kTfLiteError;
}

static TfLiteStatus check_type(TfLiteOpaqueContext* context, const char* op, const char* what,
                               const TfLiteOpaqueTensor* tensor, TfLiteType type) {
    if (tensor == NULL) return lite_extension_fail(context, "%s: no %s", op, what);
    const TfLiteType found = TfLiteOpaqueTensorType(tensor);
    if (found == type) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %s of type %s, expected %s", op, what, TfLiteTypeGetName(found),
                               TfLiteTypeGetName(type));
}

TfLiteStatus lite_extension_check_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                        const char* what, int index, TfLiteType type) {
    return check_type(context, op, what, TfLiteOpaqueNodeGetInput(context, node, index), type);
}

TfLiteStatus lite_extension_check_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                         const char* what, int index, TfLiteType type) {
    return check_type(context, op, what, TfLiteOpaqueNodeGetOutput(context, node, index), type);
}

TfLiteStatus lite_extension_set_shape(TfLiteOpaqueContext* context, const char* op,
                                      TfLiteOpaqueTensor* tensor, int rank, const int64_t* dims) {
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0 || dims[i] > INT32_MAX) {
            return lite_extension_fail(context, "%s: a dimension of %lld", op, (long long)dims[i]);
        }
    }
    TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
    if (shape == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    for (int i = 0; i < rank; i++) shape->data[i] = (int)dims[i];
    return TfLiteOpaqueContextResizeTensor(context, tensor, shape); // takes the array over
}

TfLiteStatus lite_extension_resize(TfLiteOpaqueContext* context, const char* op, TfLiteOpaqueTensor* tensor,
                                   const TfLiteOpaqueTensor* from, int kept, int64_t last) {
    if (last < 0 || last > INT32_MAX) {
        return lite_extension_fail(context, "%s: a dimension of %lld", op, (long long)last);
    }
    TfLiteIntArray* shape = TfLiteIntArrayCreate(kept + 1);
    if (shape == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    for (int i = 0; i < kept; i++) shape->data[i] = TfLiteOpaqueTensorDim(from, i);
    shape->data[kept] = (int)last;
    return TfLiteOpaqueContextResizeTensor(context, tensor, shape); // takes the array over
}

int64_t lite_extension_elements(const TfLiteOpaqueTensor* tensor, int rank) {
    int64_t count = 1;
    bool none = false;
    for (int i = 0; i < rank; i++) {
        const int32_t length = TfLiteOpaqueTensorDim(tensor, i);
        none = none || length <= 0;
        if (!none && count < INT32_MAX) count *= length;
    }
    return none ? 0 : count < INT32_MAX ? count : INT32_MAX;
}

int64_t lite_extension_integer(const TfLiteOpaqueTensor* tensor, int64_t index) {
    const void* data = TfLiteOpaqueTensorData(tensor);
    const bool wide = TfLiteOpaqueTensorType(tensor) == kTfLiteInt64;
    return wide ? ((const int64_t*)data)[index] : ((const int32_t*)data)[index];
}

TfLiteStatus lite_extension_string_count(TfLiteOpaqueContext* context, const char* op,
                                         const TfLiteOpaqueTensor* tensor, int* count) {
    const int64_t elements = lite_extension_elements(tensor, TfLiteOpaqueTensorNumDims(tensor));
    *count = TfLiteOpaqueTensorGetStringCount(tensor);
    if (*count == elements) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %d strings in a tensor of %lld elements", op, *count,
                               (long long)elements);
}

TfLiteStatus lite_extension_string(TfLiteOpaqueContext* context, const char* op,
                                   const TfLiteOpaqueTensor* tensor, int index, const char** text,
                                   int* length) {
    if (TfLiteOpaqueTensorGetString(tensor, index, text, length) == kTfLiteOk) return kTfLiteOk;
    return lite_extension_fail(context, "%s: string %d lies outside its tensor", op, index);
}

TfLiteStatus lite_extension_strings_create(TfLiteOpaqueContext* context, const char* op, int64_t count,
                                           LiteExtensionStrings* list) {
    *list = (LiteExtensionStrings){0};
    // The format has 32 bits for the offset of a string in its tensor.
    if (count > INT32_MAX / (int64_t)sizeof(int32_t)) {
        return lite_extension_fail(context, "%s: %lld strings are too many for a tensor", op,
                                   (long long)count);
    }
    list->texts = calloc((size_t)count + 1, sizeof(*list->texts));
    list->lengths = calloc((size_t)count + 1, sizeof(*list->lengths));
    list->count = (int)count;
    if (list->texts != NULL && list->lengths != NULL) return kTfLiteOk;
    return lite_extension_fail(context, "%s: out of memory for %lld strings", op, (long long)count);
}

void lite_extension_strings_free(LiteExtensionStrings* list) {
    free(list->texts);
    free(list->lengths);
}

TfLiteStatus lite_extension_strings_write(TfLiteOpaqueContext* context, const char* op,
                                          const LiteExtensionStrings* list, TfLiteOpaqueTensor* tensor) {
    if (TfLiteOpaqueTensorWriteStrings(tensor, list->texts, list->count, list->lengths) == kTfLiteOk) {
        return kTfLiteOk;
    }
    return lite_extension_fail(context, "%s: no memory for %d strings, or more than 2 GiB of them", op,
                               list->count);
}
