// SPDX-License-Identifier: Apache-2.0
#include "tools/common/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void tool_report(void* user_data, const char* format, va_list args) {
    ToolMessage* message = user_data;
    char part[sizeof(message->text)];
    if (vsnprintf(part, sizeof(part), format, args) < 0) return;
    for (char* c = part; *c; c++) {
        if ((unsigned char)*c < ' ') *c = ' ';
    }
    if (!part[0] || strstr(message->text, part) != NULL) return;
    const size_t used = strlen(message->text);
    snprintf(message->text + used, sizeof(message->text) - used, "%s%s", used ? "; " : "", part);
}

ToolStatus tool_fail(ToolMessage* message, ToolStatus status, const char* format, ...) {
    va_list args;
    va_start(args, format);
    tool_report(message, format, args);
    va_end(args);
    return status;
}

ToolStatus tool_out_of_memory(ToolMessage* message) {
    return tool_fail(message, kToolFile, "out of memory");
}

void tool_put_name(FILE* out, const char* name) {
    for (; *name; name++) {
        const bool is_blank = *name == '\n' || *name == '\r' || *name == '\t';
        const bool is_control = (unsigned char)*name < ' ' || *name == 0x7f;
        fputc(is_blank ? ' ' : is_control ? '?' : *name, out);
    }
}

void tool_print_name(const char* name) {
    tool_put_name(stdout, name);
}
