// SPDX-License-Identifier: Apache-2.0
// What a device allows, where no recorded case reaches it: the driver is held to be smaller than it is, or to
// say something else than it does. tests/drivers runs all cases on whole devices that are imitated.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/device/open.h"
#include "delegate-opencl/device/queue.h"
#include "delegate-opencl/ops/conv/local.h"
#include "delegate-opencl/plan/arena.h"
#include "delegate-opencl/plan/launch.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"
#include "tests/support/random_numbers.h"

enum { EXIT_SKIPPED = 77 };

static LiteClDevice* device; // that of the delegate
static TfLiteDelegate* delegate;
static LiteClDevice kept; // as it was

// ---- What drivers say ----

// A driver that answers from here. NULL, or "", is an error.
static struct {
    const char *version, *profile, *extensions;
    size_t group, items[3], parameters;
    cl_uint bits;
    cl_ulong constant;
    cl_device_fp_config floats;
    cl_bool no_compiler;
    cl_command_queue_properties queue;
} answers;

static cl_int give(const void* value, size_t bytes, size_t size, void* to) {
    if (bytes > size) return CL_INVALID_VALUE;
    memcpy(to, value, bytes);
    return CL_SUCCESS;
}

static cl_int give_text(const char* text, size_t size, void* to) {
    return text != NULL ? give(text, strlen(text) + 1, size, to) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL answer(cl_device_id id, cl_device_info what, size_t size, void* to, size_t* used) {
    (void)id;
    (void)used;
    const cl_bool compiles = !answers.no_compiler;
    switch (what) {
    case CL_DEVICE_VERSION:
        return give_text(answers.version, size, to);
    case CL_DEVICE_PROFILE:
        return give_text(answers.profile, size, to);
    case CL_DEVICE_EXTENSIONS:
        return give_text(answers.extensions, size, to);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return give(&answers.group, sizeof answers.group, size, to);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return give(answers.items, sizeof answers.items, size, to);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
        return give(&answers.parameters, sizeof answers.parameters, size, to);
    case CL_DEVICE_ADDRESS_BITS:
        return give(&answers.bits, sizeof answers.bits, size, to);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return give(&answers.constant, sizeof answers.constant, size, to);
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return give(&answers.floats, sizeof answers.floats, size, to);
    case CL_DEVICE_COMPILER_AVAILABLE:
        return give(&compiles, sizeof compiles, size, to);
    case CL_DEVICE_QUEUE_PROPERTIES:
        return give(&answers.queue, sizeof answers.queue, size, to);
    default:
        return CL_INVALID_VALUE;
    }
}

static LiteClLimits read_limits(void) {
    const LiteCl cl = {.clGetDeviceInfo = answer};
    LiteClLimits limits;
    lite_cl_limits_read(&limits, &cl, NULL);
    return limits;
}

static void answer_usually(void) {
    memset(&answers, 0, sizeof answers);
    answers.version = "OpenCL 2.1 driver";
    answers.profile = "FULL_PROFILE";
    answers.extensions = "";
    answers.bits = 64;
    answers.floats = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    answers.queue = CL_QUEUE_PROFILING_ENABLE;
}

static void versions_are_read(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int version;
    } versions[] = {{"OpenCL 1.1 x", 110},
                    {"OpenCL 1.2 CUDA", 120},
                    {"OpenCL 3.0", 300},
                    {"OpenCL 1.0 x", 100},
                    {"3.0", 110},
                    {"", 110},
                    {NULL, 110}};
    answer_usually();
    for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
        answers.version = versions[v].text;
        assert_int_equal(read_limits().version, versions[v].version);
    }
}

// What is less than OpenCL guarantees is not believed, nor is it used to divide by.
static void nonsense_becomes_the_least(void** state) {
    (void)state;
    answer_usually();
    LiteClLimits limits = read_limits(); // zeros
    assert_int_equal(limits.group, 1);
    for (int d = 0; d < 3; d++) assert_int_equal(limits.items[d], 1);
    assert_int_equal(limits.parameters, 256);
    assert_int_equal(limits.constant, 1024);
    answers.bits = 32;
    answers.group = 288;
    answers.items[1] = 12;
    answers.queue = 0;
    limits = read_limits();
    assert_int_equal(limits.group, 288);
    assert_int_equal(limits.items[1], 12);
    assert_int_equal(limits.address_bits, 32);
    assert_false(limits.timers);
}

