// SPDX-License-Identifier: Apache-2.0
#include "tools/common/npy.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/file.h"

static const char kMagic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
enum { VERSION_SIZE = 2, DATA_ALIGNMENT = 64 };

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const char kHostOrder = '>';
#else
static const char kHostOrder = '<';
#endif

static const struct ElementType {
    TfLiteType type;
    const char* name; // NumPy's, without the byte order
    size_t size;
} kElementTypes[] = {
    {kTfLiteFloat32, "f4", 4}, {kTfLiteInt32, "i4", 4},        {kTfLiteUInt8, "u1", 1},
    {kTfLiteInt64, "i8", 8},   {kTfLiteBool, "b1", 1},         {kTfLiteInt16, "i2", 2},
    {kTfLiteInt8, "i1", 1},    {kTfLiteFloat16, "f2", 2},      {kTfLiteComplex64, "c8", 8},
    {kTfLiteFloat64, "f8", 8}, {kTfLiteUInt64, "u8", 8},       {kTfLiteUInt32, "u4", 4},
    {kTfLiteUInt16, "u2", 2},  {kTfLiteComplex128, "c16", 16},
};
enum { ELEMENT_TYPES = sizeof(kElementTypes) / sizeof(kElementTypes[0]) };

static const struct ElementType* find_type(TfLiteType type) {
    for (int i = 0; i < ELEMENT_TYPES; i++) {
        if (kElementTypes[i].type == type) return &kElementTypes[i];
    }
    return NULL;
}

size_t tool_npy_element_size(TfLiteType type) {
    const struct ElementType* element = find_type(type);
    return element != NULL ? element->size : 0;
}

bool tool_shape_count(const ToolShape* shape, size_t* count) {
    *count = 1;
    bool fits = true;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] < 0) return false;
        const size_t dim = (size_t)shape->dims[i];
        if (dim != 0 && *count > SIZE_MAX / 16 / dim) fits = false;
        *count *= dim;
    }
    // A product that overflows may still become 0 through a later dimension.
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] != 0) continue;
        *count = 0;
        return true;
    }
    return fits;
}

const char* tool_shape_text(const ToolShape* shape, char* text) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < shape->rank; i++) {
        used += (size_t)snprintf(text + used, TOOL_SHAPE_TEXT - used, i ? "x%d" : "%d", shape->dims[i]);
    }
    return text;
}

// The header is read by a cursor over [at, end); functions skip blanks first.
typedef struct Cursor {
    const char* at;
    const char* end;
} Cursor;

static bool take(Cursor* cursor, char wanted) {
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\n' || *cursor->at == '\t'))
        cursor->at++;
    if (cursor->at == cursor->end || *cursor->at != wanted) return false;
    cursor->at++;
    return true;
}

static bool take_word(Cursor* cursor, const char* word) {
    if (!take(cursor, word[0])) return false;
    const size_t rest = strlen(word) - 1;
    if ((size_t)(cursor->end - cursor->at) < rest || memcmp(cursor->at, word + 1, rest) != 0) return false;
    cursor->at += rest;
    return true;
}

static bool take_string(Cursor* cursor, char* text, size_t room) {
    const char quote = take(cursor, '\'') ? '\'' : '"';
    if (quote == '"' && !take(cursor, '"')) return false;
    size_t length = 0;
    while (cursor->at < cursor->end && *cursor->at != quote) {
        if (length + 1 >= room || *cursor->at == '\\') return false;
        text[length++] = *cursor->at++;
    }
    text[length] = '\0';
    return take(cursor, quote);
}

static bool take_bool(Cursor* cursor, bool* value) {
    Cursor rest = *cursor;
    *value = take_word(&rest, "True");
    if (*value) {
        *cursor = rest;
        return true;
    }
    return take_word(cursor, "False");
}

static bool take_dimension(Cursor* cursor, int* value) {
    int64_t number = 0;
    int digits = 0;
    take(cursor, ' ');
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
        number = number * 10 + (*cursor->at++ - '0');
        if (number > INT_MAX) return false;
        digits++;
    }
    *value = (int)number;
    return digits > 0;
}

// "()", "(2,)", "(2, 3)", "(2, 3,)"
static bool take_shape(Cursor* cursor, ToolShape* shape) {
    shape->rank = 0;
    if (!take(cursor, '(')) return false;
    while (!take(cursor, ')')) {
        if (shape->rank == TOOL_MAX_RANK || !take_dimension(cursor, &shape->dims[shape->rank++]))
            return false;
        if (!take(cursor, ',')) return shape->rank > 1 && take(cursor, ')');
    }
    return true;
}

typedef struct Header {
    char descr[16];
    bool fortran_order;
    ToolShape shape;
} Header;

