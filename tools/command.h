// SPDX-License-Identifier: Apache-2.0
// What a command of oclite is: a name, options as a table, and a function. The table is all there is to say
// about an option: the parser, --help, the manual pages and the shells' completion are made of it.
#ifndef TOOLS_COMMAND_H_
#define TOOLS_COMMAND_H_

#include <stdbool.h>
#include <stddef.h>

#include "tools/status.h"

typedef struct ToolList {
    const char** items;
    int count;
} ToolList;

// What a value is, and the type of the field in the command's settings that takes it.
typedef enum ToolOptionKind {
    kToolFlag,    // bool: --name, --name=true, --name=false
    kToolText,    // const char*
    kToolPath,    // const char*, a path (shells complete it)
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
    const char* name;  // without dashes in front, "num_threads"; NULL ends a table
    const char* alias; // a second name, written -o when it is one letter; NULL for none
    const char* value; // what help calls the value, "N"; NULL for flags, and for kToolCall without one
    const char* help; // NULL: accepted for scripts of other programs, without effect, and told of in one line
    ToolOptionKind kind;
    size_t offset; // of the field in the settings
    double low;
    const char* choices; // "text|json|csv"
    // `settings` are the command's; `value` is NULL where the option has none.
    ToolStatus (*take)(void* settings, const char* value, ToolMessage* message);
} ToolOption;

typedef struct ToolCommand {
    const char* name;
    const char* summary;       // one line without a full stop
    const char* operands;      // what follows the options: "MODEL", "MODEL...", ""
    int min_operands;          // fewer are wrong usage,
    int max_operands;          // and so are more
    const char* description;   // paragraphs, separated by empty lines; what begins with spaces stays as it is
    const char* examples;      // command lines, each followed by '\n'; NULL for none
    const ToolOption* options; // NULL for none
    bool has_setup;            // --delegate, --cpu ...: `setup_offset` is that of a ToolSetup in the settings
    size_t setup_offset;
    bool has_given; // `given_offset` is that of a ToolList in the settings: names of the options that were
    size_t given_offset;  // given, in their order
    size_t size;          // of the settings
    const void* defaults; // as many bytes; NULL: zero
    // Whether statuses above 2 are the program's exit status; otherwise these end as 1.
    bool has_detailed_status;
    // `settings` and `operands` live until it returns. The line for stderr is left in `message`.
    ToolStatus (*run)(void* settings, const ToolList* operands, ToolMessage* message);
    void (*release)(void* settings); // of what kToolCall has taken, called in any case; NULL for nothing
} ToolCommand;

// Every command, in the order of the help; NULL when there is none of that number or name.
const ToolCommand* tool_command(int index);
const ToolCommand* tool_command_named(const char* name);

// Parses what follows the command's name, and runs it. Prints the help instead when asked to.
ToolStatus tool_command_main(const ToolCommand* command, int count, char** arguments, ToolMessage* message);

#endif
