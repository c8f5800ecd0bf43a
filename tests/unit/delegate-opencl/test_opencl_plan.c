// SPDX-License-Identifier: Apache-2.0
// Partitions of several nodes: intermediates, views, outputs that are read again, new shapes, moved memory,
// hosts that break the rules.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/partition/partition.h"
#include "delegate-opencl/plan/plan.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77 };

static TfLiteDelegate* delegate;
static TfLiteAddParams no_activation;

static void add_node(DelegateHost* host, int a, int b, int y) {
    host_node(host, kTfLiteBuiltinAdd, NULL, &no_activation, 2, (int[]){a, b}, y);
}

static void fill(DelegateHost* host, int tensor, float first) {
    for (int i = 0; i < host_elements(host, tensor); i++) host_floats(host, tensor)[i] = first + (float)i;
}

static void assert_contents(DelegateHost* host, int tensor, int count, float first, float step) {
    assert_int_equal(host_elements(host, tensor), count);
    for (int i = 0; i < count; i++) {
        const float want = first + step * (float)i;
        if (host_floats(host, tensor)[i] != want) {
            fail_msg("element %d: %g, expected %g", i, (double)host_floats(host, tensor)[i], (double)want);
        }
    }
}

static void delegate_all(DelegateHost* host, int extra_output) {
    assert_int_equal(host_delegate(host, delegate, extra_output), kTfLiteOk);
    assert_non_null(host->taken);
    assert_int_equal(host->taken->size, host->node_count);
}

// y = ((x + x) + (x + x)) + x, 2 (x + x) is also an output.
static void intermediates_and_outputs_that_are_read_again(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    const int dims[] = {3, 50};
    const int x = host_variable(&host, 2, dims), twice = host_variable(&host, 2, dims);
    const int four = host_variable(&host, 2, dims), y = host_variable(&host, 2, dims);
    add_node(&host, x, x, twice);
    add_node(&host, twice, twice, four);
    add_node(&host, four, x, y);
    delegate_all(&host, four);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    for (int run = 0; run < 3; run++) {
        fill(&host, x, (float)run);
        assert_int_equal(host_invoke(&host), kTfLiteOk);
        assert_contents(&host, y, 150, 5.0f * (float)run, 5.0f);
        assert_contents(&host, four, 150, 4.0f * (float)run, 4.0f);
    }
    host_free(&host);
}

// Ten additions in a row: the arena is reused from step to step.
static void long_chains_reuse_memory(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    int tensors[11];
    for (int i = 0; i < 11; i++) tensors[i] = host_variable(&host, 1, (int[]){1000});
    for (int i = 0; i < 10; i++) add_node(&host, tensors[i], tensors[i], tensors[i + 1]);
    delegate_all(&host, -1);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    fill(&host, tensors[0], 1.0f);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    assert_contents(&host, tensors[10], 1000, 1024.0f, 1024.0f);
    host_free(&host);
}

// x -> reshape -> y: nothing but a view, between two tensors of the host. And a view of a constant.
static void views_alone_copy(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    float values[6] = {0, 1, 2, 3, 4, 5};
    const int x = host_variable(&host, 2, (int[]){2, 3}), y = host_variable(&host, 1, (int[]){6});
    const int z = host_variable(&host, 3, (int[]){1, 6, 1});
    const int shape = host_constant(&host, kTfLiteInt32, 1, (int[]){1}, (int[]){-1});
    const int long_shape = host_constant(&host, kTfLiteInt32, 1, (int[]){3}, (int[]){1, 6, 1});
    const int constant = host_constant(&host, kTfLiteFloat32, 1, (int[]){6}, values);
    host_node(&host, kTfLiteBuiltinReshape, NULL, NULL, 2, (int[]){x, shape}, y);
    host_node(&host, kTfLiteBuiltinReshape, NULL, NULL, 2, (int[]){constant, long_shape}, z);
    delegate_all(&host, -1);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    fill(&host, x, 7.0f);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    assert_contents(&host, y, 6, 7.0f, 1.0f);
    assert_contents(&host, z, 6, 0.0f, 1.0f);
    assert_int_equal(host.tensors[z].dims->size, 3);
    host_free(&host);
}

