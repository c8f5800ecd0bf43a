// SPDX-License-Identifier: Apache-2.0
#include "tools/view/page.h"
#include "tools/view/data.h"

#include <string.h>

static const char* find_text(const char* name, size_t length) {
    for (const ViewText* text = view_texts; text->name != NULL; text++) {
        if (strlen(text->name) == length && strncmp(text->name, name, length) == 0) return text->text;
    }
    return "";
}

void view_print_page(FILE* out, const ViewDrawing* drawing) {
    const char* at = find_text("page", 4);
    for (;;) {
        const char* open = strstr(at, "{{");
        const char* close = open != NULL ? strstr(open, "}}") : NULL;
        if (close == NULL) break;
        fwrite(at, 1, (size_t)(open - at), out);
        const size_t length = (size_t)(close - open - 2);
        if (length == 4 && strncmp(open + 2, "data", 4) == 0) {
            view_print_data(out, drawing);
        } else {
            fputs(find_text(open + 2, length), out);
        }
        at = close + 2;
    }
    fputs(at, out);
}
