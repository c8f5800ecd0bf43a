// SPDX-License-Identifier: Apache-2.0
#include "tools/common/base64.h"

#include <stdint.h>
#include <string.h>

static const char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t tool_base64_length(size_t size) {
    return (size / 3 + (size % 3 != 0)) * 4;
}

void tool_base64_encode(const void* bytes, size_t size, char* text) {
    const uint8_t* in = bytes;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t group = (uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)in[i + 2] : 0);
        *text++ = kAlphabet[group >> 18];
        *text++ = kAlphabet[group >> 12 & 63];
        *text++ = left > 1 ? kAlphabet[group >> 6 & 63] : '=';
        *text++ = left > 2 ? kAlphabet[group & 63] : '=';
    }
}

bool tool_base64_decode(const char* text, size_t length, void* bytes, size_t* size) {
    if (length % 4 != 0) return false;
    size_t padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=') padding++;
    uint8_t* out = bytes;
    uint32_t bits = 0;
    int bit_count = 0;
    for (size_t i = 0; i < length - padding; i++) {
        const char* place = text[i] ? strchr(kAlphabet, text[i]) : NULL;
        if (place == NULL) return false;
        bits = bits << 6 | (uint32_t)(place - kAlphabet);
        bit_count += 6;
        if (bit_count < 8) continue;
        bit_count -= 8;
        *out++ = (uint8_t)(bits >> bit_count);
        bits &= (1u << bit_count) - 1;
    }
    *size = (size_t)(out - (uint8_t*)bytes);
    return bits == 0;
}
