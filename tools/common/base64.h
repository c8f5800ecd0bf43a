// SPDX-License-Identifier: Apache-2.0
// Base64 of RFC 4648, section 4.
#ifndef TOOLS_COMMON_BASE64_H_
#define TOOLS_COMMON_BASE64_H_

#include <stdbool.h>
#include <stddef.h>

// Returns the number of characters for `size` bytes, without a terminating NUL.
size_t tool_base64_length(size_t size);

// Writes tool_base64_length(size) characters.
void tool_base64_encode(const void* bytes, size_t size, char* text);

// Writes at most length / 4 * 3 bytes. Returns false unless the text is in the canonical form: no other
// characters, complete padding, no bits set after the last byte.
bool tool_base64_decode(const char* text, size_t length, void* bytes, size_t* size);

#endif