static void assert_lack(const char* part) {
    const LiteClLimits limits = read_limits();
    if (part[0] == '\0' ? limits.lack[0] != '\0' : strstr(limits.lack, part) == NULL)
        fail_msg("lack: \"%s\", expected \"%s\"", limits.lack, part);
    answer_usually();
}

static void devices_that_cannot_run_kernels_are_told(void** state) {
    (void)state;
    answer_usually();
    assert_lack("");
    answers.version = "OpenCL 1.0 x";
    assert_lack("OpenCL 1.0");
    answers.no_compiler = CL_TRUE;
    assert_lack("CL_DEVICE_COMPILER_AVAILABLE");
    answers.floats = CL_FP_ROUND_TO_ZERO | CL_FP_INF_NAN;
    assert_lack("CL_FP_ROUND_TO_NEAREST");
    answers.floats = CL_FP_ROUND_TO_NEAREST;
    assert_lack("CL_FP_INF_NAN");
    answers.profile = "EMBEDDED_PROFILE";
    assert_lack("cles_khr_int64");
    answers.profile = "EMBEDDED_PROFILE";
    answers.extensions = "cl_khr_fp16 cles_khr_int64";
    assert_lack("");
}

// ---- Grids and launches ----

static void grids_are_within_the_limits(void** state) {
    (void)state;
    static const size_t most_items[][3] = {{1, 1, 1}, {12, 12, 12}, {256, 2, 1}, {1024, 1024, 64}};
    const size_t items[] = {1000, 3, 5};
    LiteClDevice gpu = *device;
    size_t global[3], local[3];
    gpu.class = kLiteClGpu;
    for (size_t m = 0; m < sizeof most_items / sizeof most_items[0]; m++) {
        memcpy(gpu.limits.items, most_items[m], sizeof gpu.limits.items);
        for (size_t most = 1; most <= 512; most += 7) {
            for (size_t spread = 0; spread <= 256; spread += 64) {
                lite_cl_device_grid(&gpu, items, spread, most, global, local);
                assert_true(local[0] * local[1] * local[2] <= most);
                for (int d = 0; d < 3; d++) {
                    assert_true(local[d] >= 1 && local[d] <= most_items[m][d]);
                    assert_true(global[d] >= items[d] && global[d] % local[d] == 0);
                }
            }
        }
    }
}

static void assert_fits(const LiteClLaunch* launch, const char* limit) {
    LiteClReason reason = {""};
    const bool fits = lite_cl_launch_fits(device, launch, &reason);
    if (fits != (limit == NULL) || (limit != NULL && strstr(reason.text, limit) == NULL))
        fail_msg("\"%s\", expected \"%s\"", reason.text, limit != NULL ? limit : "to fit");
}

static void launches_past_a_limit_are_refused(void** state) {
    (void)state;
    device->limits.parameters = 256;
    device->limits.address_bits = 32;
    device->limits.group = 12;
    device->limits.items[0] = 8;
    device->local_memory = 1024;
    assert_fits(&(LiteClLaunch){.args_size = 236, .buffer_count = 5}, NULL);
    assert_fits(&(LiteClLaunch){.args_size = 236, .buffer_count = 6}, "CL_DEVICE_MAX_PARAMETER_SIZE");
    device->limits.address_bits = 64;
    assert_fits(&(LiteClLaunch){.args_size = 236, .buffer_count = 3}, "CL_DEVICE_MAX_PARAMETER_SIZE");
    assert_fits(&(LiteClLaunch){.local_bytes = 1024}, NULL);
    assert_fits(&(LiteClLaunch){.local_bytes = 1028}, "CL_DEVICE_LOCAL_MEM_SIZE");
    assert_fits(&(LiteClLaunch){.group = 8}, NULL);
    assert_fits(&(LiteClLaunch){.group = 9}, "CL_DEVICE_MAX_WORK_ITEM_SIZES");
    assert_fits(&(LiteClLaunch){.source = "", .groups = {4, 3, 1}}, NULL);
    assert_fits(&(LiteClLaunch){.source = "", .groups = {4, 4, 1}}, "CL_DEVICE_MAX_WORK_GROUP_SIZE");
    assert_fits(&(LiteClLaunch){.source = "", .groups = {1, 13, 1}}, "CL_DEVICE_MAX_WORK_GROUP_SIZE");
}

// ---- Memory ----

