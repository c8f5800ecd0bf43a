// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "delegate-opencl/selftest/spawn.h"

static atomic_int started;

int lite_cl_children_started(void) {
    return atomic_load(&started);
}

enum { MOST_ARGUMENTS = 64, LINE = 256 };

// A child and what it is at.
typedef struct Talk {
    const LiteClChild* child;
    pid_t pid;
    int pipe;
    char line[LINE];
    size_t length;
    int next;              // the name that is due
    bool begun;            // it has begun with it
    bool ended;            // it has said so
    const char* odds;      // what was wrong with what it said, NULL: nothing
    uint64_t until;        // lite_clock_ns by which it has to say more
    uint64_t latest;       // that, where it has got too little of a processor
    uint64_t processor_ms; // what it had of that when it last said something
    uint64_t last;         // and by which all has to end
    void (*tell)(void* user_data, const LiteClVerdict* verdict);
    void* user_data;
} Talk;

// The program's arguments, and the names from `first` on, as execve wants them. NULL: out of memory.
static char** collect(const LiteClChild* child, int first) {
    char** all = lite_calloc((size_t)(child->count - first) + MOST_ARGUMENTS + 2, sizeof *all);
    if (all == NULL) return NULL;
    int count = 0;
    all[count++] = (char*)(uintptr_t)child->program; // nobody writes to them
    for (int i = 0; i < MOST_ARGUMENTS && child->arguments[i] != NULL; i++)
        all[count++] = (char*)(uintptr_t)child->arguments[i];
    for (int i = first; i < child->count; i++) all[count++] = (char*)(uintptr_t)child->names[i];
    return all;
}

// Starts a child for the names from talk->next on.
static bool start(Talk* talk) {
    int ends[2];
    char** arguments = collect(talk->child, talk->next);
    if (arguments == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        lite_free(arguments);
        return false;
    }
    const int error = lite_cl_spawn(talk->child->program, arguments, -1, ends[1], &talk->pid);
    close(ends[1]);
    lite_free(arguments);
    if (error != 0) {
        close(ends[0]);
        return false;
    }
    atomic_fetch_add(&started, 1);
    talk->pipe = ends[0];
    talk->length = 0;
    talk->begun = talk->ended = false;
    talk->odds = NULL;
    return true;
}

// The processor time that a process has had, in ms; 0 where that is not known.
static uint64_t processor_ms(pid_t pid) {
    char path[64], line[1024];
    unsigned long user = 0, kernel = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE* file = fopen(path, "re");
    if (file == NULL) return 0;
    const char* end = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    fclose(file);
    if (end != NULL)
        (void)sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel);
    const long ticks = sysconf(_SC_CLK_TCK);
    return ticks > 0 ? (uint64_t)(user + kernel) * 1000 / (uint64_t)ticks : 0;
}

static void set_limit(Talk* talk) {
    talk->processor_ms = processor_ms(talk->pid);
    talk->until = lite_clock_ns() + (uint64_t)LITE_CL_TRIAL_MS * 1000000;
    talk->latest = lite_clock_ns() + (uint64_t)LITE_CL_STARVED_MS * 1000000;
    if (talk->until > talk->last) talk->until = talk->last;
}

// On a busy machine a child may compile for long without getting at much of a processor. What hangs has none,
// or as much as there is. True: it gets more time.
static bool extend_limit(Talk* talk, uint64_t now) {
    const uint64_t had = processor_ms(talk->pid) - talk->processor_ms;
    const bool starved = had > LITE_CL_TRIAL_MS / 20 && had < (uint64_t)LITE_CL_TRIAL_MS * 3 / 4;
    if (!starved || now >= talk->last || now >= talk->latest) return false;
    talk->until = now + (uint64_t)LITE_CL_TRIAL_MS * 1000000 / 4;
    if (talk->until > talk->last) talk->until = talk->last;
    return true;
}

static const char* due(const Talk* talk) {
    return talk->next < talk->child->count ? talk->child->names[talk->next] : NULL;
}

static void take_line(Talk* talk, const char* line, size_t length) {
    static const char begin[] = "begin ", end[] = "end";
    const char* name = due(talk);
    LiteClVerdict verdict;
    set_limit(talk);
    if (length == strlen(end) && memcmp(line, end, length) == 0) {
        talk->ended = name == NULL;
        if (name != NULL) talk->odds = "it ended too early";
    } else if (name != NULL && length == strlen(begin) + strlen(name) &&
               memcmp(line, begin, strlen(begin)) == 0 &&
               memcmp(line + strlen(begin), name, strlen(name)) == 0 && !talk->begun) {
        talk->begun = true;
    } else if (name != NULL && talk->begun && lite_cl_verdict_read(line, length, &verdict) &&
               strcmp(verdict.name, name) == 0) {
        talk->tell(talk->user_data, &verdict);
        talk->next++;
        talk->begun = false;
    } else {
        talk->odds = "it said what it was not asked";
    }
}