// x -> squeeze -> add -> expand -> add: views in between cost no step and see the right memory.
static void views_between_nodes(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    TfLiteSqueezeParams squeeze = {.num_squeeze_dims = 0};
    const int x = host_variable(&host, 4, (int[]){1, 5, 1, 7}), flat = host_variable(&host, 2, (int[]){5, 7});
    const int sum = host_variable(&host, 2, (int[]){5, 7}), high = host_variable(&host, 3, (int[]){5, 1, 7});
    const int y = host_variable(&host, 3, (int[]){5, 1, 7});
    const int axis = host_constant(&host, kTfLiteInt32, 0, NULL, (int[]){-2});
    host_node(&host, kTfLiteBuiltinSqueeze, NULL, &squeeze, 1, &x, flat);
    add_node(&host, flat, flat, sum);
    host_node(&host, kTfLiteBuiltinExpandDims, NULL, NULL, 2, (int[]){sum, axis}, high);
    add_node(&host, high, high, y);
    delegate_all(&host, -1);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    fill(&host, x, 0.0f);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    assert_contents(&host, y, 35, 0.0f, 4.0f);
    assert_int_equal(host.tensors[y].dims->data[1], 1);
    host_free(&host);
}

static void new_shapes_are_prepared_again(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 1, (int[]){4}), twice = host_variable(&host, 1, (int[]){4});
    const int y = host_variable(&host, 1, (int[]){4});
    add_node(&host, x, x, twice);
    add_node(&host, twice, x, y);
    delegate_all(&host, -1);
    static const int sizes[] = {4, 9000, 0, 1, 9000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        host_resize(&host, x, 1, &sizes[s]);
        assert_int_equal(host_prepare(&host), kTfLiteOk);
        fill(&host, x, 2.0f);
        // Twice with other memory in between, as hosts with their own allocators do.
        assert_int_equal(host_invoke(&host), kTfLiteOk);
        assert_contents(&host, y, sizes[s], 6.0f, 3.0f);
        host_resize(&host, x, 1, &sizes[s]);
        fill(&host, x, 3.0f);
        assert_int_equal(host_invoke(&host), kTfLiteOk);
        assert_contents(&host, y, sizes[s], 9.0f, 3.0f);
    }
    host_free(&host);
}

static void sizes_are_checked_in_invoke(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 1, (int[]){4}), y = host_variable(&host, 1, (int[]){4});
    add_node(&host, x, x, y);
    delegate_all(&host, -1);
    assert_int_equal(host_invoke(&host), kTfLiteDelegateError);
    assert_non_null(strstr(host.message, "prepared"));
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    host_resize(&host, x, 1, (int[]){3});
    assert_int_equal(host_invoke(&host), kTfLiteDelegateError);
    assert_non_null(strstr(host.message, "12 bytes, 16"));
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    host_free(&host);
}

static void shapes_that_do_not_fit_fail_in_prepare(void** state) {
    (void)state;
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 2, (int[]){4, 3}), y = host_variable(&host, 2, (int[]){4, 3});
    const int b = host_constant(&host, kTfLiteFloat32, 1, (int[]){3}, NULL);
    add_node(&host, x, b, y);
    delegate_all(&host, -1);
    host_resize(&host, x, 2, (int[]){4, 5});
    assert_int_equal(host_prepare(&host), kTfLiteDelegateError);
    assert_non_null(strstr(host.message, "ADD"));
    assert_int_equal(host_invoke(&host), kTfLiteDelegateError);
    host_resize(&host, x, 2, (int[]){7, 3});
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    host_free(&host);
}