static void check_part(const LiteClArenas* arenas, const LiteClPart* part, size_t alignment) {
    const LiteCl* cl = device->cl;
    size_t offset = 0, size = 0;
    cl_mem memory = part->memory;
    if (memory == NULL) // cut out when somebody wants it
        assert_int_equal(lite_cl_arenas_cut(arenas, device, part->address, part->bytes, &memory, NULL), 0);
    assert_int_equal(cl->clGetMemObjectInfo(memory, CL_MEM_OFFSET, sizeof offset, &offset, NULL), 0);
    assert_int_equal(cl->clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, NULL), 0);
    assert_int_equal(offset % alignment, 0);
    assert_int_equal(size, part->bytes);
    assert_int_equal(cl->clReleaseMemObject(memory), CL_SUCCESS);
}

// Ten tensors that are all needed at the same time.
static void arenas_are_divided(void** state) {
    (void)state;
    enum { PARTS = 10, BYTES = 1000 };
    static const struct {
        size_t alignment, most;
        int arenas;
    } cases[] = {{128, 1 << 20, 1}, {512, 1 << 20, 1}, {1024, 1 << 20, 1},
                 {128, 3100, 4},    {1024, 2100, 5},   {512, 2000, 10}};
    const LiteReporter silent = {0};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        LiteClArenas arenas = {0};
        LiteClPart parts[PARTS];
        bool seen[PARTS] = {false};
        device->alignment = cases[c].alignment;
        device->max_allocation = cases[c].most;
        for (int i = 0; i < PARTS; i++) parts[i] = (LiteClPart){.storage = i, .bytes = BYTES, .last = 1};
        assert_int_equal(lite_cl_arenas_create(&arenas, device, parts, PARTS, &silent), kTfLiteOk);
        assert_int_equal(arenas.count, cases[c].arenas);
        for (int i = 0; i < PARTS; i++) {
            assert_false(seen[parts[i].storage]);
            seen[parts[i].storage] = true;
            check_part(&arenas, &parts[i], cases[c].alignment);
        }
        lite_cl_arenas_release(&arenas, device);
    }
}

// Buffers that tensors do not share while they are alive, each large enough.
static void buffers_are_shared_whole(void** state) {
    (void)state;
    enum { PARTS = 40, ROUNDS = 50 };
    const LiteReporter silent = {0};
    device->whole_buffers = true;
    for (int round = 0; round < ROUNDS; round++) {
        LiteClArenas arenas = {0};
        LiteClPart parts[PARTS];
        size_t live[PARTS + 1] = {0}, most = 0;
        for (int i = 0; i < PARTS; i++) {
            const int first = random_int(0, PARTS - 1), last = first + random_int(0, PARTS - 1 - first);
            parts[i] = (LiteClPart){
                i, (size_t)random_int(1, 5000), first, round % 2 == 0 ? first : last, NULL, NULL};
            for (int s = parts[i].first; s <= parts[i].last; s++) live[s] += parts[i].bytes;
        }
        for (int s = 0; s < PARTS; s++) most = live[s] > most ? live[s] : most;
        assert_int_equal(lite_cl_arenas_create(&arenas, device, parts, PARTS, &silent), kTfLiteOk);
        assert_true(arenas.bytes >= most && arenas.count <= PARTS);
        for (int i = 0; i < PARTS; i++) {
            size_t size = 0;
            assert_int_equal(
                device->cl->clGetMemObjectInfo(parts[i].memory, CL_MEM_SIZE, sizeof size, &size, NULL),
                CL_SUCCESS);
            assert_true(size >= parts[i].bytes);
            for (int k = 0; k < i; k++)
                assert_true(parts[k].memory != parts[i].memory || parts[k].last < parts[i].first ||
                            parts[i].last < parts[k].first);
        }
        for (int i = 0; i < PARTS; i++)
            assert_int_equal(device->cl->clReleaseMemObject(parts[i].memory), CL_SUCCESS);
        lite_cl_arenas_release(&arenas, device);
    }
}

// The tile for a product fits the device, and a device without fast local memory has none.
static void local_tiles_fit(void** state) {
    (void)state;
    LiteClDevice gpu = *device;
    gpu.local_tiles = true;
    for (int round = 0; round < 20000; round++) {
        gpu.units = random_int(1, 200);
        gpu.local_memory = (size_t)random_int(0, 1 << 17);
        gpu.limits.group = gpu.limits.items[0] = (size_t)random_int(1, 1024);
        const LiteClLocalTile tile = lite_cl_local_tile(&gpu, random_int(1, 1 << random_int(0, 15)),
                                                        random_int(1, 1 << random_int(0, 15)),
                                                        random_int(1, 1 << random_int(0, 30)), 1);
        if (tile.teams == 0) continue;
        assert_true(lite_cl_local_group(&tile) <= gpu.limits.group);
        assert_true((size_t)tile.teams * 16 * (size_t)(tile.rows + 4 + tile.columns) * sizeof(float) <=
                    gpu.local_memory);
        assert_true(tile.rows % tile.item_rows == 0 && tile.item_rows % 4 == 0);
    }
    gpu.local_tiles = false;
    assert_int_equal(lite_cl_local_tile(&gpu, 100, 100, 100, 1).teams, 0);
}

