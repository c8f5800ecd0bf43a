// SPDX-License-Identifier: Apache-2.0
#include "tools/common/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { kWidth = 30 };

void tool_progress_text(const OcliteOpenclProgress* progress, char* text) {
    char bar[kWidth + 1];
    const int nodes = progress->nodes > 0 ? progress->nodes : 1;
    const int filled = (int)((long long)progress->done * kWidth / nodes);
    for (int i = 0; i < kWidth; i++) bar[i] = i < filled ? '#' : '.';
    bar[kWidth] = '\0';
    snprintf(text, TOOL_PROGRESS_TEXT, "OpenCL: [%s] node %d of %d, %d programs compiled", bar,
             progress->done, progress->nodes, progress->compiled);
}

void tool_progress_draw(void* user_data, const OcliteOpenclProgress* progress) {
    (void)user_data;
    if (progress->compiled == 0 || !isatty(STDERR_FILENO)) return;
    char text[TOOL_PROGRESS_TEXT] = "";
    if (progress->done < progress->nodes) tool_progress_text(progress, text);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
}
