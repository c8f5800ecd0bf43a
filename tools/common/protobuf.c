// SPDX-License-Identifier: Apache-2.0
#include "tools/common/protobuf.h"

#include <stdlib.h>
#include <string.h>

enum { kVarint = 0, kLengthDelimited = 2, kFixed32 = 5 };

void tool_proto_free(ToolProto* proto) {
    free(proto->data);
    *proto = (ToolProto){0};
}

static void append(ToolProto* proto, const void* data, size_t size) {
    if (proto->has_failed || size == 0) return;
    if (size > proto->capacity - proto->size) {
        const size_t capacity = (proto->size + size) * 2;
        unsigned char* grown = realloc(proto->data, capacity);
        if (grown == NULL) {
            proto->has_failed = true;
            return;
        }
        proto->data = grown;
        proto->capacity = capacity;
    }
    memcpy(proto->data + proto->size, data, size);
    proto->size += size;
}

static void append_varint(ToolProto* proto, uint64_t value) {
    unsigned char bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = (unsigned char)(value & 0x7f) | (value > 0x7f ? 0x80 : 0);
        value >>= 7;
    } while (value > 0);
    append(proto, bytes, count);
}

static void append_key(ToolProto* proto, int field, int type) {
    append_varint(proto, (uint64_t)field << 3 | (unsigned)type);
}

void tool_proto_integer(ToolProto* proto, int field, int64_t value) {
    append_key(proto, field, kVarint);
    append_varint(proto, (uint64_t)value);
}

void tool_proto_float(ToolProto* proto, int field, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    const unsigned char bytes[] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                   (unsigned char)(bits >> 16), (unsigned char)(bits >> 24)};
    append_key(proto, field, kFixed32);
    append(proto, bytes, sizeof(bytes));
}

void tool_proto_bytes(ToolProto* proto, int field, const void* data, size_t size) {
    append_key(proto, field, kLengthDelimited);
    append_varint(proto, size);
    append(proto, data, size);
}

void tool_proto_text(ToolProto* proto, int field, const char* text) {
    tool_proto_bytes(proto, field, text, strlen(text));
}

void tool_proto_message(ToolProto* proto, int field, ToolProto* inner) {
    proto->has_failed |= inner->has_failed;
    tool_proto_bytes(proto, field, inner->data, inner->size);
    tool_proto_free(inner);
}

void tool_proto_integers(ToolProto* proto, int field, const int* values, int count) {
    if (count <= 0) return;
    ToolProto packed = {0};
    for (int i = 0; i < count; i++) append_varint(&packed, (uint64_t)(int64_t)values[i]);
    tool_proto_message(proto, field, &packed);
}
