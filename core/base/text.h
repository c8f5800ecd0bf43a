// SPDX-License-Identifier: Apache-2.0
// Text that grows, with values in it.
#ifndef CORE_BASE_TEXT_H_
#define CORE_BASE_TEXT_H_

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"
#include "oclite/flexbuffers.h"

// All zero it is empty. When memory runs out it sets `failed`, and takes nothing more.
typedef struct LiteText {
    char* data; // terminated; NULL while empty
    size_t length;
    size_t capacity;
    bool failed;
} LiteText;

void lite_text_free(LiteText* text);
void lite_text_clear(LiteText* text);
void lite_text_add(LiteText* text, const char* format, ...) LITE_PRINTF(2, 3);
// With as few digits as tell it from its neighbours.
void lite_text_add_number(LiteText* text, double value, bool is_float);
// As a string of JSON; bytes that are no UTF-8 become U+FFFD.
void lite_text_add_string(LiteText* text, const char* string, size_t length);
// As JSON. What is nested deeper than a document would be, or goes on for too long, becomes "...".
void lite_text_add_flex(LiteText* text, OcliteFlex value);

#endif
