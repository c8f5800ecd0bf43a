// SPDX-License-Identifier: Apache-2.0
// What a command has found out, as a tree for JSON, and the same tree as text: what is in one is in the
// other.
#ifndef TOOLS_FACTS_H_
#define TOOLS_FACTS_H_

#include <cjson/cJSON.h>

#include "tools/status.h"

// Prints an object to the standard output, a line for each fact, what belongs to objects within it indented.
// The end of a key says what a number is: _bytes, _us, _mhz, _gflops, _gops, _gb_per_s. An item of an array
// of objects begins with a line of its first fact.
void tool_facts_print(const cJSON* object);

// Writes it as JSON; "-" is the standard output. Out of memory when `object` is NULL.
ToolStatus tool_facts_write(const cJSON* object, const char* path, ToolMessage* message);

// Adds a text from a file or a driver, which may hold any bytes: those that are no UTF-8 become question
// marks.
void tool_facts_add_text(cJSON* object, const char* key, const char* text);

// Three significant digits behind the point are enough for what is measured.
void tool_facts_add_measured(cJSON* object, const char* key, double value);

#endif