static TfLiteAddParams no_activation;

// y = (x + x) + ((x + x) + x), in tensors that do not fit one buffer of the device together.
static void results_in_several_arenas_are_right(void** state) {
    (void)state;
    enum { COUNT = 1000 };
    DelegateHost host;
    host_init(&host);
    const int dims[] = {COUNT};
    int tensors[4];
    for (int t = 0; t < 4; t++) tensors[t] = host_variable(&host, 1, dims);
    const int nodes[][3] = {{0, 0, 1}, {1, 0, 2}, {1, 2, 3}};
    for (int n = 0; n < 3; n++)
        host_node(&host, kTfLiteBuiltinAdd, NULL, &no_activation, 2,
                  (int[]){tensors[nodes[n][0]], tensors[nodes[n][1]]}, tensors[nodes[n][2]]);
    device->max_allocation = COUNT * sizeof(float);
    device->alignment = 1024;
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host.taken->size, 3);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++) host_floats(&host, tensors[0])[i] = (float)i;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    for (int i = 0; i < COUNT; i++) assert_true(host_floats(&host, tensors[3])[i] == 5.0f * (float)i);
    host_free(&host);
}

typedef struct Told {
    char text[256]; // the last reason
} Told;

static void keep_reason(void* user_data, const OcliteOpenclNode* node) {
    if (!node->taken) snprintf(((Told*)user_data)->text, sizeof((Told*)0)->text, "%s", node->reason);
}

// Neither fails later: nothing is asked of the driver.
static void tensors_past_the_largest_buffer_stay_on_the_host(void** state) {
    (void)state;
    DelegateHost host;
    Told told = {""};
    host_init(&host);
    const int dims[] = {1000};
    const int x = host_variable(&host, 1, dims), y = host_variable(&host, 1, dims);
    host_node(&host, kTfLiteBuiltinAdd, NULL, &no_activation, 2, (int[]){x, x}, y);
    device->max_allocation = 3999;
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_true(host.taken == NULL || host.taken->size == 0);
    oclite_opencl_delegate_explain(delegate, keep_reason, &told);
    assert_non_null(strstr(told.text, "4000 bytes"));
    assert_non_null(strstr(told.text, "3999 (CL_DEVICE_MAX_MEM_ALLOC_SIZE)"));
    host_free(&host);
}

static void devices_that_lack_something_get_no_node(void** state) {
    (void)state;
    DelegateHost host;
    Told told = {""};
    host_init(&host);
    const int dims[] = {10};
    const int x = host_variable(&host, 1, dims), y = host_variable(&host, 1, dims);
    host_node(&host, kTfLiteBuiltinAdd, NULL, &no_activation, 2, (int[]){x, x}, y);
    strcpy(device->limits.lack, "it is made of wood");
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_true(host.taken == NULL || host.taken->size == 0);
    oclite_opencl_delegate_explain(delegate, keep_reason, &told);
    assert_non_null(strstr(told.text, "made of wood"));
    host_free(&host);
}

// Has the delegate taken the one node?
static bool takes(DelegateHost* host, Told* told) {
    assert_int_equal(host_delegate(host, delegate, -1), kTfLiteOk);
    oclite_opencl_delegate_explain(delegate, keep_reason, told);
    return host->taken != NULL && host->taken->size == 1;
}

