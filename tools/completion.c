// SPDX-License-Identifier: Apache-2.0
// Completion scripts: names of commands, their options, the values of choices, and files for the rest.
#include <stdio.h>
#include <string.h>

#include "tools/help.h"
#include "tools/options.h"

static void print_commands(void) {
    for (int i = 0; tool_command(i); ++i) printf("%s%s", i > 0 ? " " : "", tool_command(i)->name);
}

// "a|b" with spaces between.
static void print_choices(const char* choices) {
    for (; *choices; ++choices) putchar(*choices == '|' ? ' ' : *choices);
}

// The patterns of a case statement are of the form "run,--threads".
static void print_bash_command(const ToolCommand* command) {
    ToolOptionPlace place = {0};
    printf("    %s)\n        options=\"--help", command->name);
    for (int i = 0; (place = tool_option(command, i)).option; ++i) printf(" --%s", place.option->name);
    printf("\"\n        case $before in\n");
    for (int i = 0; (place = tool_option(command, i)).option; ++i) {
        if (place.option->kind == kToolChoice) {
            printf("        --%s) values=\"", place.option->name);
            print_choices(place.option->choices);
            printf("\" ;;\n");
        } else if (place.option->value && place.option->kind != kToolPath &&
                   place.option->kind != kToolPaths) {
            printf("        --%s) return ;;\n", place.option->name); // what only the user knows
        }
    }
    printf("        esac ;;\n");
}

static void print_bash(void) {
    printf("# bash completion of oclite\n"
           "_oclite() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options= values=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"--help --version ");
    print_commands();
    printf("\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; tool_command(i); ++i) print_bash_command(tool_command(i));
    printf("    esac\n"
           "    if [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
           "    elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
           "    else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
           "}\n"
           "complete -o filenames -F _oclite oclite\n");
}

// Inside single quotes of a shell, and without what zsh's _arguments gives a meaning.
static void print_quoted(const char* text) {
    for (; *text; ++text) {
        if (*text == '\'')
            printf("'\\''");
        else
            putchar(*text == '[' || *text == ']' || *text == ':' || *text == '\n' ? ' ' : *text);
    }
}

static void print_zsh_option(const ToolOption* option) {
    const bool is_list =
        option->kind == kToolTexts || option->kind == kToolPaths || option->kind == kToolCall;
    printf("            '%s--%s[", is_list ? "*" : "", option->name);
    print_quoted(option->help);
    printf("]");
    if (option->value) {
        printf(":");
        print_quoted(option->value);
        printf(":");
        if (option->kind == kToolPath || option->kind == kToolPaths) printf("_files");
        if (option->kind == kToolChoice) {
            printf("(");
            print_choices(option->choices);
            printf(")");
        }
    }
    printf("' \\\n");
}

static void print_zsh(void) {
    ToolOptionPlace place = {0};
    printf("#compdef oclite\n_oclite() {\n    if (( CURRENT == 2 )); then\n        local -a commands\n"
           "        commands=(\n");
    for (int i = 0; tool_command(i); ++i) {
        printf("            '%s:", tool_command(i)->name);
        print_quoted(tool_command(i)->summary);
        printf("'\n");
    }
    printf("        )\n        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (int c = 0; tool_command(c); ++c) {
        printf("    %s)\n        _arguments \\\n", tool_command(c)->name);
        for (int i = 0; (place = tool_option(tool_command(c), i)).option; ++i) print_zsh_option(place.option);
        printf("            '--help[print the help]' '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_oclite \"$@\"\n");
}

static void print_fish(void) {
    ToolOptionPlace place = {0};
    printf("# fish completion of oclite\n");
    for (int c = 0; tool_command(c); ++c) {
        const ToolCommand* command = tool_command(c);
        printf("complete -c oclite -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->summary);
        printf("'\n");
        for (int i = 0; (place = tool_option(command, i)).option; ++i) {
            printf("complete -c oclite -n '__fish_seen_subcommand_from %s' -l %s", command->name,
                   place.option->name);
            if (place.option->value) printf(" -r");
            if (place.option->kind == kToolChoice) {
                printf(" -f -a '");
                print_choices(place.option->choices);
                printf("'");
            }
            printf(" -d '");
            print_quoted(place.option->help);
            printf("'\n");
        }
    }
}

void tool_completion_print(const char* shell) {
    if (strcmp(shell, "bash") == 0) print_bash();
    if (strcmp(shell, "zsh") == 0) print_zsh();
    if (strcmp(shell, "fish") == 0) print_fish();
}
