// SPDX-License-Identifier: Apache-2.0
// Reads FlatBuffers that nobody has verified: every access is checked. What leads outside, or is more than
// any honest file holds, makes the reader `broken`, and everything read from then on is absent.
#ifndef TOOLS_INFO_FLAT_H_
#define TOOLS_INFO_FLAT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FlatReader {
    const uint8_t* data;
    size_t size;
    int tables;       // visited
    size_t text_read; // bytes
    bool broken;
} FlatReader;

// Offsets in the data, 0: absent.
typedef struct FlatTable {
    size_t at;
    size_t fields; // the list of offsets
} FlatTable;

typedef struct FlatVector {
    size_t at; // of the first element
    uint32_t count;
} FlatVector;

// The root table. `identifier` has 4 characters; NULL: any.
FlatTable flat_root(FlatReader* reader, const char* identifier);
FlatTable flat_child(FlatReader* reader, FlatTable table, int id);
// A vector of elements of `width` bytes; offsets to tables have 4.
FlatVector flat_vector(FlatReader* reader, FlatTable table, int id, size_t width);
uint32_t flat_number_at(FlatReader* reader, FlatVector numbers, uint32_t index); // of 4 bytes
uint32_t flat_number(FlatReader* reader, FlatTable table, int id,
                     size_t width); // 1 to 4 bytes; 0 when absent
// A copy, which the caller frees; NULL when absent, empty, or memory ran out.
char* flat_text(FlatReader* reader, FlatTable table, int id);

#endif
