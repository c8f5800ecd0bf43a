// SPDX-License-Identifier: Apache-2.0
#include "tools/help.h"

#include <stdio.h>
#include <string.h>

#include "tools/command_list.h"
#include "tools/common/delegate_keys.h"
#include "tools/common/options.h"

enum { kWidth = 100, kColumn = 30 };

// Prints words from column `indent` on, in lines of kWidth; `at` is the present column. Lines that begin with
// a space are kept, and so are ends of paragraphs.
static void print_filled(FILE* out, const char* text, int indent, int at) {
    while (*text) {
        const bool is_verbatim = *text == ' ';
        const int length = (int)strcspn(text, is_verbatim ? "\n" : " \n");
        if (!is_verbatim && at > indent && at + 1 + length > kWidth) {
            fprintf(out, "\n");
            at = 0;
        }
        if (at < indent)
            fprintf(out, "%*s", indent - at, "");
        else if (at > indent)
            fprintf(out, " ");
        fprintf(out, "%.*s", length, text);
        at = (at < indent ? indent : at + (at > indent)) + length;
        text += length;
        if (*text == ' ') text++;
        for (; *text == '\n'; text++) {
            // A single line break inside a paragraph becomes a space.
            if (!is_verbatim && text[1] != '\n' && text[1] != ' ' && text[-1] != '\n' && text[1]) continue;
            fprintf(out, "\n");
            at = 0;
        }
    }
    fprintf(out, "\n");
}

// Prints a name, and its explanation in the next column.
static void print_entry(FILE* out, const char* head, const char* text) {
    fprintf(out, "%s", head);
    int at = (int)strlen(head);
    if (at >= kColumn) {
        fprintf(out, "\n");
        at = 0;
    }
    print_filled(out, text, kColumn, at);
}

static void print_option(FILE* out, const ToolOption* option) {
    char head[128];
    snprintf(head, sizeof(head), "  --%s%s%s", option->name, option->value != NULL ? " " : "",
             option->value != NULL ? option->value : "");
    char text[1024];
    snprintf(text, sizeof(text), "%s", option->help);
    if (option->alias != NULL) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof(text) - length, " (Also %s%s.)", option->alias[1] ? "--" : "-",
                 option->alias);
    }
    print_entry(out, head, text);
}

static bool takes_keys(const ToolCommand* command) {
    ToolOptionPlace place = {0};
    for (int i = 0; (place = tool_helped_option(command, i)).option != NULL; i++) {
        if (tool_option_takes_keys(place.option)) return true;
    }
    return false;
}

static void print_delegate_keys(FILE* out, const ToolCommand* command) {
    if (!takes_keys(command)) return;
    fprintf(out, "\nKeys of opencl:KEY=VALUE,...:\n\n");
    for (const ToolDelegateKey* key = tool_delegate_keys; key->name != NULL; key++) {
        char head[128];
        snprintf(head, sizeof(head), "  %s=%s", key->name, key->value);
        print_entry(out, head, key->help);
    }
}

// Prints only names, in one paragraph.
static void print_idle_options(FILE* out, const ToolCommand* command) {
    ToolOptionPlace place = {0};
    char names[4096] = "Accepted without effect, a line says why:";
    bool has_any = false;
    for (int i = 0; (place = tool_option(command, i)).option != NULL; i++) {
        const size_t length = strlen(names);
        if (place.option->help != NULL) continue;
        snprintf(names + length, sizeof(names) - length, " --%s", place.option->name);
        has_any = true;
    }
    if (!has_any) return;
    fprintf(out, "\n");
    print_filled(out, names, 0, 0);
}

void tool_help_print_command(FILE* out, const ToolCommand* command) {
    fprintf(out, "oclite %s [OPTION]... %s\n\n", command->name, command->operands);
    print_filled(out, command->summary, 0, 0);
    if (command->description != NULL) {
        fprintf(out, "\n");
        print_filled(out, command->description, 0, 0);
    }
    ToolOptionPlace place = tool_option(command, 0);
    if (place.option != NULL) fprintf(out, "\n");
    for (int i = 0; (place = tool_helped_option(command, i)).option != NULL; i++)
        print_option(out, place.option);
    print_delegate_keys(out, command);
    print_idle_options(out, command);
    if (command->examples != NULL) fprintf(out, "\nExamples:\n%s", command->examples);
}

static const char kExitStatus[] =
    "0 all right; 1 something could not be done, and a line on the standard error says what; 2 wrong usage.";
static const char kRunStatus[] =
    "oclite run tells more: 1 a file cannot be read or written, or there is no "
    "delegate, 2 wrong usage (also: an option of the delegate that is wrong, a "
    "device that is not there, an input file of another type than the input), 10 the model did not "
    "load, 11 a resize or allocation failed, 12 a run failed.";

