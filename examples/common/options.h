// SPDX-License-Identifier: Apache-2.0
// The command lines of the examples: MODEL INPUT [--option value]...
#ifndef EXAMPLES_COMMON_OPTIONS_H_
#define EXAMPLES_COMMON_OPTIONS_H_

#include <stdbool.h>

typedef struct Options {
    const char* model;
    const char* input;      // the file, or the text, that the model looks at
    const char* labels;     // --labels: names of classes, one in a line, instead of the model's own
    const char* vocabulary; // --vocabulary: "word number" in each line
    const char* delegate;   // --delegate: opencl, or opencl:device=gpu,...; NULL: the CPU alone
    const char* out;        // --out: the picture that is written
    double mean, std;       // --mean, --std: of the normalization; NAN: the model's own
    double threshold;       // --threshold: of scores; NAN: the model's own
    int top;                // --top: how many classes are told
    int threads;            // --threads
} Options;

// Options that `usage` does not name do not exist. Returns false, with a message, for a wrong command line.
bool options_parse(int argc, char** argv, const char* usage, Options* options);

#endif
