// SPDX-License-Identifier: Apache-2.0
// A command of oclite: a name, options as a table, and a function. The table is complete: the parser, --help,
// the manual pages and the shells' completion are made from it.
#ifndef TOOLS_COMMON_COMMAND_H_
#define TOOLS_COMMON_COMMAND_H_

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/status.h"

typedef struct ToolList {
    const char** items;
    int count;
} ToolList;

// The kind of an option's value, and the type of its field in the command's settings.
typedef enum ToolOptionKind {
    kToolFlag,    // bool: --name, --name=true, --name=false
    kToolText,    // const char*
    kToolPath,    // const char*, a path, which shells complete
    kToolChoice,  // const char*, one of `choices`
    kToolInteger, // int, of at least `low`
    kToolReal,    // double, of at least `low`
    kToolBytes,   // size_t, above 0: 1000000, 512K, 64M, 2G
    kToolTexts,   // ToolList: may be given several times
    kToolPaths,   // ToolList of paths
    kToolCall,    // no field: `take` is called, in the order of the command line
} ToolOptionKind;

// Options are written --name VALUE or --name=VALUE; '-' and '_' in names are the same.
typedef struct ToolOption {
    const char* name;  // without leading dashes: "num_threads"; NULL ends a table
    const char* alias; // a second name, written -o if it is one letter; NULL for none
    const char* value; // the value in the help, "N"; NULL for options without a value
    const char* help;  // NULL: accepted for other programs' scripts, without effect
    ToolOptionKind kind;
    size_t offset; // of the field in the settings
    double low;
    const char* choices; // "text|json|csv"; of kToolText only what shells offer
    // `settings` are those of the command. `value` is NULL when the option has none.
    ToolStatus (*take)(void* settings, const char* value, ToolMessage* message);
} ToolOption;

// Options that several commands have. `field` is the field of the settings for the value: a ToolList, a text,
// an int.
#define TOOL_RESIZE_OPTION(Settings, field)                                                                  \
    {                                                                                                        \
        .name = "resize", .value = "I=SHAPE",                                                                \
        .help =                                                                                              \
            "Gives the I-th input a shape: 0=1x224x224x3, \"0=\" for a scalar, 0=0x3 for an empty tensor.",  \
        .kind = kToolTexts, .offset = offsetof(Settings, field)                                              \
    }
#define TOOL_JSON_OPTION(Settings, field)                                                                    \
    {                                                                                                        \
        .name = "json", .value = "FILE", .help = "Also writes what was found as JSON; - prints that alone.", \
        .kind = kToolPath, .offset = offsetof(Settings, field)                                               \
    }
#define TOOL_THREADS_OPTION(Settings, field)                                                                 \
    {                                                                                                        \
        .name = "threads", .alias = "num_threads", .value = "N", .help = "Threads on the CPU.",              \
        .kind = kToolInteger, .low = 1, .offset = offsetof(Settings, field)                                  \
    }

typedef struct ToolCommand {
    const char* name;
    const char* summary;       // one line without a period
    const char* operands;      // the arguments after the options: "MODEL", "MODEL...", ""
    int min_operands;          // fewer operands are wrong usage
    int max_operands;          // more operands are wrong usage
    const char* description;   // paragraphs, separated by empty lines; lines that begin with spaces are kept
    const char* examples;      // command lines, each followed by '\n'; NULL for none
    const ToolOption* options; // NULL for none
    bool has_setup;            // --delegate, --cpu ...: `setup_offset` is that of a ToolSetup in the settings
    size_t setup_offset;
    bool has_given; // `given_offset` is that of a ToolList in the settings: names of the options that were
    size_t given_offset;  // given, in their order
    size_t size;          // of the settings
    const void* defaults; // as many bytes; NULL: zero
    // Whether statuses above 2 become the program's exit status; otherwise the exit status is 1 for them.
    bool has_detailed_status;
    // Runs the command. `settings` and `operands` live until it returns. It leaves the line for stderr in
    // `message`.
    ToolStatus (*run)(void* settings, const ToolList* operands, ToolMessage* message);
    void (*release)(void* settings); // releases what kToolCall has taken; always called; NULL: nothing to do
} ToolCommand;

#endif
