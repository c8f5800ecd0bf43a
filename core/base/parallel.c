// SPDX-License-Identifier: Apache-2.0
// One job at a time runs on the pool. Each thread begins with a part of its own, the caller with the first:
// what a thread has written for one operator is in its cache when the next one reads it, and to fetch it from
// another core's takes several times as long. Then they take what is left. So the caller never waits for a
// worker that has not begun: on a busy machine, where a worker may get no processor for milliseconds, the
// caller does the work itself; and where the system puts a worker on the caller's processor, or stops it in
// the middle of its work, workers are not woken for a while. Jobs that come while another runs, from other
// threads or from within a body, stay on their caller.
#include "core/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "core/base/cancel.h"
#include "core/base/system.h"

#define MAX_SHARES 64
// How often a caller looks for the end before it gives its processor away, and how often a worker looks for
// work before it reads the clock. It takes some 20 us, less on processors with a short pause instruction.
#define MAX_LOOKS 1000
// So many grains of work, which are worth a thread each, pass between looks whether the inference is
// cancelled, about a millisecond. Where one element is a grain it may be much more, and each is followed by
// a look.
#define PIECE_GRAINS 32
// A worker waits awake for this long. To wake it takes some 30 us, more than most operators take that run on
// one thread between others. A time slice is far longer.
#define AWAKE_NS 200000
// A caller that has waited for so long has not met uneven parts, but a worker without a processor. A time
// slice of others takes some milliseconds.
#define STALLED_NS 500000
// On a busy machine workers that are asleep are left alone for so many times the time that was lost, and
// twice as long each time that they were woken in vain.
#define REST 8
#define MAX_REST_NS 32000000
// What it costs about to be pushed from the processor by a worker.
#define PUSHED_NS 250000

typedef struct Job {
    LiteRangeBody body;
    void* argument;
    int64_t count;
    int64_t part;  // elements of a part
    int64_t piece; // elements after which a thread looks whether the inference is cancelled
    LiteCancelScope scope;
} Job;

// The last job in which a worker, or the caller in its place, took this part.
typedef struct Claim {
    _Alignas(64) _Atomic uint64_t job;
} Claim;