// Takes what has come. False: the child says no more, or nothing that can be believed.
static bool take_bytes(Talk* talk) {
    char bytes[512];
    const ssize_t count = read(talk->pipe, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    for (ssize_t i = 0; i < count && talk->odds == NULL && !talk->ended; i++) {
        if (bytes[i] == '\n') {
            take_line(talk, talk->line, talk->length);
            talk->length = 0;
        } else if (talk->length == LINE) {
            talk->odds = "it said a line without an end";
        } else {
            talk->line[talk->length++] = bytes[i];
        }
    }
    return count > 0 && talk->odds == NULL && !talk->ended;
}

// Listens until the child has said all, ends, or has been silent for too long: then false.
static bool listen_to(Talk* talk) {
    set_limit(talk);
    for (;;) {
        const uint64_t now = lite_clock_ns();
        if (now >= talk->until && !extend_limit(talk, now)) return false;
        struct pollfd wait = {.fd = talk->pipe, .events = POLLIN};
        const int ready = poll(&wait, 1, (int)((talk->until - now) / 1000000) + 1);
        if (ready < 0 && errno != EINTR) return true;
        if (ready > 0 && !take_bytes(talk)) return true;
    }
}

// Ends the child, whatever it is at, with all that it has started. *code: the status of wait; -1 where the
// host has taken it, as some do with all their children.
static void end(Talk* talk, bool kills, int* code) {
    close(talk->pipe);
    enum { GRACE_MS = 2000 };
    const uint64_t until = lite_clock_ns() + (uint64_t)GRACE_MS * 1000000;
    pid_t waited = 0;
    *code = -1;
    // A child that has said all may take its time to end, and hang there as well.
    while (!kills && (waited = waitpid(talk->pid, code, WNOHANG)) == 0 && lite_clock_ns() < until)
        (void)poll(NULL, 0, 1);
    if (waited == 0)
        waited = lite_cl_kill(talk->pid, code) ? talk->pid : -1; // still there: its number is its own
    if (waited < 0) *code = -1;
}

// The verdict on the name that the child was at when it came to its end.
static void judge(Talk* talk, bool hung, int code) {
    LiteClVerdict verdict = {.trial = hung ? kLiteClTrialHangs : kLiteClTrialCrashes};
    if (due(talk) == NULL) return;
    snprintf(verdict.name, sizeof verdict.name, "%s", due(talk));
    if (hung) {
        lite_cl_verdict_detail(&verdict, "after %d s", LITE_CL_TRIAL_MS / 1000);
    } else if (talk->odds != NULL) {
        lite_cl_verdict_detail(&verdict, "%s", talk->odds);
    } else if (code >= 0 && WIFSIGNALED(code)) {
        lite_cl_verdict_detail(&verdict, "signal %d", WTERMSIG(code));
    } else if (code >= 0 && WIFEXITED(code)) {
        lite_cl_verdict_detail(&verdict, "exit status %d", WEXITSTATUS(code));
    }
    talk->tell(talk->user_data, &verdict);
    talk->next++;
}

int lite_cl_child_try(const LiteClChild* child, void (*tell)(void* user_data, const LiteClVerdict* verdict),
                      void* user_data) {
    const int all_ms = child->all_ms > 0 ? child->all_ms : LITE_CL_ALL_TRIALS_MS;
    Talk talk = {.child = child,
                 .last = lite_clock_ns() + (uint64_t)all_ms * 1000000,
                 .tell = tell,
                 .user_data = user_data};
    const int most = child->most_bad_ends > 0 ? child->most_bad_ends : LITE_CL_MOST_BAD_ENDS;
    for (int ends = 0; talk.next < child->count && ends < most && lite_clock_ns() < talk.last; ends++) {
        if (!start(&talk)) return talk.next > 0 ? talk.next : -1;
        const bool heard = listen_to(&talk);
        int code;
        end(&talk, !heard || talk.odds != NULL, &code);
        // Time for all of them may be over while one of them has had little of it.
        const bool over = !heard && lite_clock_ns() >= talk.last;
        if (!talk.ended && !over) judge(&talk, !heard, code);
    }
    return talk.next;
}
