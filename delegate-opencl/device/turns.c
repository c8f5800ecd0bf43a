// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/text.h"

enum { FIRST_PAUSE_US = 100, LONGEST_PAUSE_US = 20 * 1000 };

struct LiteClTurns {
    char* file;
    atomic_int patience_us; // that is left
};

// Where PoCL has its folder, by its documentation.
static bool name_file(LiteText* path) {
    const char *own = secure_getenv("POCL_CACHE_DIR"), *cache = secure_getenv("XDG_CACHE_HOME");
    const char* home = secure_getenv("HOME");
    if (own != NULL) {
        lite_text_add(path, "%s/oclite.lock", own);
    } else if (cache != NULL && cache[0] != '\0') {
        lite_text_add(path, "%s/pocl/kcache/oclite.lock", cache);
    } else if (home != NULL) {
        lite_text_add(path, "%s/.cache/pocl/kcache/oclite.lock", home);
    }
    return path->data != NULL && !path->failed;
}

LiteClTurns* lite_cl_turns_create(int patience_ms) {
    LiteText path = {0};
    LiteClTurns* turns = name_file(&path) ? lite_calloc(1, sizeof *turns) : NULL;
    if (turns == NULL) {
        lite_text_free(&path);
        return NULL;
    }
    turns->file = path.data;
    turns->patience_us = patience_ms * 1000;
    return turns;
}

void lite_cl_turns_free(LiteClTurns* turns) {
    if (turns == NULL) return;
    lite_free(turns->file);
    lite_free(turns);
}

// Waits until the lock can be had, as long as there is patience left.
static bool lock(LiteClTurns* turns, int file, uint64_t program, bool alone) {
    struct flock range = {.l_type = (short)(alone ? F_WRLCK : F_RDLCK),
                          .l_whence = SEEK_SET,
                          .l_start = (off_t)(program >> 2),
                          .l_len = 1};
    int pause_us = FIRST_PAUSE_US;
    while (fcntl(file, F_OFD_SETLK, &range) != 0) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR) return false;
        if (atomic_fetch_sub(&turns->patience_us, pause_us) <= 0) return false;
        (void)nanosleep(&(struct timespec){0, pause_us * 1000L}, NULL);
        pause_us = pause_us < LONGEST_PAUSE_US ? pause_us * 2 : LONGEST_PAUSE_US;
    }
    return true;
}

// Each turn opens the file for itself: locks belong to what was opened, which threads would share.
LiteClTurn lite_cl_turn_take(LiteClTurns* turns, uint64_t program, bool alone) {
    const int file = open(turns->file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0 && lock(turns, file, program, alone)) return (LiteClTurn){file};
    if (file >= 0) (void)close(file);
    return (LiteClTurn){-1};
}

void lite_cl_turn_give_back(const LiteClTurn* turn) {
    (void)close(turn->file);
}
