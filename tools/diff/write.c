// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/file.h"
#include "tools/diff/alone.h"

// Appends a word, quoted for the shell.
static void append_word(char* text, size_t room, const char* word) {
    const size_t used = strlen(text);
    char* at = text + used;
    char* end = text + room - 1;
    const bool plain =
        word[0] && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                     "_-+=./,:@%")] == '\0';
    if (used && at < end) *at++ = ' ';
    if (!plain && at < end) *at++ = '\'';
    for (; *word && at < end; word++) {
        if (*word != '\'') {
            *at++ = *word;
        } else if (end - at >= 4) {
            memcpy(at, "'\\''", 4);
            at += 4;
        }
    }
    if (!plain && at < end) *at++ = '\'';
    *at = '\0';
}

// Makes "DIR/node_17_CONV_2D"; characters that do not belong in a file name become '_'.
static bool name_stem(const DiffWork* work, const char* folder, char* stem, size_t room) {
    const int node = work->finding.nodes[0];
    const int length =
        snprintf(stem, room, "%s/node_%d_%s", folder, node, diff_graph_node(&work->graph, node).op);
    if (length < 0 || (size_t)length >= room) return false;
    for (char* c = stem + strlen(folder) + 1; *c; c++) {
        const bool usual = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!usual) *c = '_';
    }
    return true;
}

typedef struct Files {
    const char* stem;
    int inputs; // written so far
    bool made_folder;
} Files;

static void input_stem(const Files* files, int index, char* stem, size_t room) {
    snprintf(stem, room, "%s_in%d", files->stem, index);
}

static void input_path(const Files* files, int index, bool is_strings, char* path, size_t room) {
    snprintf(path, room, "%s_in%d.%s", files->stem, index, is_strings ? "json" : "npy");
}

static void remove_files(const Files* files, const DiffAlone* alone, const char* folder) {
    char path[DIFF_MAX_PATH];
    for (int i = 0; i < files->inputs; i++) {
        input_path(files, i, alone->inputs[i].is_strings, path, sizeof(path));
        remove(path);
    }
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s.%s", files->stem, i ? "tflite" : "txt");
        remove(path);
    }
    if (files->made_folder) rmdir(folder);
}

static void write_command(const DiffWork* work, const Files* files, const DiffAlone* alone, char* command,
                          size_t room) {
    char path[DIFF_MAX_PATH];
    command[0] = '\0';
    append_word(command, room, "oclite");
    append_word(command, room, "diff");
    snprintf(path, sizeof(path), "%s.tflite", files->stem);
    append_word(command, room, path);
    for (int s = 0; s < 2; s++) {
        append_word(command, room, s ? "--b" : "--a");
        append_word(command, room, alone->texts[s]);
    }
    for (int i = 0; i < alone->cut.input_count; i++) {
        input_path(files, i, alone->inputs[i].is_strings, path, sizeof(path));
        append_word(command, room, "--in");
        append_word(command, room, path);
    }
    if (work->tolerance_text != NULL) {
        append_word(command, room, "--tolerance");
        append_word(command, room, work->tolerance_text);
    }
    if (work->python != NULL && (work->sides[0].litert != NULL || work->sides[1].litert != NULL)) {
        append_word(command, room, "--python");
        append_word(command, room, work->python);
    }
}

static ToolStatus write_all(DiffWork* work, DiffAlone* alone, Files* files, ToolMessage* message) {
    char path[DIFF_MAX_PATH];
    DiffFinding* finding = &work->finding;
    snprintf(path, sizeof(path), "%s.tflite", files->stem);
    ToolStatus status = diff_alone_make(work, finding->nodes, finding->node_count, path, alone, message);
    for (int i = 0; i < alone->cut.input_count && status == kToolOk; i++) {
        input_stem(files, i, path, sizeof(path));
        status = tool_input_write(&alone->inputs[i], path, message);
        files->inputs = i + 1;
    }
    if (status != kToolOk) return status;
    write_command(work, files, alone, finding->command, sizeof(finding->command));
    snprintf(path, sizeof(path), "%s.txt", files->stem);
    return tool_file_write(path, finding->command, strlen(finding->command), "\n", 1, message);
}

ToolStatus diff_write(DiffWork* work, const char* folder, ToolMessage* message) {
    char stem[DIFF_MAX_PATH - 64];
    struct stat about;
    DiffAlone alone = {.worst = -1};
    if (!work->finding.is_alone || !diff_is_beyond(&work->finding.own)) {
        if (work->finding.cause != kDiffNone && work->finding.cause != kDiffRandom) {
            tool_fail(&work->finding.note, kToolOk, "nothing is written, as no node shows it by itself");
        }
        return kToolOk;
    }
    if (!name_stem(work, folder, stem, sizeof(stem))) {
        return tool_fail(message, kToolFile, "%s: the path is too long", folder);
    }
    Files files = {.stem = stem, .made_folder = stat(folder, &about) != 0};
    ToolStatus status = tool_folder_make(folder, message);
    if (status != kToolOk) return status;
    status = write_all(work, &alone, &files, message);
    if (status != kToolOk) {
        remove_files(&files, &alone, folder);
        work->finding.command[0] = '\0';
    }
    diff_alone_free(&alone);
    return status;
}
