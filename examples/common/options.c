// SPDX-License-Identifier: Apache-2.0
#include "examples/common/options.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/fail.h"

typedef enum Kind { TEXT, REAL, POSITIVE } Kind;

static const struct {
    const char* name;
    Kind kind;
    size_t offset;
} kOptions[] = {
    {"--labels", TEXT, offsetof(Options, labels)},
    {"--vocabulary", TEXT, offsetof(Options, vocabulary)},
    {"--delegate", TEXT, offsetof(Options, delegate)},
    {"--out", TEXT, offsetof(Options, out)},
    {"--mean", REAL, offsetof(Options, mean)},
    {"--std", REAL, offsetof(Options, std)},
    {"--threshold", REAL, offsetof(Options, threshold)},
    {"--top", POSITIVE, offsetof(Options, top)},
    {"--threads", POSITIVE, offsetof(Options, threads)},
};
enum { OPTION_COUNT = sizeof kOptions / sizeof kOptions[0] };

static int find(const char* name, const char* usage) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (strcmp(kOptions[i].name, name) == 0 && strstr(usage, name) != NULL) return i;
    }
    return -1;
}

static bool take(int option, const char* value, Options* options) {
    char* end = NULL;
    void* field = (char*)options + kOptions[option].offset;
    if (kOptions[option].kind == TEXT) {
        *(const char**)field = value;
        return true;
    }
    const double number = strtod(value, &end);
    const bool is_number = end != value && *end == '\0' && isfinite(number);
    if (kOptions[option].kind == REAL) {
        *(double*)field = number;
        return is_number || fail("%s: '%s' is no number", kOptions[option].name, value);
    }
    if (!is_number || number < 1 || number > INT_MAX || number != floor(number))
        return fail("%s: '%s' is no number from 1 on", kOptions[option].name, value);
    *(int*)field = (int)number;
    return true;
}

bool options_parse(int argc, char** argv, const char* usage, Options* options) {
    const char** operands[] = {&options->model, &options->input};
    size_t count = 0;
    *options = (Options){.mean = NAN, .std = NAN, .threshold = NAN, .top = 5, .threads = 2};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            const int option = find(argv[i], usage);
            if (option < 0) return fail("there is no option %s\nusage: %s", argv[i], usage);
            if (i + 1 == argc) return fail("%s has no value\nusage: %s", argv[i], usage);
            if (!take(option, argv[++i], options)) return false;
        } else if (count == sizeof operands / sizeof operands[0]) {
            return fail("'%s' is too much\nusage: %s", argv[i], usage);
        } else {
            *operands[count++] = argv[i];
        }
    }
    return options->input != NULL || fail("usage: %s", usage);
}
