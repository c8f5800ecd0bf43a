// SPDX-License-Identifier: Apache-2.0
// The results of a command as a tree for JSON, and the same tree as text. Both contain the same facts.
#ifndef TOOLS_COMMON_FACTS_H_
#define TOOLS_COMMON_FACTS_H_

#include <cjson/cJSON.h>

#include "tools/common/status.h"

// Prints an object to the standard output. Each fact is a line; facts of inner objects are indented. The
// suffix of a key is the unit of a number: _bytes, _us, _mhz, _gflops, _gops, _gb_per_s. An item of an array
// of objects begins with a line of its first fact, or of its number if that is a list. `indent`: spaces in
// front.
void tool_facts_print(const cJSON* object, int indent);

// Writes an object as JSON; "-" is the standard output. NULL counts as out of memory.
ToolStatus tool_facts_write(const cJSON* object, const char* path, ToolMessage* message);
// The same in one line, without white space.
ToolStatus tool_facts_write_line(const cJSON* object, const char* path, ToolMessage* message);

// Adds a text from a file or a driver, which may contain any bytes: bytes that are not UTF-8 become question
// marks.
void tool_facts_add_text(cJSON* object, const char* key, const char* text);

// Adds a measured number, rounded to three decimal places.
void tool_facts_add_measured(cJSON* object, const char* key, double value);

#endif
