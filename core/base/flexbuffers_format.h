// SPDX-License-Identifier: Apache-2.0
// The codes of the FlexBuffers format, which is in short: a buffer ends with the root value, one byte with
// its packed type and one byte with its size. A packed type is (type << 2 | log2 of the width of what it
// leads to). Numbers are stored in place; everything else as an unsigned distance back from where the
// distance is stored. A vector is preceded by its length, unless its type fixes that, and followed by one
// packed type per element, unless its type fixes those. A map is a vector of values preceded by the distance
// to, and the width of, its vector of sorted keys.
#ifndef CORE_BASE_FLEXBUFFERS_FORMAT_H_
#define CORE_BASE_FLEXBUFFERS_FORMAT_H_

enum {
    kFlexTypeNull = 0,
    kFlexTypeInt = 1,
    kFlexTypeUInt = 2,
    kFlexTypeFloat = 3,
    kFlexTypeKey = 4,
    kFlexTypeString = 5,
    kFlexTypeIndirectInt = 6,
    kFlexTypeIndirectUInt = 7,
    kFlexTypeIndirectFloat = 8,
    kFlexTypeMap = 9,
    kFlexTypeVector = 10,
    kFlexTypeVectorInt = 11, // then of the other types up to strings, in their order
    kFlexTypeVectorKey = 14,
    kFlexTypeVectorString = 15, // does not tell the width of the strings' lengths: they are read as keys
    kFlexTypeVectorInt2 = 16,   // int, uint and float pairs, then triples, then quadruples
    kFlexTypeVectorFloat4 = 24,
    kFlexTypeBlob = 25,
    kFlexTypeBool = 26,
    kFlexTypeVectorBool = 36,
};

#endif
