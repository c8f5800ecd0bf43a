// SPDX-License-Identifier: Apache-2.0
// Every spelling that programs use beside today's, in what C99, C11 and C++ have in common: compiled as each
// of them, without warnings.
#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"

int main(void) {
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Name", 1);
    TfLiteOperatorDelete(op);
    op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Name", 1, NULL);
    TfLiteRegistrationExternal* same = op;
    TfLiteRegistrationExternalDelete(same);

    const TfLiteOpaqueTensor* opaque = NULL;
    TfLiteOpaqueTensor* writable = NULL;
    const TfLiteTensor* plain = NULL;
    TfLiteTensor* writable_plain = NULL;
    TfLiteType type = TfLiteTensorType(opaque);
    type = TfLiteTensorType(writable);
    type = TfLiteTensorType(plain);
    type = TfLiteTensorType(writable_plain);
    void* data = TfLiteTensorData(opaque);
    data = TfLiteTensorData(writable);
    data = TfLiteTensorData(plain);
    data = TfLiteTensorData(writable_plain);
    const TfLiteAllocationType allocation = TfLiteTensorGetAllocationType(writable);
    const int dims = TfLiteOpaqueTensorNumDimensions(opaque);
    const int nodes = TfLiteOpaqueNodeNumInputs(NULL) + TfLiteOpaqueNodeNumOutputs(NULL);

    // Taking addresses works as with any function.
    const char* (*version)(void) = TfLiteVersion;
    TfLiteOperator* (*create)(TfLiteBuiltinOperator, const char*, int, void*) = TfLiteOperatorCreate;
    void* (*tensor_data)(const TfLiteTensor*) = TfLiteTensorData;

    const uint64_t most = kTfLiteInplaceOpMaxValue;
    const size_t none = kTfLiteNoBufferIdentifier;
    return type == kTfLiteNoType && data == NULL && allocation == kTfLiteMemNone && dims == -1 &&
                   nodes == 0 && version != NULL && create != NULL && tensor_data != NULL &&
                   most > none - 1 && kTfLiteMaxSharableOpInputs == 3 && kTfLiteOptionalTensor == -1
               ? 0
               : 1;
}