// The host's own node never runs here: the memory of its output is garbage.
static void weights_that_the_host_dequantizes_are_constants(void** state) {
    (void)state;
    static const uint16_t halves[2 * 3] = {0x3c00, 0, 0, 0, 0x4000, 0xbc00}; // 1, 0, 0; 0, 2, -1
    TfLiteDelegate* partial = oclite_opencl_delegate_create_from_string("deny=DEQUANTIZE");
    TfLiteFullyConnectedParams dense = {0};
    DelegateHost host;
    host_init(&host);
    const int kept = host_constant(&host, kTfLiteFloat16, 2, (int[]){2, 3}, halves);
    const int w = host_variable(&host, 2, (int[]){2, 3});
    const int x = host_variable(&host, 2, (int[]){1, 3}), y = host_variable(&host, 2, (int[]){1, 2});
    host_node(&host, kTfLiteBuiltinDequantize, NULL, NULL, 1, (int[]){kept}, w);
    host_node(&host, kTfLiteBuiltinFullyConnected, NULL, &dense, 2, (int[]){x, w}, y);
    assert_int_equal(host_delegate(&host, partial, -1), kTfLiteOk);
    assert_int_equal(host.taken->size, 1);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    assert_int_equal(((const LiteClPartition*)host.partition_node.user_data)->boundary.input_count, 1);
    fill(&host, x, 5);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    assert_contents(&host, y, 2, 5, 0); // 5, 2 * 6 - 7
    host_free(&host);
    oclite_opencl_delegate_delete(partial);
}

// Weights of 2 x 3 of which the first row has the element 1, the second one 0 and 2; `stored` of them are
// there.
static TfLiteStatus run_sparse(int stored, int last_index, float y[2]) {
    TfLiteIntArray *segments = TfLiteIntArrayCreate(3), *indices = TfLiteIntArrayCreate(3);
    TfLiteIntArray* order = TfLiteIntArrayCreate(2);
    for (int i = 0; i < 3; i++) segments->data[i] = (int[]){0, 1, 3}[i];
    for (int i = 0; i < 3; i++) indices->data[i] = (int[]){1, 0, last_index}[i];
    for (int i = 0; i < 2; i++) order->data[i] = i;
    TfLiteDimensionMetadata levels[2] = {{.format = kTfLiteDimDense, .dense_size = 2},
                                         {kTfLiteDimSparseCSR, 0, segments, indices}};
    TfLiteSparsity sparsity = {order, NULL, levels, 2};
    TfLiteFullyConnectedParams dense = {0};
    DelegateHost host;
    host_init(&host);
    const int w = host_constant(&host, kTfLiteFloat32, 1, (int[]){stored}, (const float[]){2, 3, -1});
    TfLiteIntArrayFree(host.tensors[w].dims);
    host.tensors[w].dims = TfLiteIntArrayCreate(2);
    host.tensors[w].dims->data[0] = 2;
    host.tensors[w].dims->data[1] = 3;
    host.tensors[w].sparsity = &sparsity;
    const int x = host_variable(&host, 2, (int[]){1, 3}), out = host_variable(&host, 2, (int[]){1, 2});
    host_node(&host, kTfLiteBuiltinFullyConnected, NULL, &dense, 2, (int[]){x, w}, out);
    delegate_all(&host, -1);
    TfLiteStatus status = host_prepare(&host);
    fill(&host, x, 5);
    if (status == kTfLiteOk) status = host_invoke(&host);
    if (status == kTfLiteOk) memcpy(y, host_floats(&host, out), 2 * sizeof *y);
    if (status != kTfLiteOk) assert_non_null(strstr(host.message, "FULLY_CONNECTED: the spars"));
    host_free(&host);
    TfLiteIntArrayFree(segments);
    TfLiteIntArrayFree(indices);
    TfLiteIntArrayFree(order);
    return status;
}

static void sparse_weights_are_checked(void** state) {
    (void)state;
    float y[2];
    assert_int_equal(run_sparse(3, 2, y), kTfLiteOk);
    assert_true(y[0] == 12 && y[1] == 8); // 2 * 6; 3 * 5 - 7
    assert_int_equal(run_sparse(2, 2, y), kTfLiteDelegateError);
    assert_int_equal(run_sparse(3, 3, y), kTfLiteDelegateError);
}