static struct {
    _Alignas(64) Job job;              // in one cache line with what threads wait for
    _Atomic uint64_t ticket;           // number of the job (48 bits), its parts (16)
    atomic_int done;                   // parts of the job that are finished
    atomic_int processor;              // the caller's; negative: not known
    _Alignas(64) atomic_int runners;   // inferences that run
    _Alignas(64) pthread_mutex_t busy; // held by the caller whose job runs
    pthread_mutex_t lock;              // of what follows
    pthread_cond_t wake;
    atomic_int sleepers;
    // How workers rest is advice, which nothing else depends on: in no order.
    _Atomic uint64_t rest_until; // by the clock: before, workers are not woken
    _Atomic uint64_t rest_ns;    // the last rest, 0 after a job that a worker has shared
    bool stopping;
    int worker_count; // written with `busy` held
    pthread_t workers[LITE_MAX_PARTS];
    Claim claims[LITE_MAX_PARTS];
} pool = {
    .busy = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static uint64_t ticket_job(uint64_t ticket) {
    return ticket >> 16;
}
static uint32_t ticket_parts(uint64_t ticket) {
    return (uint32_t)ticket & 0xFFFF;
}

static void run_part(const Job* job, int part) {
    int64_t begin = part * job->part;
    const int64_t end = job->count - begin > job->part ? begin + job->part : job->count;
    if (job->scope.cancellation == NULL) {
        job->body(job->argument, begin, end, part);
        return;
    }
    for (int64_t next; begin < end && !lite_cancelled(); begin = next) {
        next = end - begin > job->piece ? begin + job->piece : end;
        job->body(job->argument, begin, next, part);
    }
}

static void do_part(uint32_t part) {
    // A worker works for the inference as long as it does a part, the caller anyway.
    const LiteCancelScope before = lite_cancel_scope();
    if (!before.is_runner) lite_cancel_set_scope((LiteCancelScope){pool.job.scope.cancellation, false});
    run_part(&pool.job, (int)part);
    lite_cancel_set_scope(before);
    atomic_fetch_add(&pool.done, 1);
}

// Does the part if nobody has taken it. Whoever takes a part holds up the caller until it is done, so the job
// cannot change meanwhile; and when it has changed, all its parts had been taken.
static void try_part(uint64_t ticket, uint32_t part) {
    _Atomic uint64_t* claim = &pool.claims[part].job;
    uint64_t last = atomic_load(claim);
    if (last < ticket_job(ticket) && atomic_compare_exchange_strong(claim, &last, ticket_job(ticket))) {
        do_part(part);
    }
}

// Thread number `own` does its own part, then parts that are left of others. Part 0 is the caller's alone.
static void do_parts(uint64_t ticket, uint32_t own) {
    const uint32_t parts = ticket_parts(ticket);
    for (uint32_t part = own; part < parts; part++) try_part(ticket, part);
    for (uint32_t part = 1; part < own && own < parts; part++) try_part(ticket, part);
}

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Others want the processors: so much time was lost.
static void rest(uint64_t lost_ns) {
    uint64_t ns = 2 * atomic_load(&pool.rest_ns);
    if (ns < REST * lost_ns) ns = REST * lost_ns;
    if (ns > MAX_REST_NS) ns = MAX_REST_NS;
    atomic_store_explicit(&pool.rest_ns, ns, memory_order_relaxed);
    atomic_store_explicit(&pool.rest_until, lite_clock_ns() + ns, memory_order_relaxed);
}

// On the caller's processor a worker that waits awake holds up the caller.
static bool is_in_the_way(void) {
    const int processor = atomic_load(&pool.processor);
    return processor >= 0 && processor == sched_getcpu();
}

// Sleeps until there is another job than `last`; false when the pool is to end.
static bool sleep_until_work(uint64_t last) {
    pthread_mutex_lock(&pool.lock);
    // Announced before the last look, as the caller publishes its ticket before it counts sleepers: one of
    // them sees the other.
    atomic_fetch_add(&pool.sleepers, 1);
    while (!pool.stopping && atomic_load(&pool.ticket) == last) pthread_cond_wait(&pool.wake, &pool.lock);
    atomic_fetch_sub(&pool.sleepers, 1);
    const bool stopping = pool.stopping;
    pthread_mutex_unlock(&pool.lock);
    return !stopping;
}

// Waits awake for jobs after number `last`, and does its parts of them, until there was none for a while or
// the processor is the caller's. Returns the number of the last job.
static uint64_t work_awake(uint64_t last, uint32_t number) {
    uint64_t since = lite_clock_ns();
    do {
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            const uint64_t ticket = atomic_load(&pool.ticket);
            if (ticket != last) {
                do_parts(ticket, number);
                last = ticket;
                if (is_in_the_way()) {
                    rest(PUSHED_NS);
                    return last;
                }
                if (atomic_load(&pool.rest_ns) != 0)
                    atomic_store_explicit(&pool.rest_ns, 0, memory_order_relaxed);
                looks = 0;
                since = 0;
            }
            pause_briefly();
        }
        if (since == 0) since = lite_clock_ns();
    } while (lite_clock_ns() - since < AWAKE_NS);
    return last;
}

static void* work(void* own) {
    uint64_t last = 0;
    do {
        last = work_awake(last, (uint32_t)(uintptr_t)own);
    } while (sleep_until_work(last));
    return NULL;
}

// In a forked child there are no workers, and whatever locks were held stay so: the pool starts anew.
static void forget_workers(void) {
    pthread_mutex_init(&pool.busy, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pool.worker_count = 0;
    atomic_store(&pool.runners, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.ticket, ticket_job(atomic_load(&pool.ticket)) << 16); // a job without parts
}

static void register_fork_handler(void) {
    pthread_atfork(NULL, NULL, forget_workers);
}

// An inference within another one, of an operator's own interpreter, is its thread's like that.
static _Thread_local int inferences;

void lite_parallel_enter(void) {
    if (inferences++ == 0) atomic_fetch_add(&pool.runners, 1);
}

void lite_parallel_leave(void) {
    if (--inferences == 0) atomic_fetch_sub(&pool.runners, 1);
}

// Is there a processor for another thread? In a child that was forked in an inference there may be fewer than
// none.
static bool has_room(void) {
    const int processors = lite_processor_count();
    return processors > 1 && atomic_load(&pool.runners) < processors;
}

// Starts workers until there are `wanted`, or no more can be had. With `busy` held.
static void start_workers(int wanted) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_fork_handler);
    while (pool.worker_count < wanted && pthread_create(&pool.workers[pool.worker_count], NULL, work,
                                                        (void*)(uintptr_t)(pool.worker_count + 1)) == 0) {
        pool.worker_count++;
    }
}

// The library is unloaded, or the process ends.
__attribute__((destructor)) static void stop_workers(void) {
    pthread_mutex_lock(&pool.lock);
    pool.stopping = true;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < pool.worker_count; i++) pthread_join(pool.workers[i], NULL);
    pool.worker_count = 0;
}