void tool_help_print(FILE* out) {
    fprintf(out, "oclite: runs, times and shows .tflite models\n\n");
    for (int i = 0; tool_command(i) != NULL; i++) {
        fprintf(out, "  %-12s%s\n", tool_command(i)->name, tool_command(i)->summary);
    }
    fprintf(out, "\noclite COMMAND --help tells the options of a command, oclite --version the version.\n");
    fprintf(out, "The Python package has further commands: oclite batch, for files of inputs, and oclite "
                 "serve, a server.\n");
    fprintf(out, "The custom operator \"Atan\" and those of TensorFlow Text are registered.\n\nExit status:");
    print_filled(out, kExitStatus, 0, (int)strlen("Exit status:") - 1);
    print_filled(out, kRunStatus, 0, 0);
}

// Prints a text and escapes the characters that troff would obey.
static void print_troff(FILE* out, const char* text) {
    bool at_line_start = true;
    for (; *text; text++) {
        if (at_line_start && (*text == '.' || *text == '\'')) fprintf(out, "\\&");
        if (*text == '\\')
            fprintf(out, "\\e");
        else if (*text == '-')
            fprintf(out, "\\-");
        else
            fputc(*text, out);
        at_line_start = *text == '\n';
    }
}

// Prints paragraphs; lines that begin with spaces are kept.
static void print_troff_text(FILE* out, const char* text) {
    bool is_verbatim = false;
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        char line[2048];
        snprintf(line, sizeof(line), "%.*s", length, text);
        if (is_verbatim != (*text == ' ')) fprintf(out, is_verbatim ? ".fi\n" : ".nf\n");
        is_verbatim = *text == ' ';
        if (length == 0) fprintf(out, ".PP");
        print_troff(out, line);
        fprintf(out, "\n");
        text += length;
        if (*text == '\n') text++;
    }
    if (is_verbatim) fprintf(out, ".fi\n");
}

static void print_manual_head(FILE* out, const char* name, const char* summary) {
    fprintf(out, ".TH %s 1 \"\" oclite \"oclite manual\"\n.SH NAME\n", name);
    print_troff(out, name);
    fprintf(out, " \\- ");
    print_troff(out, summary);
    fprintf(out, "\n.SH SYNOPSIS\n");
}

static void print_manual_idle(FILE* out, const ToolCommand* command) {
    bool has_any = false;
    ToolOptionPlace place = {0};
    for (int i = 0; (place = tool_option(command, i)).option != NULL; i++) {
        if (place.option->help != NULL) continue;
        if (!has_any) fprintf(out, ".PP\nAccepted without effect, a line says why:\n");
        has_any = true;
        fprintf(out, ".B \\-\\-%s\n", place.option->name);
    }
}

static void print_manual_keys(FILE* out) {
    fprintf(out, ".SH KEYS OF THE OPENCL DELEGATE\n");
    for (const ToolDelegateKey* key = tool_delegate_keys; key->name != NULL; key++) {
        fprintf(out, ".TP\n.B %s=%s\n", key->name, key->value);
        print_troff(out, key->help);
        fprintf(out, "\n");
    }
}

static void print_manual_command(FILE* out, const ToolCommand* command) {
    char name[64];
    snprintf(name, sizeof(name), "oclite-%s", command->name);
    print_manual_head(out, name, command->summary);
    fprintf(out, ".B oclite %s\n[OPTION]...\n%s\n.SH DESCRIPTION\n", command->name, command->operands);
    print_troff_text(out, command->description != NULL ? command->description : command->summary);
    ToolOptionPlace place = tool_option(command, 0);
    if (place.option != NULL) fprintf(out, ".SH OPTIONS\n");
    for (int i = 0; (place = tool_helped_option(command, i)).option != NULL; i++) {
        const char* alias = place.option->alias;
        fprintf(out, ".TP\n.B \\-\\-%s", place.option->name);
        if (alias != NULL) fprintf(out, ", %s%s", alias[1] ? "\\-\\-" : "\\-", alias);
        fprintf(out, "%s%s\n", place.option->value != NULL ? " " : "",
                place.option->value != NULL ? place.option->value : "");
        print_troff(out, place.option->help);
        fprintf(out, "\n");
    }
    print_manual_idle(out, command);
    if (takes_keys(command)) print_manual_keys(out);
    if (command->examples == NULL) return;
    fprintf(out, ".SH EXAMPLES\n.nf\n");
    print_troff(out, command->examples);
    fprintf(out, ".fi\n");
}

void tool_manual_print(FILE* out, const ToolCommand* command) {
    if (command != NULL) {
        print_manual_command(out, command);
    } else {
        print_manual_head(out, "oclite", "runs, times and shows .tflite models");
        fprintf(out, ".B oclite\nCOMMAND [OPTION]... [ARGUMENT]...\n.SH COMMANDS\n");
        for (int i = 0; tool_command(i) != NULL; i++) {
            fprintf(out, ".TP\n.BR oclite\\-%s (1)\n", tool_command(i)->name);
            print_troff(out, tool_command(i)->summary);
            fprintf(out, "\n");
        }
    }
    fprintf(out, ".SH EXIT STATUS\n");
    print_troff(out, kExitStatus);
    fprintf(out, "\n");
    if (command == NULL || command->has_detailed_status) {
        print_troff(out, kRunStatus);
        fprintf(out, "\n");
    }
}
