// SPDX-License-Identifier: Apache-2.0
// Names of classes, and the best of many scores.
#ifndef EXAMPLES_COMMON_CLASSES_H_
#define EXAMPLES_COMMON_CLASSES_H_

#include "examples/common/session.h"

// A file's text, cut into lines.
typedef struct Lines {
    char* text;
    int count;
    char** items;
} Lines;

// Reads a file of the file system, or one that is packed into the model. Release in any case.
bool lines_read(const char* path, Lines* lines);
bool lines_unpack(const OcliteMetadataFile* file, Lines* lines);
void lines_free(Lines* lines);

// Reads the names of an output's classes: from --labels, else from the file that the model's metadata name
// for the output.
bool classes_read(const Session* session, const Options* options, int output, Lines* names);

// Prints the names of the highest scores of `count`, as "0.9876 cat". There must be as many names.
bool classes_print(const Lines* names, const float* scores, size_t count, int top);

#endif
