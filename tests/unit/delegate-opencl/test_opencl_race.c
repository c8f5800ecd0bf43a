// SPDX-License-Identifier: Apache-2.0
// Which of two ways takes less time: what pairs say, when they are enough, and how often the decision is
// wrong on a machine that others use, too.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "delegate-opencl/partition/race.h"

#define SECOND INT64_C(1000000000)

// ---- Pairs ----

static LiteClRace race_of(int pairs, int64_t first, int64_t second) {
    LiteClRace race;
    lite_cl_race_begin(&race, SECOND);
    for (int i = 0; i < pairs; i++) lite_cl_race_add(&race, first, second, 1000);
    return race;
}

static void one_is_ahead(void** state) {
    (void)state;
    LiteClRace race = race_of(3, 1000000, 2000000);
    assert_true(lite_cl_race_is_over(&race)); // by far
    assert_int_equal(lite_cl_race_ratio(&race), 2 * LITE_CL_RACE_ONE);
    assert_int_equal(lite_cl_race_first_ns(&race), 1000000);
    race = race_of(3, 3000000, 1000000);
    assert_true(lite_cl_race_is_over(&race));
    assert_int_equal(lite_cl_race_ratio(&race), LITE_CL_RACE_ONE / 3);
    race = race_of(3, 1000000, 1100000);
    assert_false(lite_cl_race_is_over(&race));
    race = race_of(7, 1000000, 1100000);
    assert_true(lite_cl_race_is_certain(&race));
    assert_true(lite_cl_race_ratio(&race) > LITE_CL_RACE_ONE);
    race = race_of(7, 1100000, 1000000);
    assert_true(lite_cl_race_is_certain(&race));
    assert_true(lite_cl_race_ratio(&race) < LITE_CL_RACE_ONE);
}

// What disturbs a pair now and then changes nothing, nor does what makes all of them twice as long.
static void the_middle_counts(void** state) {
    (void)state;
    LiteClRace race;
    lite_cl_race_begin(&race, SECOND);
    for (int i = 0; i < 30; i++) {
        const int64_t slow = i % 7 < 3 ? 2 : 1;
        lite_cl_race_add(&race, slow * (i % 5 == 0 ? 9000000 : 1000000), slow * 1200000, 1000);
    }
    assert_true(lite_cl_race_is_certain(&race));
    assert_int_equal(lite_cl_race_ratio(&race), (int64_t)1200000 * LITE_CL_RACE_ONE / 1000000);
}

static void ties(void** state) {
    (void)state;
    LiteClRace race = race_of(4, 1000000, 1000000);
    assert_true(lite_cl_race_is_certain(&race));
    assert_int_equal(lite_cl_race_ratio(&race), LITE_CL_RACE_ONE);
    lite_cl_race_begin(&race, SECOND); // as often to either side, by little
    for (int i = 0; i < 4; i++) lite_cl_race_add(&race, 1000000, i % 2 == 0 ? 990000 : 1010000, 1000);
    assert_true(lite_cl_race_is_over(&race));
    lite_cl_race_begin(&race, SECOND); // by much: the time has to end it
    for (int i = 0; !lite_cl_race_is_over(&race); i++)
        lite_cl_race_add(&race, 1000000, i % 2 == 0 ? 700000 : 1300000, 1000);
    assert_int_equal(race.rounds, LITE_CL_RACE_MOST);
    assert_false(lite_cl_race_is_certain(&race));
}

// ---- Clocks ----

static void times_that_are_none(void** state) {
    (void)state;
    static const int64_t none[][2] = {{0, 0}, {0, 5}, {5, 0}, {-1, 5}, {5, INT64_MIN}};
    LiteClRace race;
    lite_cl_race_begin(&race, SECOND);
    for (int i = 0; !lite_cl_race_is_over(&race); i++)
        lite_cl_race_add(&race, none[i % 5][0], none[i % 5][1], 0);
    assert_int_equal(race.rounds, LITE_CL_RACE_MOST);
    assert_int_equal(race.count, 0);
    assert_int_equal(lite_cl_race_ratio(&race), 0);
    assert_int_equal(lite_cl_race_first_ns(&race), -1);
    race = (LiteClRace){0};
    assert_true(lite_cl_race_is_over(&race));
    lite_cl_race_begin(&race, -1);
    assert_true(lite_cl_race_is_over(&race));
    for (int i = 0; i < 3 * LITE_CL_RACE_MOST; i++) lite_cl_race_add(&race, 1, 1, 1); // one too many is none
    assert_int_equal(race.count, LITE_CL_RACE_MOST);
}

// Forwards it ends the race with what is known; backwards it gives the race no more time than it had.
static void clocks_that_jump(void** state) {
    (void)state;
    LiteClRace race = race_of(5, 1000000, 1100000);
    lite_cl_race_add(&race, 1000000, 3600 * SECOND, 3600 * SECOND);
    assert_true(lite_cl_race_is_over(&race));
    assert_true(lite_cl_race_ratio(&race) < LITE_CL_RACE_ONE / 10 * 12);
    race = race_of(5, 1000000, 1100000);
    lite_cl_race_add(&race, INT64_MAX, 1, INT64_MAX);
    lite_cl_race_add(&race, 1, INT64_MAX, INT64_MAX);
    lite_cl_race_add(&race, INT64_MAX, INT64_MAX, INT64_MAX);
    assert_true(lite_cl_race_is_over(&race));
    assert_true(lite_cl_race_ratio(&race) < LITE_CL_RACE_ONE / 10 * 12);
    race = race_of(5, 1000000, 1100000);
    const int64_t left = race.left_ns;
    lite_cl_race_add(&race, -SECOND, 1100000, -SECOND);
    lite_cl_race_add(&race, 1000000, 1100000, INT64_MIN);
    assert_int_equal(race.left_ns, left);
    assert_int_equal(race.count, 6);
}