static bool parse_header(Cursor cursor, Header* header) {
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    if (!take(&cursor, '{')) return false;
    while (!take(&cursor, '}')) {
        char key[16];
        bool known = false;
        if (!take_string(&cursor, key, sizeof(key)) || !take(&cursor, ':')) return false;
        if (strcmp(key, "descr") == 0) {
            known = has_descr = take_string(&cursor, header->descr, sizeof(header->descr));
        } else if (strcmp(key, "fortran_order") == 0) {
            known = has_order = take_bool(&cursor, &header->fortran_order);
        } else if (strcmp(key, "shape") == 0) {
            known = has_shape = take_shape(&cursor, &header->shape);
        }
        if (!known) return false;
        if (!take(&cursor, ',')) {
            if (!take(&cursor, '}')) return false;
            break;
        }
    }
    return has_descr && has_order && has_shape;
}

static bool type_of_descr(const char* descr, TfLiteType* type, size_t* size) {
    for (int i = 0; i < ELEMENT_TYPES; i++) {
        const struct ElementType* element = &kElementTypes[i];
        const bool any_order = element->size == 1 && strchr("<>|=", descr[0]) != NULL;
        if (descr[0] == '\0' || strcmp(descr + 1, element->name) != 0) continue;
        if (!any_order && descr[0] != kHostOrder && descr[0] != '=') continue;
        *type = element->type;
        *size = element->size;
        return true;
    }
    return false;
}

// Finds the header text; returns false when the file is none or ends within it.
static bool find_header(const unsigned char* file, size_t size, Cursor* cursor) {
    const size_t prefix = sizeof(kMagic) + VERSION_SIZE;
    if (size < prefix || memcmp(file, kMagic, sizeof(kMagic)) != 0) return false;
    const int version = file[sizeof(kMagic)];
    const size_t length_size = version == 1 ? 2 : 4;
    if (version < 1 || version > 3 || size < prefix + length_size) return false;
    size_t length = 0;
    for (size_t i = length_size; i-- > 0;) length = length << 8 | file[prefix + i];
    if (length > size - prefix - length_size) return false;
    cursor->at = (const char*)file + prefix + length_size;
    cursor->end = cursor->at + length;
    return true;
}

ToolStatus tool_npy_parse(const char* name, const void* file, size_t size, ToolArray* array,
                          ToolMessage* message) {
    Cursor cursor;
    Header header = {.descr = ""};
    size_t element_size = 0;
    if (!find_header(file, size, &cursor)) return tool_fail(message, kToolFile, "%s: not a .npy file", name);
    if (!parse_header(cursor, &header)) {
        return tool_fail(message, kToolFile, "%s: the .npy header is malformed", name);
    }
    if (!type_of_descr(header.descr, &array->type, &element_size)) {
        return tool_fail(message, kToolFile, "%s: elements of type '%s' are not supported", name,
                         header.descr);
    }
    if (header.fortran_order) {
        return tool_fail(message, kToolFile, "%s: arrays in Fortran order are not supported", name);
    }
    array->shape = header.shape;
    array->data = cursor.end;
    const size_t rest = size - (size_t)(cursor.end - (const char*)file);
    char text[TOOL_SHAPE_TEXT];
    if (!tool_shape_count(&array->shape, &array->count) || array->count * element_size != rest) {
        return tool_fail(message, kToolFile,
                         "%s: %zu bytes of data do not make an array of shape (%s) and type '%s'", name, rest,
                         tool_shape_text(&array->shape, text), header.descr);
    }
    array->bytes = rest;
    return kToolOk;
}

// "(2, 3, )" and a lone "(2, )" are tuples to Python, as is "()".
static size_t write_header(const ToolArray* array, const struct ElementType* element, char* head,
                           size_t room) {
    const size_t prefix = sizeof(kMagic) + VERSION_SIZE + 2;
    size_t used = prefix;
    used += (size_t)snprintf(head + used, room - used, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                             element->size == 1 ? '|' : kHostOrder, element->name);
    for (int i = 0; i < array->shape.rank; i++) {
        used += (size_t)snprintf(head + used, room - used, "%d, ", array->shape.dims[i]);
    }
    used += (size_t)snprintf(head + used, room - used, "), }");
    while ((used + 1) % DATA_ALIGNMENT != 0) head[used++] = ' ';
    head[used++] = '\n';
    const size_t length = used - prefix;
    memcpy(head, kMagic, sizeof(kMagic));
    memcpy(head + sizeof(kMagic), (const char[]){1, 0, (char)(length & 255), (char)(length >> 8)}, 4);
    return used;
}

ToolStatus tool_npy_write(const char* path, const ToolArray* array, ToolMessage* message) {
    char head[1024];
    const struct ElementType* element = find_type(array->type);
    if (element == NULL) return tool_fail(message, kToolFile, "%s: NumPy has no type %d", path, array->type);
    const size_t size = write_header(array, element, head, sizeof(head));
    return tool_file_write(path, head, size, array->data, array->bytes, message);
}
