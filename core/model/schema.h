// SPDX-License-Identifier: Apache-2.0
// The .tflite schema as far as the loader reads it: field ids, and the descriptors that the verifier walks.
#ifndef CORE_MODEL_SCHEMA_H_
#define CORE_MODEL_SCHEMA_H_

#include "core/model/options_tables.h"

#define LITE_SCHEMA_IDENTIFIER "TFL3"
#define LITE_SCHEMA_VERSION 3

enum {
    kModelVersion,
    kModelOperatorCodes,
    kModelSubgraphs,
    kModelDescription,
    kModelBuffers,
    kModelMetadataBuffer,
    kModelMetadata,
    kModelSignatureDefs,
    kModelExternalBufferGroups,
    kModelExternalBuffers,
};

enum {
    kOperatorCodeDeprecatedBuiltinCode,
    kOperatorCodeCustomCode,
    kOperatorCodeVersion,
    kOperatorCodeBuiltinCode,
};

enum {
    kSubGraphTensors,
    kSubGraphInputs,
    kSubGraphOutputs,
    kSubGraphOperators,
    kSubGraphName,
    kSubGraphDebugMetadataIndex,
};

enum {
    kTensorShape,
    kTensorType,
    kTensorBuffer,
    kTensorName,
    kTensorQuantization,
    kTensorIsVariable,
    kTensorSparsity,
    kTensorShapeSignature,
    kTensorHasRank,
    kTensorVariantTensors,
    kTensorExternalBuffer,
};

enum {
    kOperatorOpcodeIndex,
    kOperatorInputs,
    kOperatorOutputs,
    kOperatorBuiltinOptionsType,
    kOperatorBuiltinOptions,
    kOperatorCustomOptions,
    kOperatorCustomOptionsFormat,
    kOperatorMutatingVariableInputs,
    kOperatorIntermediates,
    kOperatorLargeCustomOptionsOffset,
    kOperatorLargeCustomOptionsSize,
    kOperatorBuiltinOptions2Type,
    kOperatorBuiltinOptions2,
    kOperatorDebugMetadataIndex,
};

enum {
    kQuantizationMin,
    kQuantizationMax,
    kQuantizationScale,
    kQuantizationZeroPoint,
    kQuantizationDetailsType,
    kQuantizationDetails,
    kQuantizationQuantizedDimension,
};

enum { // values of kQuantizationDetailsType
    kDetailsNone,
    kDetailsCustom,
    kDetailsBlockwise,
    kDetailsMultiAxis,
};

enum { // of BlockwiseQuantization and MultiAxisQuantization
    kBlockwiseScales,
    kBlockwiseZeroPoints,
    kBlockwiseBlockSize,
    kMultiAxisQuantizedDimensions,
};

enum {
    kSparsityTraversalOrder,
    kSparsityBlockMap,
    kSparsityDimMetadata,
};

enum {
    kDimensionFormat,
    kDimensionDenseSize,
    kDimensionArraySegmentsType,
    kDimensionArraySegments,
    kDimensionArrayIndicesType,
    kDimensionArrayIndices,
};

enum { // values of kDimensionArraySegmentsType and kDimensionArrayIndicesType; the vector is field 0
    kSparseIndexNone,
    kSparseIndexInt32,
    kSparseIndexUint16,
    kSparseIndexUint8,
};

enum {
    kBufferData,
    kBufferOffset,
    kBufferSize,
};

enum {
    kMetadataName,
    kMetadataBuffer,
};

enum {
    kTensorMapName,
    kTensorMapTensorIndex,
};

enum {
    kSignatureInputs,
    kSignatureOutputs,
    kSignatureKey,
    kSignatureDeprecatedTag,
    kSignatureSubgraphIndex,
};

extern const LiteFlatSchema lite_schema_model;

// The code of a table OperatorCode, which stores it twice. Old files have only the byte. New files have 127
// there for codes that do not fit. The greater of the two counts.
int lite_schema_builtin_code(LiteFlatTable code);

#endif
