// SPDX-License-Identifier: Apache-2.0
#include "tools/info/flat.h"

#include <stdlib.h>
#include <string.h>

// Tables and texts may be shared, so a small file can describe a walk and texts without end.
enum { kMaxTables = 10000, kMaxText = 1 << 20 };

static bool fits(FlatReader* reader, size_t at, size_t bytes) {
    if (!reader->broken && (at > reader->size || bytes > reader->size - at)) reader->broken = true;
    return !reader->broken;
}

// Numbers are little-endian, as on every machine that the library supports.
static uint32_t load(FlatReader* reader, size_t at, size_t width) {
    uint32_t value = 0;
    if (fits(reader, at, width)) memcpy(&value, reader->data + at, width);
    return value;
}

static size_t follow(FlatReader* reader, size_t at) {
    const uint32_t distance = load(reader, at, 4);
    if (distance == 0) reader->broken = true;
    return fits(reader, at + distance, 4) ? at + distance : 0;
}

static FlatTable table_at(FlatReader* reader, size_t at) {
    if (at == 0) return (FlatTable){0};
    const size_t back =
        (size_t)(int32_t)load(reader, at, 4); // where it leads in front of the data, it is large
    const size_t fields = at - back;
    const uint32_t bytes = load(reader, fields, 2);
    if (bytes < 4 || !fits(reader, fields, bytes) || ++reader->tables > kMaxTables) reader->broken = true;
    if (reader->broken) return (FlatTable){0};
    return (FlatTable){at, fields};
}

// Where a field is; 0: absent.
static size_t field_at(FlatReader* reader, FlatTable table, int id) {
    const size_t entry = 4 + 2 * (size_t)id;
    if (table.at == 0 || entry + 2 > load(reader, table.fields, 2)) return 0;
    const uint32_t offset = load(reader, table.fields + entry, 2);
    return offset != 0 && !reader->broken ? table.at + offset : 0;
}

FlatTable flat_root(FlatReader* reader, const char* identifier) {
    if (!fits(reader, 0, 8)) return (FlatTable){0};
    if (identifier != NULL && memcmp(reader->data + 4, identifier, 4) != 0) reader->broken = true;
    return table_at(reader, follow(reader, 0));
}

FlatTable flat_child(FlatReader* reader, FlatTable table, int id) {
    const size_t at = field_at(reader, table, id);
    return table_at(reader, at != 0 ? follow(reader, at) : 0);
}

FlatVector flat_vector(FlatReader* reader, FlatTable table, int id, size_t width) {
    const size_t at = field_at(reader, table, id);
    const size_t start = at != 0 ? follow(reader, at) : 0;
    if (start == 0) return (FlatVector){0};
    const uint32_t count = load(reader, start, 4);
    if (!fits(reader, start + 4, count * width)) return (FlatVector){0};
    return (FlatVector){start + 4, count};
}

uint32_t flat_number_at(FlatReader* reader, FlatVector numbers, uint32_t index) {
    return load(reader, numbers.at + 4 * (size_t)index, 4);
}

uint32_t flat_number(FlatReader* reader, FlatTable table, int id, size_t width) {
    const size_t at = field_at(reader, table, id);
    return at != 0 ? load(reader, at, width) : 0;
}

char* flat_text(FlatReader* reader, FlatTable table, int id) {
    const FlatVector text = flat_vector(reader, table, id, 1);
    reader->text_read += text.count;
    if (reader->text_read > kMaxText) reader->broken = true;
    if (reader->broken || text.count == 0) return NULL;
    return strndup((const char*)reader->data + text.at, text.count);
}
