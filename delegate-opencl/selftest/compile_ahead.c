// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/compile_ahead.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/system.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/selftest/identity.h"
#include "delegate-opencl/selftest/program.h"
#include "delegate-opencl/selftest/spawn.h"

// What is still to be compiled. Others take from the front, this process from the back.
typedef struct Work {
    LiteClDevice* device;
    const LiteClCompilation* all;
    pthread_mutex_t mutex; // guards the two
    int front, back;
} Work;

// A process that compiles, and the thread that talks to it.
typedef struct Compiler {
    Work* work;
    pthread_t thread;
    pid_t pid;
    int socket;
} Compiler;

static int take_front(Work* work) {
    pthread_mutex_lock(&work->mutex);
    const int taken = work->front < work->back ? work->front++ : -1;
    pthread_mutex_unlock(&work->mutex);
    return taken;
}

static int take_back(Work* work) {
    pthread_mutex_lock(&work->mutex);
    const int taken = work->front < work->back ? --work->back : -1;
    pthread_mutex_unlock(&work->mutex);
    return taken;
}

// ---- Other processes ----

// A child that has ended is no reason for a signal, which would end the host.
static bool send_all(int socket, const void* bytes, size_t size) {
    for (size_t sent = 0; sent < size;) {
        const ssize_t count = send(socket, (const char*)bytes + sent, size - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) sent += (size_t)count;
    }
    return true;
}

static bool is_compiled(int socket) {
    const uint64_t until = lite_clock_ns() + (uint64_t)LITE_CL_COMPILE_MS * 1000000;
    for (;;) {
        const uint64_t now = lite_clock_ns();
        struct pollfd wait = {.fd = socket, .events = POLLIN};
        char answer = 0;
        if (now >= until) return false;
        const int ready = poll(&wait, 1, (int)((until - now) / 1000000) + 1);
        if (ready < 0 && errno != EINTR) return false;
        if (ready > 0) return recv(socket, &answer, 1, 0) == 1 && answer == LITE_CL_COMPILED;
    }
}

static void* let_compile(void* user_data) {
    const Compiler* compiler = user_data;
    Work* work = compiler->work;
    bool works = true;
    for (int i; works && (i = take_front(work)) >= 0;) {
        const LiteClCompilation* part = &work->all[i];
        const LiteClCompileRequest request = {(uint32_t)strlen(part->options), (uint32_t)part->text.length};
        const LiteClTurn turn = lite_cl_turn_begin(work->device->turns, part->turn, true);
        works = send_all(compiler->socket, &request, sizeof request) &&
                send_all(compiler->socket, part->options, request.options) &&
                send_all(compiler->socket, part->text.data, request.text) && is_compiled(compiler->socket);
        lite_cl_turn_end(&turn);
    }
    return NULL;
}

static bool start(Compiler* compiler, char* const* arguments) {
    const struct timeval patience = {.tv_sec = LITE_CL_COMPILE_MS / 1000};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    (void)setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); // it may not read
    const int error = lite_cl_spawn(arguments[0], arguments, ends[1], ends[1], &compiler->pid);
    close(ends[1]);
    compiler->socket = ends[0];
    if (error != 0) {
        close(ends[0]);
        return false;
    }
    if (pthread_create(&compiler->thread, NULL, let_compile, compiler) == 0) return true;
    int code;
    close(ends[0]);
    (void)lite_cl_kill(compiler->pid, &code);
    return false;
}

static int start_all(Work* work, Compiler* compilers, int wanted) {
    static char compile[] = "--compile";
    const LiteClDevice* device = work->device;
    LiteClIdentity identity;
    LiteClProgramArguments arguments;
    int count = 0;
    const int number = lite_cl_device_number(device);
    lite_cl_identity_read(device->cl, device->platform, device->id, &identity);
    if (number < 0 || !lite_cl_selftest_arguments(number, identity.hash, &arguments)) return 0;
    arguments.all[arguments.count++] = compile;
    while (count < wanted) {
        compilers[count].work = work;
        if (!start(&compilers[count], arguments.all)) break;
        count++;
    }
    return count;
}

static void end_all(Compiler* compilers, int count) {
    for (int i = 0; i < count; i++) {
        int code;
        (void)pthread_join(compilers[i].thread, NULL);
        close(compilers[i].socket);
        (void)lite_cl_kill(compilers[i].pid, &code); // it has nothing to do any more, or hangs
    }
}

// ---- This process ----

// The first program that PoCL links makes it read its library of functions, as long as some parts take.
static void read_library(const LiteClDevice* device) {
    static const char* text = "kernel void nothing(void) {}";
    const LiteCl* cl = device->cl;
    cl_program program = cl->clCreateProgramWithSource(device->context, 1, &text, NULL, NULL);
    if (program == NULL) return;
    (void)cl->clBuildProgram(program, 1, &device->id, "-w -D _OPENCL_H_", NULL, NULL);
    cl->clReleaseProgram(program);
}

// How many processes are worth it for what is left.
static int find_wanted(const Work* work) {
    const int parts = work->back - work->front, processors = lite_processor_count();
    int wanted = parts / LITE_CL_PARTS_EACH;
    if (wanted > processors - 1) wanted = processors - 1;
    return wanted < LITE_CL_COMPILERS ? wanted : LITE_CL_COMPILERS;
}

// Compiles parts until one is not found compiled. Returns false when all are.
static bool compile_first(Work* work) {
    for (int i; (i = take_back(work)) >= 0;) {
        const uint64_t begin = lite_clock_ns();
        lite_cl_program_compile(work->device, work->all[i].part);
        if (lite_clock_ns() - begin > (uint64_t)LITE_CL_FOUND_MS * 1000000) return true;
    }
    return false;
}

static void compile_all(Work* work) {
    Compiler compilers[LITE_CL_COMPILERS];
    const bool is_more = find_wanted(work) > 0 && compile_first(work);
    const int count = is_more ? start_all(work, compilers, find_wanted(work)) : 0;
    if (count == 0) return;
    read_library(work->device);
    for (int i; (i = take_back(work)) >= 0;) lite_cl_program_compile(work->device, work->all[i].part);
    end_all(compilers, count);
}

// Where PoCL keeps nothing, what others compile is lost.
static bool is_kept(void) {
    const char* keeps = getenv("POCL_KERNEL_CACHE");
    return keeps == NULL || strcmp(keeps, "0") != 0;
}

void lite_cl_compile_ahead(LiteClDevice* device, LiteClProgram* const* parts, int count) {
    LiteClCompilation* all =
        device->turns != NULL && is_kept() && count > 0 ? lite_calloc((size_t)count, sizeof *all) : NULL;
    if (all == NULL) return;
    Work work = {.device = device, .all = all};
    for (int i = 0; i < count; i++) work.back += lite_cl_program_describe(device, parts[i], &all[work.back]);
    if (pthread_mutex_init(&work.mutex, NULL) == 0) {
        compile_all(&work);
        pthread_mutex_destroy(&work.mutex);
    }
    for (int i = 0; i < count; i++) lite_text_free(&all[i].text);
    lite_free(all);
}