// Delegates, prepares and runs a small network while the allocation `fail_at` calls from now fails.
static TfLiteStatus run_short_of_memory(int fail_at) {
    DelegateHost host;
    host_init(&host);
    static const float weights[3 * 4];
    TfLiteFullyConnectedParams dense = {0};
    const int x = host_variable(&host, 2, (int[]){2, 4}), sum = host_variable(&host, 2, (int[]){2, 4});
    const int w = host_constant(&host, kTfLiteFloat32, 2, (int[]){3, 4}, weights);
    const int y = host_variable(&host, 2, (int[]){2, 3});
    add_node(&host, x, x, sum);
    host_node(&host, kTfLiteBuiltinFullyConnected, NULL, &dense, 2, (int[]){sum, w}, y);
    lite_memory_fail_after(fail_at);
    TfLiteStatus status = host_delegate(&host, delegate, -1);
    if (status == kTfLiteOk) status = host_prepare(&host);
    if (status == kTfLiteOk) status = host_invoke(&host);
    lite_memory_fail_after(-1);
    host_free(&host);
    return status;
}

static void write_number(const void* state, float* packed) {
    *packed = (float)*(const int*)state;
}

static cl_mem make_constant(LiteClPlan* plan, LiteClConstantKey key, int number) {
    const int storage = lite_cl_plan_constant(plan, key, sizeof(float), write_number, &number);
    assert_true(storage >= 0);
    return plan->storages[storage].memory;
}

// Any field of a key tells constants apart, also when owners lie side by side.
static void constants_with_equal_keys_are_one(void** state) {
    (void)state;
    static const char owners[2];
    const LiteClConstantKey keys[] = {
        {owners, kLiteClRoleWeights, 0, 0},     {owners, kLiteClRoleBias, 0, 0},
        {owners + 1, kLiteClRoleWeights, 0, 0}, {owners, kLiteClRoleWeights, 1, 0},
        {owners, kLiteClRoleWeights, 0, 1},     {.role = kLiteClRoleZeros},
    };
    enum { KEYS = sizeof keys / sizeof keys[0] };
    LiteClPlan plan = {0};
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    assert_non_null(device);
    assert_int_equal(lite_cl_plan_init(&plan, device, NULL, NULL), kTfLiteOk);
    cl_mem made[KEYS];
    for (int i = 0; i < KEYS; i++) {
        made[i] = make_constant(&plan, keys[i], i);
        for (int other = 0; other < i; other++) assert_ptr_not_equal(made[i], made[other]);
    }
    for (int i = 0; i < KEYS; i++) assert_ptr_equal(make_constant(&plan, keys[i], i), made[i]);
    lite_cl_plan_free(&plan);
    lite_cl_device_release(device);
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    assert_int_equal(run_short_of_memory(-1), kTfLiteOk);
    int fail_at = 0;
    while (run_short_of_memory(fail_at) != kTfLiteOk) {
        fail_at++;
        assert_true(fail_at < 200);
    }
    assert_true(fail_at > 10);
}

static int open_delegate(void** state) {
    (void)state;
    delegate = oclite_opencl_delegate_create(NULL);
    return delegate != NULL ? 0 : -1;
}

static int close_delegate(void** state) {
    (void)state;
    oclite_opencl_delegate_delete(delegate);
    return 0;
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intermediates_and_outputs_that_are_read_again),
        cmocka_unit_test(long_chains_reuse_memory),
        cmocka_unit_test(views_alone_copy),
        cmocka_unit_test(views_between_nodes),
        cmocka_unit_test(new_shapes_are_prepared_again),
        cmocka_unit_test(sizes_are_checked_in_invoke),
        cmocka_unit_test(shapes_that_do_not_fit_fail_in_prepare),
        cmocka_unit_test(weights_that_the_host_dequantizes_are_constants),
        cmocka_unit_test(sparse_weights_are_checked),
        cmocka_unit_test(constants_with_equal_keys_are_one),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_delegate, close_delegate);
}
