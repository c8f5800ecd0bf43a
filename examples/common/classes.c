// SPDX-License-Identifier: Apache-2.0
#include "examples/common/classes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/fail.h"

// Cuts lines->text, of `size` bytes and a zero, into its lines.
static bool cut(size_t size, Lines* lines) {
    size_t most = 1;
    for (size_t i = 0; i < size; i++) most += lines->text[i] == '\n';
    lines->items = calloc(most, sizeof *lines->items);
    if (lines->items == NULL) return fail("out of memory");
    char* const end = lines->text + size;
    for (char* line = lines->text; line < end;) {
        char* stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) stop = end;
        *stop = '\0';
        if (stop > line && stop[-1] == '\r') stop[-1] = '\0';
        lines->items[lines->count++] = line;
        line = stop + 1;
    }
    return true;
}

bool lines_read(const char* path, Lines* lines) {
    *lines = (Lines){0};
    FILE* file = fopen(path, "rb");
    if (file == NULL) return fail("%s: %s", path, strerror(errno));
    const bool is_sized = fseek(file, 0, SEEK_END) == 0;
    const long size = is_sized ? ftell(file) : -1;
    bool good = size >= 0 && fseek(file, 0, SEEK_SET) == 0;
    lines->text = good ? malloc((size_t)size + 1) : NULL;
    good = lines->text != NULL && fread(lines->text, 1, (size_t)size, file) == (size_t)size;
    fclose(file);
    if (!good) return fail("%s: it cannot be read, or memory ran out", path);
    lines->text[size] = '\0';
    return cut((size_t)size, lines);
}

bool lines_unpack(const OcliteMetadataFile* file, Lines* lines) {
    *lines = (Lines){0};
    if (file->data == NULL) return fail("the model's file %s %s", file->name, file->absent);
    lines->text = malloc(file->size + 1);
    if (lines->text == NULL) return fail("out of memory");
    memcpy(lines->text, file->data, file->size);
    lines->text[file->size] = '\0';
    return cut(file->size, lines);
}

void lines_free(Lines* lines) {
    free(lines->items);
    free(lines->text);
}

bool classes_read(const Session* session, const Options* options, int output, Lines* names) {
    *names = (Lines){0};
    if (options->labels != NULL) return lines_read(options->labels, names);
    const OcliteMetadataTensor* about = session_about_output(session, output);
    for (int i = 0; about != NULL && i < about->file_count; i++) {
        // Labels of an axis name its indices, those of values what the elements are: here the same.
        if (strcmp(about->files[i].type, "TENSOR_AXIS_LABELS") == 0 ||
            strcmp(about->files[i].type, "TENSOR_VALUE_LABELS") == 0) {
            return lines_unpack(&about->files[i], names);
        }
    }
    return fail("%s has no names of classes in its metadata: give them with --labels FILE", session->path);
}

bool classes_print(const Lines* names, const float* scores, size_t count, int top) {
    if ((size_t)names->count != count)
        return fail("there are %d names of classes, and the model tells %zu scores", names->count, count);
    char* is_told = calloc(count + 1, 1);
    if (is_told == NULL) return fail("out of memory");
    for (int rank = 0; rank < top && (size_t)rank < count; rank++) {
        size_t best = count;
        for (size_t i = 0; i < count; i++) {
            if (!is_told[i] && (best == count || scores[i] > scores[best])) best = i;
        }
        is_told[best] = 1;
        printf("%.4f %s\n", (double)scores[best], names->items[best]);
    }
    free(is_told);
    return true;
}