// Of an operator of each kind (LiteClRounds), on a device whose driver ends loops early.
static void loops_that_would_be_ended_stay_on_the_host(void** state) {
    (void)state;
    static const float weights[2 * (LITE_CL_ROUNDS + 1)];
    static TfLiteFullyConnectedParams dense;
    static TfLiteSoftmaxParams softmax = {.beta = 1};
    device->ends_loops = true;
    for (int more = 0; more < 2; more++) {
        const int count = LITE_CL_ROUNDS + more, row[] = {1, count}, two[] = {1, 2}, filter[] = {2, count};
        for (int kind = 0; kind < 3; kind++) {
            DelegateHost host;
            Told told = {""};
            host_init(&host);
            const int x = host_variable(&host, 2, row), y = host_variable(&host, 2, kind == 1 ? two : row);
            if (kind == 0) {
                host_node(&host, kTfLiteBuiltinSoftmax, NULL, &softmax, 1, (int[]){x}, y);
            } else if (kind == 1) {
                const int w = host_constant(&host, kTfLiteFloat32, 2, filter, weights);
                host_node(&host, kTfLiteBuiltinFullyConnected, NULL, &dense, 2, (int[]){x, w}, y);
            } else {
                host_node(&host, kTfLiteBuiltinAdd, NULL, &no_activation, 2, (int[]){x, x}, y);
            }
            assert_int_equal(takes(&host, &told), more == 0 || kind == 2);
            if (more == 1 && kind < 2) assert_non_null(strstr(told.text, "more than 65535 rounds"));
            host_free(&host);
        }
    }
}

// ---- Queues ----

static void markers_of_old_versions(void** state) {
    (void)state;
    const LiteReporter silent = {0};
    const LiteClQueueHints none = {0};
    cl_command_queue queue;
    for (int version = 110; version <= 120; version += 10) {
        device->limits.version = version;
        cl_event first = NULL, second = NULL, third = NULL;
        assert_int_equal(lite_cl_queue_create(device, 0, &none, &queue, &silent), kTfLiteOk);
        assert_int_equal(lite_cl_queue_marker(device, queue, 0, NULL, &first), CL_SUCCESS);
        assert_int_equal(lite_cl_queue_barrier(device, queue, 1, &first, &second), CL_SUCCESS);
        assert_int_equal(lite_cl_queue_barrier(device, queue, 1, &first, NULL), CL_SUCCESS);
        assert_int_equal(lite_cl_queue_marker(device, queue, 2, (cl_event[]){first, second}, &third),
                         CL_SUCCESS);
        assert_int_equal(device->cl->clWaitForEvents(1, &third), CL_SUCCESS);
        cl_event events[] = {first, second, third};
        for (int e = 0; e < 3; e++) assert_int_equal(device->cl->clReleaseEvent(events[e]), CL_SUCCESS);
        assert_int_equal(device->cl->clReleaseCommandQueue(queue), CL_SUCCESS);
    }
}

static void timers_that_are_absent_are_told(void** state) {
    (void)state;
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.profiling = true;
    device->limits.timers = false;
    TfLiteDelegate* timed = oclite_opencl_delegate_create(&options);
    assert_non_null(timed);
    assert_non_null(strstr(oclite_opencl_delegate_warning(timed), "profiling has no effect"));
    oclite_opencl_delegate_delete(timed);
}

static int open_device(void** state) {
    (void)state;
    delegate = oclite_opencl_delegate_create(NULL);
    device = lite_cl_device_acquire(NULL, NULL);
    if (delegate == NULL || device == NULL) return -1;
    kept = *device;
    return 0;
}

static int close_device(void** state) {
    (void)state;
    oclite_opencl_delegate_delete(delegate);
    lite_cl_device_release(device);
    return 0;
}

static int restore(void** state) {
    (void)state;
    device->limits = kept.limits;
    device->alignment = kept.alignment;
    device->max_allocation = kept.max_allocation;
    device->local_memory = kept.local_memory;
    device->ends_loops = kept.ends_loops;
    device->whole_buffers = kept.whole_buffers;
    return 0;
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_read),
        cmocka_unit_test(nonsense_becomes_the_least),
        cmocka_unit_test(devices_that_cannot_run_kernels_are_told),
        cmocka_unit_test(grids_are_within_the_limits),
        cmocka_unit_test_teardown(launches_past_a_limit_are_refused, restore),
        cmocka_unit_test_teardown(arenas_are_divided, restore),
        cmocka_unit_test_teardown(buffers_are_shared_whole, restore),
        cmocka_unit_test(local_tiles_fit),
        cmocka_unit_test_teardown(results_in_several_arenas_are_right, restore),
        cmocka_unit_test_teardown(tensors_past_the_largest_buffer_stay_on_the_host, restore),
        cmocka_unit_test_teardown(devices_that_lack_something_get_no_node, restore),
        cmocka_unit_test_teardown(loops_that_would_be_ended_stay_on_the_host, restore),
        cmocka_unit_test_teardown(markers_of_old_versions, restore),
        cmocka_unit_test_teardown(timers_that_are_absent_are_told, restore),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
