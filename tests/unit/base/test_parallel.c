// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/parallel.h"

enum { kMost = 1000, kMaxThreads = 64 };

typedef struct Log {
    unsigned char visits[kMost];
    int64_t begin[kMaxThreads];
    int64_t end[kMaxThreads];
} Log;

// Parts are disjoint, so that no two threads write the same element.
static void visit(void* argument, int64_t begin, int64_t end, int thread) {
    Log* log = argument;
    log->begin[thread] = begin;
    log->end[thread] = end;
    for (int64_t i = begin; i < end; i++) log->visits[i]++;
}

static void every_element_is_visited_once(void** state) {
    (void)state;
    static const int threads[] = {-1, 0, 1, 2, 3, 7, 64};
    static const int64_t grains[] = {-5, 1, 2, 10, 999, 5000};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
            for (int64_t count = 0; count <= kMost; count += count < 20 ? 1 : 97) {
                Log log = {0};
                lite_parallel_for(threads[t], count, grains[g], visit, &log);
                for (int64_t i = 0; i < kMost; i++) assert_int_equal(log.visits[i], i < count);
            }
        }
    }
}

static void every_item_is_shared_once(void** state) {
    (void)state;
    static const int threads[] = {-1, 0, 1, 2, 3, 7, kMaxThreads};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        for (int64_t count = 0; count <= kMost; count += count < 20 ? 1 : 97) {
            Log log = {0};
            lite_parallel_share(threads[t], count, visit, &log);
            for (int64_t i = 0; i < kMost; i++) assert_int_equal(log.visits[i], i < count);
            // The last call of each thread has an empty range.
            for (int i = 0; i < kMaxThreads; i++) assert_true(log.begin[i] == log.end[i]);
        }
    }
}

static void parts_are_not_smaller_than_the_grain(void** state) {
    (void)state;
    for (int64_t count = 1; count <= kMost; count += 13) {
        Log log = {0};
        lite_parallel_for(8, count, 50, visit, &log);
        for (int i = 0; i < kMaxThreads; i++) {
            const int64_t size = log.end[i] - log.begin[i];
            if (size > 0 && log.end[i] != count) assert_true(size >= 50);
        }
    }
}

static void the_split_is_always_the_same(void** state) {
    (void)state;
    Log first = {0};
    lite_parallel_for(5, 997, 3, visit, &first);
    for (int i = 0; i < 20; i++) {
        Log log = {0};
        lite_parallel_for(5, 997, 3, visit, &log);
        assert_memory_equal(log.begin, first.begin, sizeof log.begin);
        assert_memory_equal(log.end, first.end, sizeof log.end);
    }
}

static void note_thread(void* argument, int64_t begin, int64_t end, int thread) {
    (void)end, (void)thread;
    ((pthread_t*)argument)[begin] = pthread_self();
}

// So that it finds there what it has written before; the other parts are its own too where nobody else comes.
static void the_first_part_is_the_callers(void** state) {
    (void)state;
    for (int round = 0; round < 1000; round++) {
        pthread_t threads[4];
        lite_parallel_for(4, 4, 1, note_thread, threads);
        assert_true(pthread_equal(threads[0], pthread_self()) != 0);
    }
}

static void add_inner(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    for (int64_t i = begin; i < end; i++) ((int*)argument)[i]++;
}

static void add_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    for (int64_t row = begin; row < end; row++)
        lite_parallel_for(4, 10, 1, add_inner, (int*)argument + 10 * row);
}

static void calls_may_nest(void** state) {
    (void)state;
    int sums[100] = {0};
    for (int round = 0; round < 1000; round++) lite_parallel_for(4, 10, 1, add_rows, sums);
    for (int i = 0; i < 100; i++) assert_int_equal(sums[i], 1000);
}

static void* many_calls(void* sums) {
    for (int round = 0; round < 2000; round++) lite_parallel_for(3, 100, 1, add_inner, sums);
    return NULL;
}

static void threads_do_not_disturb_each_other(void** state) {
    (void)state;
    static int sums[4][100];
    memset(sums, 0, sizeof sums);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, many_calls, sums[i]), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 400; i++) assert_int_equal(sums[i / 100][i % 100], 2000);
}

static void a_forked_child_has_its_own_workers(void** state) {
    (void)state;
    int sums[100] = {0};
    lite_parallel_for(4, 100, 1, add_inner, sums);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int round = 0; round < 100; round++) lite_parallel_for(4, 100, 1, add_inner, sums);
        _exit(sums[0] == 101 && sums[99] == 101 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void note_thread_slowly(void* argument, int64_t begin, int64_t end, int thread) {
    note_thread(argument, begin, end, thread);
    for (volatile int i = 0; i < 20000; i++) {}
}

// Of so many jobs, how many had a part that a worker did.
static int count_shared(int jobs) {
    int shared = 0;
    for (int i = 0; i < jobs; i++) {
        pthread_t threads[2];
        lite_parallel_for(2, 2, 1, note_thread_slowly, threads);
        shared += pthread_equal(threads[1], pthread_self()) == 0;
    }
    return shared;
}

static int share_with_one_processor(void) {
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) != 0) return 2;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return 2;
    count_shared(1000);
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) != 0) return 2;
    return used.ru_nvcsw < 60 ? 0 : 3; // a worker that is woken for each job goes to sleep each time
}

// The worker is started with one processor for both, which the pool does not know of.
static void workers_that_are_in_the_way_rest(void** state) {
    (void)state;
    if (lite_processor_count() < 2) skip();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(share_with_one_processor());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void workers_come_back(void** state) {
    (void)state;
    if (lite_processor_count() < 2) skip();
    int shared = 0;
    for (int i = 0; i < 1000 && shared == 0; i++) shared = count_shared(100);
    assert_true(shared > 0);
}

static void* run_until_told(void* barrier) {
    lite_parallel_enter();
    pthread_barrier_wait(barrier);
    pthread_barrier_wait(barrier);
    lite_parallel_leave();
    return NULL;
}

// As many inferences as processors keep these busy by themselves; inferences within others do not count.
static void many_runners_stay_on_their_threads(void** state) {
    (void)state;
    enum { kMostRunners = 64 };
    const int runners = lite_processor_count() < kMostRunners ? lite_processor_count() : kMostRunners;
    for (int i = 0; i < runners; i++) lite_parallel_enter();
    workers_come_back(NULL);
    for (int i = 0; i < runners; i++) lite_parallel_leave();
    if (runners < lite_processor_count()) skip();
    pthread_t threads[kMostRunners];
    pthread_barrier_t barrier;
    assert_int_equal(pthread_barrier_init(&barrier, NULL, (unsigned)runners + 1), 0);
    for (int i = 0; i < runners; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_until_told, &barrier), 0);
    pthread_barrier_wait(&barrier);
    assert_int_equal(count_shared(1000), 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < runners; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&barrier), 0);
    workers_come_back(NULL);
}

static void there_is_a_processor(void** state) {
    (void)state;
    assert_true(lite_processor_count() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_visited_once),
        cmocka_unit_test(every_item_is_shared_once),
        cmocka_unit_test(parts_are_not_smaller_than_the_grain),
        cmocka_unit_test(the_split_is_always_the_same),
        cmocka_unit_test(the_first_part_is_the_callers),
        cmocka_unit_test(calls_may_nest),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(a_forked_child_has_its_own_workers),
        cmocka_unit_test(workers_that_are_in_the_way_rest),
        cmocka_unit_test(workers_come_back),
        cmocka_unit_test(many_runners_stay_on_their_threads),
        cmocka_unit_test(there_is_a_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
