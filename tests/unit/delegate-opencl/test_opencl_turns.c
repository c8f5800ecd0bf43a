// SPDX-License-Identifier: Apache-2.0
// Processes that share a driver's folder take turns: nobody builds, launches for the first time or stores a
// program while another one does what that must not meet.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/system.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/device/program.h"
#include "delegate-opencl/partition/partition.h"
#include "delegate-opencl/plan/step.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

static char folder[64], file[128];

static int make_folder(void** state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/oclite_turns_XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/oclite.lock", folder);
    return setenv("POCL_CACHE_DIR", folder, 1);
}

static int remove_folder(void** state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

// ---- Turns by themselves ----

static bool can_begin(LiteClTurns* turns, uint64_t program, bool alone) {
    const LiteClTurn turn = lite_cl_turn_begin(turns, program, alone);
    lite_cl_turn_end(&turn);
    return turn.file >= 0;
}

static void who_is_alone_excludes_others(void** state) {
    (void)state;
    LiteClTurns *mine = lite_cl_turns_create(60000), *others = lite_cl_turns_create(20);
    const uint64_t program = UINT64_C(0xfedcba9876543210);
    LiteClTurn turn = lite_cl_turn_begin(mine, program, true);
    assert_true(turn.file >= 0);
    assert_true(can_begin(others, program - 4096, true));
    assert_false(can_begin(others, program, true)); // and has no patience left
    assert_false(can_begin(others, program, false));
    lite_cl_turn_end(&turn);
    assert_true(can_begin(others, program, true));
    turn = lite_cl_turn_begin(mine, program, false);
    assert_true(can_begin(others, program, false));
    assert_false(can_begin(others, program, true));
    lite_cl_turn_end(&turn);
    lite_cl_turns_free(mine);
    lite_cl_turns_free(others);
}

static void* end_later(void* turn) {
    usleep(30000);
    lite_cl_turn_end(turn);
    return NULL;
}

static void others_wait(void** state) {
    (void)state;
    LiteClTurns* turns = lite_cl_turns_create(60000);
    LiteClTurn turn = lite_cl_turn_begin(turns, 5, true);
    pthread_t thread;
    const uint64_t begin = lite_clock_ns();
    assert_int_equal(pthread_create(&thread, NULL, end_later, &turn), 0);
    assert_true(can_begin(turns, 5, false));
    assert_true(lite_clock_ns() - begin >= 30000000);
    pthread_join(thread, NULL);
    lite_cl_turns_free(turns);
}

static void turns_end_with_their_process(void** state) {
    (void)state;
    LiteClTurns* turns = lite_cl_turns_create(60000);
    const pid_t child = fork();
    if (child == 0) {
        const LiteClTurn turn = lite_cl_turn_begin(turns, 5, true);
        _exit(turn.file >= 0 ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(can_begin(turns, 5, true));
    lite_cl_turns_free(turns);
}

static void without_a_folder_there_are_none(void** state) {
    assert_int_equal(remove_folder(state), 0);
    LiteClTurns* turns = lite_cl_turns_create(60000);
    assert_non_null(turns);
    assert_false(can_begin(turns, 5, true));
    lite_cl_turns_free(turns);
    assert_false(can_begin(NULL, 5, true));
}

// A file that leads elsewhere is not followed.
static void links_are_not_followed(void** state) {
    (void)state;
    assert_int_equal(symlink("elsewhere", file), 0);
    LiteClTurns* turns = lite_cl_turns_create(60000);
    assert_false(can_begin(turns, 5, true));
    lite_cl_turns_free(turns);
}

// ---- Who takes them ----

static LiteCl functions;
static const LiteCl* original;

// The lock that somebody has: F_UNLCK for none.
static int held(void) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int other = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(other >= 0);
    assert_int_equal(fcntl(other, F_OFD_GETLK, &whole), 0);
    close(other);
    return whole.l_type;
}

// How many there are from a program on.
static int count_held(int other, off_t from) {
    int count = 0;
    for (;; count++) {
        struct flock rest = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from};
        assert_int_equal(fcntl(other, F_OFD_GETLK, &rest), 0);
        if (rest.l_type == F_UNLCK) return count;
        const off_t before = rest.l_start - from; // the one that was found need not be the first
        if (before > 0) {
            struct flock others = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = before};
            assert_int_equal(fcntl(other, F_OFD_GETLK, &others), 0);
            count += others.l_type != F_UNLCK;
        }
        from = rest.l_start + 1;
    }
}

static int builds, stores, launches, launches_with_turn, most_held;

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices,
                                const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                void* data) {
    builds++;
    assert_int_equal(held(), F_WRLCK);
    return original->clBuildProgram(program, count, devices, options, notify, data);
}

static cl_int CL_API_CALL compile_part(cl_program program, cl_uint count, const cl_device_id* devices,
                                       const char* options, cl_uint headers, const cl_program* texts,
                                       const char** names, void(CL_CALLBACK* notify)(cl_program, void*),
                                       void* data) {
    builds++;
    assert_int_equal(held(), F_WRLCK);
    const int other = open(file, O_RDWR | O_CLOEXEC), locks = count_held(other, 0);
    close(other);
    if (locks > most_held) most_held = locks;
    return original->clCompileProgram(program, count, devices, options, headers, texts, names, notify, data);
}