static void one_never_finishes(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        LiteClRace race = race_of(way, 1000000, 1000000);
        lite_cl_race_give_up(&race, way);
        assert_true(lite_cl_race_is_over(&race) && lite_cl_race_is_certain(&race));
        assert_int_equal(lite_cl_race_ratio(&race) > LITE_CL_RACE_ONE, way == 1);
        lite_cl_race_give_up(&race, 1 - way); // nor does the other one
        assert_int_equal(lite_cl_race_ratio(&race), 0);
    }
}

// ---- Machines ----

static uint64_t random_state;

static double random_between(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

static double random_order(double low, double high) { // each order of magnitude as likely as the other
    return exp(random_between(log(low), log(high)));
}

// Something that makes all work longer, for a while again and again.
typedef struct Trouble {
    bool is_on;
    double until; // nanoseconds
    double factor;
    double on[2], off[2]; // how long
} Trouble;

typedef struct Machine {
    double now;
    Trouble troubles[2];
} Machine;

// In the midst of either, or of none.
static Machine make_machine(void) {
    Machine machine = {.troubles = {{.factor = 2, .on = {5e6, 3e9}, .off = {5e6, 3e9}},     // the clock rate
                                    {.factor = 1.5, .on = {2e6, 5e7}, .off = {1e7, 5e8}}}}; // a neighbour
    for (int i = 0; i < 2; i++) {
        Trouble* trouble = &machine.troubles[i];
        trouble->is_on = random_between(0, 1) < 0.5;
        const double* length = trouble->is_on ? trouble->on : trouble->off;
        trouble->until = random_between(0, random_order(length[0], length[1]));
    }
    return machine;
}

static void compute(Machine* machine, double work) {
    while (work > 0) {
        double factor = 1, until = INFINITY;
        for (int i = 0; i < 2; i++) {
            Trouble* trouble = &machine->troubles[i];
            while (trouble->until <= machine->now) {
                trouble->is_on = !trouble->is_on;
                const double* length = trouble->is_on ? trouble->on : trouble->off;
                trouble->until += random_order(length[0], length[1]);
            }
            if (trouble->is_on) factor *= trouble->factor;
            until = fmin(until, trouble->until);
        }
        const double step = fmin(work * factor, until - machine->now);
        machine->now += step;
        work -= step / factor;
    }
}

static int compare(const void* a, const void* b) {
    const int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
    return (x > y) - (x < y);
}

// As the runtime takes them: the first inference does not count where there are others.
static int64_t take_turn(Machine* machine, double work) {
    enum { MOST = 64 };
    static int64_t times[MOST];
    const double begin = machine->now;
    int runs = 0;
    do {
        const double start = machine->now;
        const double spike = random_between(0, 1) < 0.01 ? random_order(5e4, 4e6) : 0;
        compute(machine, work * random_between(1, 1.03) + spike);
        times[runs > 0 ? (runs - 1) % MOST : 0] = (int64_t)(machine->now - start);
        runs++;
    } while (machine->now - begin < LITE_CL_RACE_TURN_NS);
    const int count = runs <= 2 ? 1 : runs - 1 < MOST ? runs - 1 : MOST;
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

// By how much the decision is worse than the other one would have been.
static double decide(double first, double second) {
    Machine machine = make_machine();
    LiteClRace race;
    lite_cl_race_begin(&race, 2 * SECOND / 5);
    while (!lite_cl_race_is_over(&race)) {
        const double begin = machine.now;
        int64_t times[2];
        for (int i = 0; i < 2; i++) {
            const int way = race.rounds % 2 == 0 ? i : 1 - i;
            times[way] = take_turn(&machine, way == 0 ? first : second);
        }
        lite_cl_race_add(&race, times[0], times[1], (int64_t)(machine.now - begin));
    }
    const double taken = lite_cl_race_ratio(&race) < LITE_CL_RACE_ONE ? second : first;
    return taken / fmin(first, second);
}

static void decisions_on_busy_machines(void** state) {
    (void)state;
    enum { DECISIONS = 10000, MOST_WRONG = 200 };
    int wrong = 0;
    random_state = 1;
    for (int d = 0; d < DECISIONS; d++) {
        const double first = random_order(1e5, 6e7);
        wrong += decide(first, first * random_order(0.7, 1.43)) > 1.05;
    }
    printf("%d of %d decisions are wrong by more than 5 %%\n", wrong, DECISIONS);
    assert_in_range(wrong, 0, MOST_WRONG);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_ahead),
        cmocka_unit_test(the_middle_counts),
        cmocka_unit_test(ties),
        cmocka_unit_test(times_that_are_none),
        cmocka_unit_test(clocks_that_jump),
        cmocka_unit_test(one_never_finishes),
        cmocka_unit_test(decisions_on_busy_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
