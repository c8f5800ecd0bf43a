// SPDX-License-Identifier: Apache-2.0
// Completion scripts: names of commands, their options, the values of choices, and files for the rest.
#include "tools/completion.h"

#include <string.h>

#include "tools/command_list.h"
#include "tools/common/delegate_keys.h"
#include "tools/common/options.h"

static void print_commands(FILE* out) {
    for (int i = 0; tool_command(i) != NULL; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", tool_command(i)->name);
}

// Prints "a|b" with spaces in between.
static void print_choices(FILE* out, const char* choices) {
    for (; *choices; choices++) fputc(*choices == '|' ? ' ' : *choices, out);
}

static bool has_long_alias(const ToolOption* option) {
    return option->alias != NULL && option->alias[1];
}

static void print_bash_command(FILE* out, const ToolCommand* command) {
    ToolOptionPlace place = {0};
    fprintf(out, "    %s)\n        options=\"--help", command->name);
    for (int i = 0; (place = tool_helped_option(command, i)).option != NULL; i++) {
        fprintf(out, " --%s", place.option->name);
        if (has_long_alias(place.option)) fprintf(out, " --%s", place.option->alias);
    }
    fprintf(out, "\"\n        case $before in\n");
    for (int i = 0; (place = tool_helped_option(command, i)).option != NULL; i++) {
        if (place.option->choices != NULL) {
            fprintf(out, "        --%s) values=\"", place.option->name);
            print_choices(out, place.option->choices);
            fprintf(out, "\" ;;\n");
        } else if (place.option->value != NULL && place.option->kind != kToolPath &&
                   place.option->kind != kToolPaths) {
            fprintf(out, "        --%s) return ;;\n", place.option->name); // what only the user knows
        }
    }
    fprintf(out, "        esac ;;\n");
}

// Completes opencl:KEY=VALUE,KEY=VALUE. bash takes ':' and '=' for words of their own; `typed` is all of it,
// `tail` what is to be completed and `head` what the word has in front of that.
static void print_bash_keys(FILE* out) {
    fprintf(out, "_oclite_keys() {\n"
                 "    local at=$COMP_CWORD typed=$word part tail head values=\n"
                 "    while [[ $at -gt 1 && \"${COMP_WORDS[at]} ${COMP_WORDS[at - 1]}\" == *[:=]* ]]; do\n"
                 "        at=$((at - 1)) typed=${COMP_WORDS[at]}$typed\n"
                 "    done\n"
                 "    [[ $typed == *opencl:* ]] || return 1\n"
                 "    part=${typed##*[:,]} tail=${part#*=} head=${word#[:=]}\n"
                 "    head=${head%%\"$tail\"}\n"
                 "    case $part in\n");
    for (const ToolDelegateKey* key = tool_delegate_keys; key->name != NULL; key++) {
        if (key->choices == NULL) continue;
        if (*key->choices == '\0') {
            fprintf(out, "    %s=*) COMPREPLY=($(compgen -P \"$head\" -f -- \"$tail\")); return ;;\n",
                    key->name);
            continue;
        }
        fprintf(out, "    %s=*) values=\"", key->name);
        print_choices(out, key->choices);
        fprintf(out, "\" ;;\n");
    }
    fprintf(out, "    *=*) return ;;\n    *) values=\"");
    for (const ToolDelegateKey* key = tool_delegate_keys; key->name != NULL; key++)
        fprintf(out, "%s%s=", key > tool_delegate_keys ? " " : "", key->name);
    fprintf(out, "\"; compopt -o nospace 2>/dev/null ;;\n    esac\n"
                 "    COMPREPLY=($(compgen -P \"$head\" -W \"$values\" -- \"$tail\"))\n"
                 "}\n");
}

static void print_bash(FILE* out) {
    fprintf(out, "# bash completion of oclite\n");
    print_bash_keys(out);
    fprintf(out,
            "_oclite() {\n"
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options= values=\n"
            "    COMPREPLY=()\n"
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"--help --version ");
    print_commands(out);
    fprintf(out, "\" -- \"$word\"))\n        return\n    fi\n    _oclite_keys && return\n"
                 "    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; tool_command(i) != NULL; i++) print_bash_command(out, tool_command(i));
    fprintf(out, "    esac\n"
                 "    if [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
                 "    elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                 "    else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
                 "}\n"
                 "complete -o filenames -F _oclite oclite\n"
                 "_oclite_benchmark_model() {\n"
                 "    COMP_WORDS=(oclite bench \"${COMP_WORDS[@]:1}\")\n"
                 "    COMP_CWORD=$((COMP_CWORD + 1))\n"
                 "    _oclite\n"
                 "}\n"
                 "complete -o filenames -F _oclite_benchmark_model benchmark_model\n");
}

// Prints a text for single quotes of a shell, without characters that have a meaning in zsh's _arguments.
static void print_quoted(FILE* out, const char* text) {
    for (; *text; text++) {
        if (*text == '\'')
            fprintf(out, "'\\''");
        else
            fputc(*text == '[' || *text == ']' || *text == ':' || *text == '\n' ? ' ' : *text, out);
    }
}

static void print_zsh_option(FILE* out, const ToolOption* option) {
    const bool is_list =
        option->kind == kToolTexts || option->kind == kToolPaths || option->kind == kToolCall;
    fprintf(out, "            '%s--%s[", is_list ? "*" : "", option->name);
    print_quoted(out, option->help);
    fprintf(out, "]");
    if (option->value != NULL) {
        fprintf(out, ":");
        print_quoted(out, option->value);
        fprintf(out, ":");
        if (option->kind == kToolPath || option->kind == kToolPaths) fprintf(out, "_files");
        if (tool_option_takes_keys(option)) {
            fprintf(out, " _oclite_delegate "); // a space: the words as they are
            print_choices(out, option->choices);
        } else if (option->choices != NULL) {
            fprintf(out, "(");
            print_choices(out, option->choices);
            fprintf(out, ")");
        }
    }
    fprintf(out, "' \\\n");
}

static void print_zsh_keys(FILE* out) {
    fprintf(out, "_oclite_delegate() {\n    if ! compset -P \"opencl:\"; then\n"
                 "        compadd -S \"\" -- \"$@\"\n        return\n"
                 "    fi\n    _values -s , key \\\n");
    for (const ToolDelegateKey* key = tool_delegate_keys; key->name != NULL; key++) {
        fprintf(out, "        '%s[", key->name);
        print_quoted(out, key->help);
        fprintf(out, "]:");
        print_quoted(out, key->value);
        fprintf(out, ":");
        if (key->choices != NULL && *key->choices == '\0') fprintf(out, "_files");
        if (key->choices != NULL && *key->choices != '\0') {
            fprintf(out, "(");
            print_choices(out, key->choices);
            fprintf(out, ")");
        }
        fprintf(out, "' \\\n");
    }
    fprintf(out, "        && return\n}\n");
}

static void print_zsh(FILE* out) {
    ToolOptionPlace place = {0};
    fprintf(out, "#compdef oclite\n");
    print_zsh_keys(out);
    fprintf(out, "_oclite() {\n    if (( CURRENT == 2 )); then\n        local -a commands\n"
                 "        commands=(\n");
    for (int i = 0; tool_command(i) != NULL; i++) {
        fprintf(out, "            '%s:", tool_command(i)->name);
        print_quoted(out, tool_command(i)->summary);
        fprintf(out, "'\n");
    }
    fprintf(out, "        )\n        _describe command commands\n        return\n    fi\n"
                 "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (int c = 0; tool_command(c) != NULL; c++) {
        fprintf(out, "    %s)\n        _arguments \\\n", tool_command(c)->name);
        for (int i = 0; (place = tool_helped_option(tool_command(c), i)).option != NULL; i++)
            print_zsh_option(out, place.option);
        fprintf(out, "            '--help[print the help]' '*:file:_files' ;;\n");
    }
    fprintf(out, "    esac\n}\n_oclite \"$@\"\n");
}

// The first key.
static void print_fish_keys(FILE* out) {
    for (const ToolDelegateKey* key = tool_delegate_keys; key->name != NULL; key++)
        fprintf(out, " opencl:%s=", key->name);
}

static void print_fish(FILE* out) {
    ToolOptionPlace place = {0};
    fprintf(out, "# fish completion of oclite\n");
    for (int c = 0; tool_command(c) != NULL; c++) {
        const ToolCommand* command = tool_command(c);
        fprintf(out, "complete -c oclite -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(out, command->summary);
        fprintf(out, "'\n");
        for (int i = 0; (place = tool_helped_option(command, i)).option != NULL; i++) {
            fprintf(out, "complete -c oclite -n '__fish_seen_subcommand_from %s' -l %s", command->name,
                    place.option->name);
            if (place.option->value != NULL) fprintf(out, " -r");
            if (has_long_alias(place.option)) fprintf(out, " -l %s", place.option->alias);
            if (place.option->choices != NULL) {
                fprintf(out, " -f -a '");
                print_choices(out, place.option->choices);
                if (tool_option_takes_keys(place.option)) print_fish_keys(out);
                fprintf(out, "'");
            }
            fprintf(out, " -d '");
            print_quoted(out, place.option->help);
            fprintf(out, "'\n");
        }
    }
}

void tool_completion_print(FILE* out, const char* shell) {
    if (strcmp(shell, "bash") == 0) print_bash(out);
    if (strcmp(shell, "zsh") == 0) print_zsh(out);
    if (strcmp(shell, "fish") == 0) print_fish(out);
}