static cl_int CL_API_CALL program_info(cl_program program, cl_program_info what, size_t size, void* value,
                                       size_t* used) {
    if (what == CL_PROGRAM_BINARIES || what == CL_PROGRAM_BINARY_SIZES) {
        stores++;
        assert_int_equal(held(), F_WRLCK);
    }
    return original->clGetProgramInfo(program, what, size, value, used);
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
                                 const size_t* global, const size_t* local, cl_uint count,
                                 const cl_event* events, cl_event* event) {
    launches++;
    launches_with_turn += held() == F_RDLCK;
    return original->clEnqueueNDRangeKernel(queue, kernel, rank, offset, global, local, count, events, event);
}

static void replace_functions(LiteClDevice* device) {
    original = device->cl;
    functions = *original;
    functions.clBuildProgram = build;
    functions.clCompileProgram = compile_part;
    functions.clGetProgramInfo = program_info;
    functions.clEnqueueNDRangeKernel = launch;
    device->cl = &functions;
}

static void launch_steps(LiteClDevice* device, cl_kernel kernel) {
    cl_int error;
    const cl_command_queue queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    LiteClStep step = {.kernel = kernel, .name = "look_up", .local = {1, 1, 1}};
    const size_t global[3] = {0, 0, 0}, offset[3] = {1, 0, 0};
    // It has no arguments, so the driver refuses it; that is no launch.
    for (int i = 0; i < 2; i++)
        assert_int_not_equal(lite_cl_step_enqueue(device, &step, queue, NULL, global, NULL, NULL), kTfLiteOk);
    assert_int_equal(launches, 2);
    assert_int_equal(launches_with_turn, 2);
    // What has been launched takes no turn any more, but for another kind of launch.
    step.is_launched[0] = true;
    (void)lite_cl_step_enqueue(device, &step, queue, NULL, global, NULL, NULL);
    assert_int_equal(launches_with_turn, 2);
    (void)lite_cl_step_enqueue(device, &step, queue, offset, global, NULL, NULL);
    assert_int_equal(launches_with_turn, 3);
    device->cl->clReleaseCommandQueue(queue);
}

static void device_takes_turns(void** state) {
    (void)state;
    // The driver has begun with another folder: its own locks are not those that are looked at.
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    if (device->turns == NULL) {
        lite_cl_device_release(device);
        skip();
    }
    assert_int_equal(lite_cl_device_set_cache(device, folder, NULL), kTfLiteOk);
    replace_functions(device);
    const LiteClProgramKey key = {.family = &lite_cl_source_table,
                                  .prelude = "#define TYPE uchar\n#define INDEX uchar\n#define CACHED 1\n"};
    cl_kernel kernel;
    assert_int_equal(lite_cl_kernel_create(device, &key, "look_up", NULL, &kernel), kTfLiteOk);
    assert_true(builds > 0);
    launch_steps(device, kernel);
    device->cl->clReleaseKernel(kernel);
    lite_cl_programs_keep(device);
    assert_int_equal(stores, 2);
    assert_int_equal(held(), F_UNLCK);
    device->cl = original;
    lite_cl_device_release(device);
}

// One launch of several kernels, which are parts of one program.
static void series_take_turns(void** state) {
    (void)state;
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    if (device->turns == NULL || !device->series) {
        lite_cl_device_release(device);
        skip();
    }
    replace_functions(device);
    builds = launches = launches_with_turn = 0;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("");
    DelegateHost host;
    host_init(&host);
    const int dims[] = {3, 5};
    int t[5];
    for (int i = 0; i < 5; i++) t[i] = host_variable(&host, 2, dims);
    TfLiteSoftmaxParams softmax = {.beta = 1.0f};
    host_node(&host, kTfLiteBuiltinTanh, NULL, NULL, 1, &t[0], t[1]);
    for (int i = 1; i < 4; i++) host_node(&host, kTfLiteBuiltinSoftmax, NULL, &softmax, 1, &t[i], t[i + 1]);
    assert_int_equal(host_delegate(&host, delegate, t[1]), kTfLiteOk); // they are not one kernel
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    assert_int_equal(((LiteClPartition*)host.partition_node.user_data)->plan.series.count, 1);
    assert_true(builds > 1);
    assert_int_equal(most_held, 2); // a part's turn within that of the whole
    for (int run = 1; run <= 2; run++) {
        assert_int_equal(host_invoke(&host), kTfLiteOk);
        assert_int_equal(launches, run);
        assert_int_equal(launches_with_turn, 1);
    }
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
    device->cl = original;
    lite_cl_device_release(device);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_is_alone_excludes_others, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(others_wait, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(turns_end_with_their_process, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(without_a_folder_there_are_none, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(links_are_not_followed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(device_takes_turns, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(series_take_turns, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
