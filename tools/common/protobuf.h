// SPDX-License-Identifier: Apache-2.0
// Writes messages in the encoding of Protocol Buffers. The message grows in memory, and remembers a failure.
#ifndef TOOLS_COMMON_PROTOBUF_H_
#define TOOLS_COMMON_PROTOBUF_H_

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

// Add a field to a message. The integers are of all types but sint and the fixed ones; negative ones take ten
// bytes.
void tool_proto_integer(ToolProto* proto, int field, int64_t value);
void tool_proto_float(ToolProto* proto, int field, float value);
void tool_proto_text(ToolProto* proto, int field, const char* text);
void tool_proto_bytes(ToolProto* proto, int field, const void* data, size_t size);
// Adds a packed repeated integer; nothing when there are none.
void tool_proto_integers(ToolProto* proto, int field, const int* values, int count);
// Adds an inner message, and frees `inner`. A failure of `inner` becomes that of the outer message.
void tool_proto_message(ToolProto* proto, int field, ToolProto* inner);

#endif