// All parts of the job have begun.
static void wait_for_end(int parts) {
    for (int looks = 0; looks < MAX_LOOKS; looks++) {
        if (atomic_load(&pool.done) >= parts) return;
        pause_briefly();
    }
    const uint64_t since = lite_clock_ns();
    while (atomic_load(&pool.done) < parts) {
        (void)lite_cancelled(); // lets the program's function be asked, which workers must not do
        sched_yield();
    }
    const uint64_t waited = lite_clock_ns() - since;
    if (waited > STALLED_NS) rest(waited);
}

// Runs `parts` parts of a job, the calling thread among those that do.
static void run_shared(const Job* job, int parts) {
    const int processors = lite_processor_count();
    start_workers((parts < processors ? parts : processors) - 1);
    pool.job = *job;
    atomic_store(&pool.done, 0);
    atomic_store_explicit(&pool.processor, sched_getcpu(), memory_order_relaxed);
    const uint64_t ticket = (ticket_job(atomic_load(&pool.ticket)) + 1) << 16 | (uint64_t)parts;
    atomic_store(&pool.ticket, ticket);
    if (atomic_load(&pool.sleepers) > 0 && lite_clock_ns() >= atomic_load(&pool.rest_until)) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_broadcast(&pool.wake);
        pthread_mutex_unlock(&pool.lock);
    }
    do_part(0);
    if (atomic_load(&pool.done) < parts) do_parts(ticket, 1);
    wait_for_end(parts);
}

void lite_parallel_for(int num_threads, int64_t count, int64_t grain, LiteRangeBody body, void* argument) {
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    int64_t parts = count / grain;
    if (parts > num_threads) parts = num_threads;
    if (parts > LITE_MAX_PARTS) parts = LITE_MAX_PARTS;
    if (parts < 1) parts = 1;
    // The split depends on the arguments only; how many processors share the parts does not matter.
    const Job job = {.body = body,
                     .argument = argument,
                     .count = count,
                     .part = count / parts + (count % parts != 0),
                     .piece = grain == 1                         ? 1
                              : grain > INT64_MAX / PIECE_GRAINS ? INT64_MAX
                                                                 : grain * PIECE_GRAINS,
                     .scope = lite_cancel_scope()};
    const int used = (int)((count + job.part - 1) / job.part);
    if (used > 1 && has_room() && pthread_mutex_trylock(&pool.busy) == 0) {
        run_shared(&job, used);
        pthread_mutex_unlock(&pool.busy);
        return;
    }
    for (int i = 0; i < used; i++) run_part(&job, i);
}

// Items that one thread begins with; on a cache line of its own.
typedef struct Part {
    _Alignas(64) _Atomic int64_t next;
    int64_t end;
} Part;

typedef struct Shares {
    LiteRangeBody body;
    void* argument;
    int count;
    Part parts[MAX_SHARES];
} Shares;

static void take_items(void* argument, int64_t begin, int64_t end, int thread) {
    (void)begin, (void)end;
    Shares* shares = argument;
    for (int i = 0; i < shares->count; i++) {
        Part* part = &shares->parts[(thread + i) % shares->count];
        while (atomic_load_explicit(&part->next, memory_order_relaxed) < part->end && !lite_cancelled()) {
            const int64_t item = atomic_fetch_add_explicit(&part->next, 1, memory_order_relaxed);
            if (item < part->end) shares->body(shares->argument, item, item + 1, thread);
        }
    }
    shares->body(shares->argument, 0, 0, thread);
}

void lite_parallel_share(int num_threads, int64_t count, LiteRangeBody body, void* argument) {
    if (num_threads > MAX_SHARES) num_threads = MAX_SHARES;
    if (num_threads > count) num_threads = (int)count;
    if (num_threads <= 1 || lite_processor_count() == 1) {
        lite_parallel_for(1, count, 1, body, argument);
        body(argument, 0, 0, 0);
        return;
    }
    Shares shares;
    shares.body = body;
    shares.argument = argument;
    shares.count = num_threads;
    for (int i = 0; i < num_threads; i++) {
        atomic_init(&shares.parts[i].next, count / num_threads * i + count % num_threads * i / num_threads);
        shares.parts[i].end = count / num_threads * (i + 1) + count % num_threads * (i + 1) / num_threads;
    }
    lite_parallel_for(num_threads, num_threads, 1, take_items, &shares);
}

int lite_processor_count(void) {
    static atomic_int known;
    int count = atomic_load(&known);
    if (count > 0) return count;
    cpu_set_t allowed;
    count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                                : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1) count = 1;
    atomic_store(&known, count);
    return count;
}
