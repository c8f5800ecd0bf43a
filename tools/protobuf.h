// SPDX-License-Identifier: Apache-2.0
// Messages in the encoding of Protocol Buffers. What is written grows in memory; a failure is remembered.
#ifndef TOOLS_PROTOBUF_H_
#define TOOLS_PROTOBUF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ToolProto {
    unsigned char* data;
    size_t size;
    size_t capacity;
    bool has_failed; // out of memory
} ToolProto;

void tool_proto_free(ToolProto* proto); // accepts {0}

// Fields of a message. Integers of all types but sint and fixed ones; negative ones take ten bytes.
void tool_proto_integer(ToolProto* proto, int field, int64_t value);
void tool_proto_float(ToolProto* proto, int field, float value);
void tool_proto_text(ToolProto* proto, int field, const char* text);
void tool_proto_bytes(ToolProto* proto, int field, const void* data, size_t size);
// A packed repeated integer; nothing for none.
void tool_proto_integers(ToolProto* proto, int field, const int* values, int count);
// A message within; `inner` is freed, and its failure taken over.
void tool_proto_message(ToolProto* proto, int field, ToolProto* inner);

#endif
