// SPDX-License-Identifier: Apache-2.0
#include "core/base/output_type.h"

#include <string.h>

#include "core/base/types.h"
#include "tensorflow/lite/builtin_ops.h"

// A letter for each output, the last one for all further outputs too: the number of an input, the parameters
// (p), FLOAT32 (f), INT32 (i), INT64 (l), BOOL (b) or COMPLEX64 (c).
static const char* const rules[] = {
    [kTfLiteBuiltinAdd] = "1",
    [kTfLiteBuiltinAddN] = "0",
    [kTfLiteBuiltinArgMax] = "p",
    [kTfLiteBuiltinArgMin] = "p",
    [kTfLiteBuiltinBitwiseXor] = "0",
    [kTfLiteBuiltinBucketize] = "i",
    [kTfLiteBuiltinCeil] = "0",
    [kTfLiteBuiltinDensify] = "0",
    [kTfLiteBuiltinDequantize] = "f",
    [kTfLiteBuiltinDiv] = "1",
    [kTfLiteBuiltinDynamicUpdateSlice] = "0",
    [kTfLiteBuiltinEqual] = "b",
    [kTfLiteBuiltinExp] = "0",
    [kTfLiteBuiltinExpandDims] = "0",
    [kTfLiteBuiltinFakeQuant] = "0",
    [kTfLiteBuiltinFill] = "1",
    [kTfLiteBuiltinFloor] = "0",
    [kTfLiteBuiltinFloorDiv] = "1",
    [kTfLiteBuiltinFloorMod] = "1",
    [kTfLiteBuiltinGather] = "0",
    [kTfLiteBuiltinGatherNd] = "0",
    [kTfLiteBuiltinGreater] = "b",
    [kTfLiteBuiltinGreaterEqual] = "b",
    [kTfLiteBuiltinLess] = "b",
    [kTfLiteBuiltinLessEqual] = "b",
    [kTfLiteBuiltinLogicalAnd] = "b",
    [kTfLiteBuiltinLogicalOr] = "b",
    [kTfLiteBuiltinMatrixDiag] = "0",
    [kTfLiteBuiltinMatrixSetDiag] = "0",
    [kTfLiteBuiltinMaximum] = "0",
    [kTfLiteBuiltinMinimum] = "0",
    [kTfLiteBuiltinNeg] = "0",
    [kTfLiteBuiltinNonMaxSuppressionV4] = "i",
    [kTfLiteBuiltinNonMaxSuppressionV5] = "ifi",
    [kTfLiteBuiltinNotEqual] = "b",
    [kTfLiteBuiltinOneHot] = "2",
    [kTfLiteBuiltinPow] = "1",
    [kTfLiteBuiltinPrelu] = "0",
    [kTfLiteBuiltinRange] = "0",
    [kTfLiteBuiltinRank] = "i",
    [kTfLiteBuiltinResizeBilinear] = "0",
    [kTfLiteBuiltinResizeNearestNeighbor] = "0",
    [kTfLiteBuiltinRfft2d] = "c",
    [kTfLiteBuiltinRightShift] = "0",
    [kTfLiteBuiltinRound] = "0",
    [kTfLiteBuiltinScatterNd] = "1",
    [kTfLiteBuiltinSelect] = "1",
    [kTfLiteBuiltinSelectV2] = "1",
    [kTfLiteBuiltinShape] = "p",
    [kTfLiteBuiltinSparseToDense] = "2",
    [kTfLiteBuiltinSplit] = "1",
    [kTfLiteBuiltinSplitV] = "0",
    [kTfLiteBuiltinSquaredDifference] = "1",
    [kTfLiteBuiltinStablehloShiftLeft] = "0",
    [kTfLiteBuiltinSub] = "1",
    [kTfLiteBuiltinWhere] = "l",
    [kTfLiteBuiltinZerosLike] = "0",
};
enum { kRuleCount = sizeof rules / sizeof rules[0] };

static const char* rule_of(int builtin_code, const char* custom_name) {
    if (builtin_code == kTfLiteBuiltinCustom) {
        const bool gives_floats =
            custom_name != NULL && (strcmp(custom_name, "TFLite_Detection_PostProcess") == 0 ||
                                    strcmp(custom_name, "NumericVerify") == 0);
        return gives_floats ? "f" : NULL;
    }
    return builtin_code >= 0 && builtin_code < kRuleCount ? rules[builtin_code] : NULL;
}

static LiteOutputType fixed(TfLiteType type) {
    return (LiteOutputType){kLiteTypeFixed, type};
}

LiteOutputType lite_output_type(int builtin_code, const char* custom_name, int index) {
    const char* rule = rule_of(builtin_code, custom_name);
    if (rule == NULL) return (LiteOutputType){.source = kLiteTypeDeclared};
    const int last = (int)strlen(rule) - 1;
    const char letter = rule[index < last ? index : last];
    switch (letter) {
    case 'p':
        return (LiteOutputType){.source = kLiteTypeOfParameters};
    case 'f':
        return fixed(kTfLiteFloat32);
    case 'i':
        return fixed(kTfLiteInt32);
    case 'l':
        return fixed(kTfLiteInt64);
    case 'b':
        return fixed(kTfLiteBool);
    case 'c':
        return fixed(kTfLiteComplex64);
    default:
        return (LiteOutputType){.source = letter - '0'};
    }
}

TfLiteType lite_output_type_given(LiteOutputType from, TfLiteType input, const void* params) {
    TfLiteType type = from.source == kLiteTypeFixed ? from.type : kTfLiteNoType;
    if (from.source >= 0) type = input;
    if (from.source == kLiteTypeOfParameters && params != NULL) memcpy(&type, params, sizeof type);
    const unsigned with_contents =
        LITE_TYPES_FIXED | LITE_TYPE(String) | LITE_TYPE(Int4) | LITE_TYPE(UInt4) | LITE_TYPE(Int2);
    return lite_types_contain(with_contents, type) ? type : kTfLiteNoType;
}
