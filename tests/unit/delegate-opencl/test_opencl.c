// SPDX-License-Identifier: Apache-2.0
// The delegate apart from its kernels: choosing a device, options, tiles, the program cache, errors,
// explanations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/device/choice.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/device/program.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/options/options.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tests/support/delegate_host.h"

static const LiteClCandidate candidates[] = {
    {.type = CL_DEVICE_TYPE_CPU,
     .platform_name = "Portable Computing Language",
     .platform_vendor = "The pocl project"},
    {.type = CL_DEVICE_TYPE_GPU, .platform_name = "NVIDIA CUDA", .platform_vendor = "NVIDIA Corporation"},
    {.type = CL_DEVICE_TYPE_GPU,
     .name = "NVIDIA H200",
     .platform_name = "NVIDIA CUDA",
     .platform_vendor = "NVIDIA Corporation"},
    {.type = CL_DEVICE_TYPE_ACCELERATOR, .platform_name = "Boards", .platform_version = "OpenCL 1.1 fast"},
};

static void device_words_choose_devices(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int expected;
    } cases[] = {{NULL, 1},
                 {"", 1},
                 {"any", 1},
                 {"any:1", 2},
                 {"any:2", 3},
                 {"any:3", 0},
                 {"any:4", -1},
                 {"gpu", 1},
                 {"GPU:1", 2},
                 {"gpu:2", -1},
                 {"cpu", 0},
                 {"accelerator", 3},
                 {"nvidia:1", 2},
                 {"NVIDIA", 1},
                 {"pocl", 0},
                 {"fast", 3},
                 {"portable:0", 0},
                 {"pocl:1", -1},
                 {"mali", -1},
                 {"nvidia:x", -1},
                 {"gpu:99999999999", -1},
                 {"0", 0},
                 {"3", 3},
                 {"4", -1},
                 {"99999999999999999999", -1},
                 {"7:0", -1},
                 {":2", 3},
                 {"h200", 2},
                 {"nvidia:0", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(lite_cl_choose(cases[i].text, candidates, 4), cases[i].expected);
    }
    assert_int_equal(lite_cl_choose("any", candidates, 0), -1);
}

static bool allows(const LiteClOptions* options, const char* op) {
    const LiteClSelected node = {.graph = 0, .node = 3, .op = op};
    return lite_cl_options_allow(options, &node);
}

static void options_come_from_text(void** state) {
    (void)state;
    LiteClOptions options;
    const LiteReporter silent = {0};
    assert_int_equal(lite_cl_options_init(&options, NULL, &silent), kTfLiteOk);
    assert_int_equal(options.min_nodes, 1);
    assert_true(allows(&options, "ADD"));
    assert_int_equal(lite_cl_options_parse(
                         &options, "device=pocl:0,min_nodes=3,max_partitions=2,deny=ADD+CONV_2D", &silent),
                     kTfLiteOk);
    assert_string_equal(options.device, "pocl:0");
    assert_int_equal(options.min_nodes, 3);
    assert_int_equal(options.max_partitions, 2);
    assert_false(allows(&options, "CONV_2D"));
    assert_true(allows(&options, "CONV"));
    assert_int_equal(lite_cl_options_parse(&options,
                                           "is_precision_loss_allowed=1,max_delegated_partitions=7,"
                                           "serialization_dir=/x,model_token=m,inference_priority1=3",
                                           &silent),
                     kTfLiteOk); // the reference's names
    assert_int_equal(options.precision, kLiteClFloat16);
    assert_int_equal(options.max_partitions, 7);
    assert_string_equal(options.cache_dir, "/x");
    assert_string_equal(options.device, "pocl:0");
    assert_int_equal(lite_cl_options_set(&options, NULL, "", &silent), kTfLiteError);
    assert_int_equal(lite_cl_options_set(&options, "device", NULL, &silent), kTfLiteError);
    assert_int_equal(lite_cl_options_set(&options, "allow", "CONV+ADD", &silent), kTfLiteOk);
    assert_true(allows(&options, "CONV"));
    assert_false(allows(&options, "ADD"));
    assert_false(allows(&options, "MUL"));
    static const char* const wrong[] = {
        "device", "colour=red", "min_nodes=", "min_nodes=-1", "min_nodes=1x", "allow=ADD+"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(lite_cl_options_parse(&options, wrong[i], &silent), kTfLiteError);
    }
    lite_cl_options_free(&options);
}

static void lists_have_names_and_numbers(void** state) {
    (void)state;
    static const char list[] = "CONV_2D+12+1:17+2x";
    static const struct {
        LiteClSelected node;
        bool expected;
    } cases[] = {{{0, 5, "CONV_2D"}, true}, {{0, 12, "ADD"}, true},  {{3, 12, "ADD"}, true},
                 {{1, 17, "ADD"}, true},    {{0, 17, "ADD"}, false}, {{1, 1, "ADD"}, false},
                 {{0, 2, "2x"}, true},      {{0, 2, "ADD"}, false},  {{0, 1, "CONV"}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(lite_cl_selection_has(list, &cases[i].node), cases[i].expected);
    assert_false(lite_cl_selection_has("", &cases[0].node));
}

// Each wrong entry is an error that names the key and the entry.
static void wrong_lists_are_refused(void** state) {
    (void)state;
    static const struct {
        const char* text;
        const char* message;
    } cases[] = {
        {"allow=ADD++MUL", "OpenCL: option allow: \"ADD++MUL\" has an empty entry"},
        {"deny=+ADD", "OpenCL: option deny: \"+ADD\" has an empty entry"},
        {"deny=99999999999", "OpenCL: option deny: \"99999999999\" is not a node's number"},
        {"precision_float32=ADD+1:", "OpenCL: option precision_float32: \"1:\" is not a node's number"},
        {"precision_float16=:", "OpenCL: option precision_float16: \":\" is not a node's number"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(oclite_opencl_delegate_create_from_string(cases[i].text));
        assert_string_equal(oclite_opencl_last_error(), cases[i].message);
    }
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.precision_float16 = "4294967296";
    assert_null(oclite_opencl_delegate_create(&options));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option precision_float16: \"4294967296\" is not a node's number");
}

static void options_of_other_sizes_are_understood(void** state) {
    (void)state;
    LiteClOptions options;
    const LiteReporter silent = {0};
    OcliteOpenclDelegateOptions given = oclite_opencl_delegate_options_default();
    given.device = "gpu";
    given.min_nodes = 7;
    given.size = offsetof(OcliteOpenclDelegateOptions, min_nodes); // of an older program
    assert_int_equal(lite_cl_options_init(&options, &given, &silent), kTfLiteOk);
    assert_string_equal(options.device, "gpu");
    assert_int_equal(options.min_nodes, 1);
    lite_cl_options_free(&options);
    // Before the lists of precisions: what lies behind is not read.
    given.precision_float32 = "+";
    given.size = offsetof(OcliteOpenclDelegateOptions, precision_float32);
    assert_int_equal(lite_cl_options_init(&options, &given, &silent), kTfLiteOk);
    assert_string_equal(options.precision_float32, "");
    assert_int_equal(options.min_nodes, 7);
    lite_cl_options_free(&options);
    given.size = 0;
    assert_int_equal(lite_cl_options_init(&options, &given, &silent), kTfLiteError);
}

static void tiles_fit_the_matrix(void** state) {
    (void)state;
    static const LiteClClass classes[] = {kLiteClCpu16, kLiteClCpu8, kLiteClCpu4, kLiteClGpu};
    for (int c = 0; c < 4; c++) {
        for (int rows = 1; rows < 5000; rows = rows * 3 + 1) {
            for (int columns = 1; columns < 5000; columns = columns * 2 + 1) {
                for (int bytes = 0; bytes < 2; bytes++) {
                    const LiteClTile* tile = lite_cl_tile(classes[c], bytes != 0, rows, columns);
                    assert_non_null(tile);
                    assert_int_equal(tile->bytes, bytes);
                    assert_true(tile->rows == 1 ? rows == 1 : true);
                    assert_int_equal(tile->panel % (tile->vectors * lite_cl_tune(classes[c])->vector), 0);
                }
            }
        }
        for (int channels = 1; channels < 40; channels++) {
            assert_in_range(lite_cl_vector(classes[c], channels), 1, channels);
        }
    }
    assert_int_equal(lite_cl_tile(kLiteClCpu16, false, 10000, 64)->panel, 64);
    assert_int_equal(lite_cl_tile(kLiteClCpu16, false, 10000, 8)->panel, 16);
    assert_int_equal(lite_cl_tile(kLiteClCpu16, false, 1, 1024)->rows, 1);
}

static void error_codes_have_names(void** state) {
    (void)state;
    assert_string_equal(lite_cl_error_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
    assert_string_equal(lite_cl_error_name(-12345), "unknown error");
}

static void keep_report(void* user_data, const char* format, va_list args) {
    vsnprintf(user_data, 2000, format, args);
}

static void programs_are_built_once(void** state) {
    (void)state;
    if (!host_has_opencl()) skip();
    char message[2000] = "";
    const LiteReporter reporter = {keep_report, message};
    LiteClDevice* device = lite_cl_device_acquire(NULL, &reporter);
    assert_non_null(device);
    cl_kernel first, second, third;
    const int before = lite_cl_programs_count(device);
    const char* own = "#define OWN 1\n#define TYPE uchar\n#define INDEX uchar\n";
    LiteClProgramKey key = {.family = &lite_cl_source_table, .prelude = own};
    assert_int_equal(lite_cl_kernel_create(device, &key, "look_up", &reporter, &first), kTfLiteOk);
    assert_int_equal(lite_cl_kernel_create(device, &key, "look_up", &reporter, &second), kTfLiteOk);
    assert_int_equal(lite_cl_programs_count(device), before + 1);
    assert_ptr_not_equal(first, second);
    device->cl->clReleaseKernel(first);
    device->cl->clReleaseKernel(second);
    // The compiler's own words are in the message.
    key.prelude = "#error two words\n";
    assert_int_equal(lite_cl_kernel_create(device, &key, "look_up", &reporter, &third), kTfLiteError);
    assert_non_null(strstr(message, "two words"));
    assert_non_null(strstr(message, "CL_BUILD_PROGRAM_FAILURE"));
    key = (LiteClProgramKey){.family = &lite_cl_source_table, .prelude = own};
    assert_int_not_equal(lite_cl_kernel_create(device, &key, "none", &reporter, &third), kTfLiteOk);
    assert_non_null(strstr(message, "CL_INVALID_KERNEL_NAME"));
    assert_int_equal(lite_cl_programs_count(device), before + 1);
    lite_cl_device_release(device);
}

static void delegates_share_a_device(void** state) {
    (void)state;
    if (!host_has_opencl()) skip();
    TfLiteDelegate* first = oclite_opencl_delegate_create_from_string("device=any");
    TfLiteDelegate* second = oclite_opencl_delegate_create_from_string(NULL);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_equal(oclite_opencl_delegate_device(first), oclite_opencl_delegate_device(second));
    oclite_opencl_delegate_delete(first);
    oclite_opencl_delegate_delete(second);
    oclite_opencl_delegate_delete(NULL);
    // Opened and closed far more often than a process has contexts to lose.
    for (int i = 0; i < 200; i++) oclite_opencl_delegate_delete(oclite_opencl_delegate_create(NULL));
}

static void properties_are_those_of_the_device(void** state) {
    (void)state;
    OcliteOpenclDevice told;
    assert_int_equal(oclite_opencl_delegate_properties(NULL, &told), kTfLiteError);
    if (!host_has_opencl()) skip();
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    LiteClDevice* device = lite_cl_device_acquire(NULL, &(LiteReporter){0});
    assert_int_equal(oclite_opencl_delegate_properties(delegate, NULL), kTfLiteError);
    assert_int_equal(oclite_opencl_delegate_properties(delegate, &told), kTfLiteOk);
    assert_int_equal(strcmp(told.device_class, "gpu") == 0, device->class == kLiteClGpu);
    assert_int_equal(told.vector, lite_cl_tune(device->class)->vector);
    assert_int_equal(told.units, device->units);
    assert_int_equal(told.max_allocation, device->max_allocation);
    const LiteClTile* tile = lite_cl_tile(device->class, true, 4096, 4096);
    assert_int_equal(told.byte_tile[0], tile->rows);
    assert_int_equal(told.byte_tile[1], tile->vectors * told.vector);
    lite_cl_device_release(device);
    oclite_opencl_delegate_delete(delegate);
}

static char plugin_error[500];

static void keep_plugin_error(const char* message) {
    snprintf(plugin_error, sizeof plugin_error, "%s", message);
}

static void failures_to_create_say_why(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("device=no such device"));
    assert_true(strlen(oclite_opencl_last_error()) > 0);
    assert_null(oclite_opencl_delegate_create_from_string("colour=red"));
    assert_non_null(strstr(oclite_opencl_last_error(), "colour"));
    const char* key = "colour";
    const char* value = "red";
    assert_null(tflite_plugin_create_delegate(&key, &value, 1, keep_plugin_error));
    assert_non_null(strstr(plugin_error, "colour"));
    assert_null(tflite_plugin_create_delegate(&key, &value, 1, NULL));
}

typedef struct Tally {
    int taken;
    int left;
    char reasons[1000];
} Tally;

static void count_node(void* user_data, const OcliteOpenclNode* node) {
    Tally* tally = user_data;
    assert_int_equal(node->graph, 0);
    assert_non_null(node->op);
    if (node->taken) {
        tally->taken++;
        assert_string_equal(node->reason, "");
    } else {
        tally->left++;
        strncat(tally->reasons, node->reason, sizeof tally->reasons - strlen(tally->reasons) - 1);
    }
}

// x -> ABS -> ADD of int8 (left) and a custom operator that nobody knows (left).
static void decisions_are_explained(void** state) {
    (void)state;
    if (!host_has_opencl()) skip();
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("deny=NEG");
    assert_non_null(delegate);
    DelegateHost host;
    host_init(&host);
    const int dims[] = {2, 3};
    const int x = host_variable(&host, 2, dims), y = host_variable(&host, 2, dims),
              z = host_variable(&host, 2, dims);
    const int bytes = host_constant(&host, kTfLiteInt8, 2, dims, NULL);
    TfLiteAddParams add = {0};
    host_node(&host, kTfLiteBuiltinAbs, NULL, NULL, 1, (int[]){x}, y);
    host_node(&host, kTfLiteBuiltinAdd, NULL, &add, 2, (int[]){y, bytes}, z);
    host_node(&host, kTfLiteBuiltinCustom, "Nobody", NULL, 1, (int[]){y}, z);
    host_node(&host, kTfLiteBuiltinNeg, NULL, NULL, 1, (int[]){y}, z);
    host_node(&host, kTfLiteBuiltinAdd, NULL, NULL, 2, (int[]){y, y}, z);
    host_node(&host, kTfLiteBuiltinAdd, NULL, &add, 2, (int[]){y, -1}, z);
    host_node(&host, kTfLiteBuiltinLstm, NULL, NULL, 1, (int[]){y}, z);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host.taken->size, 1);
    Tally tally = {0};
    oclite_opencl_delegate_explain(delegate, count_node, &tally);
    assert_int_equal(tally.taken, 1);
    assert_int_equal(tally.left, 6);
    static const char* const reasons[] = {"INT8",          "custom operator", "excluded",
                                          "no parameters", "is absent",       "without an OpenCL form"};
    for (int i = 0; i < 6; i++) assert_non_null(strstr(tally.reasons, reasons[i]));
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

// By the plugin's way in: the second of three nodes is left to the host, and keeps the others apart.
static void nodes_are_left_by_number(void** state) {
    (void)state;
    if (!host_has_opencl()) skip();
    static const char *const keys[] = {"deny", "precision_float16"}, *const values[] = {"1+3:0", "ABS"};
    TfLiteDelegate* delegate = tflite_plugin_create_delegate(keys, values, 2, NULL);
    assert_non_null(delegate);
    DelegateHost host;
    host_init(&host);
    int at = host_variable(&host, 1, (int[]){3});
    for (int n = 0; n < 3; n++) {
        const int next = host_variable(&host, 1, (int[]){3});
        host_node(&host, kTfLiteBuiltinAbs, NULL, NULL, 1, (int[]){at}, next);
        at = next;
    }
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host.taken->size, 2);
    assert_int_equal(host.taken->data[0], 0);
    assert_int_equal(host.taken->data[1], 2);
    Tally tally = {0};
    oclite_opencl_delegate_explain(delegate, count_node, &tally);
    assert_string_equal(tally.reasons, "excluded by the options");
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

// What the CPU kernels refuse, as the reference does, is left to them.
static void convolutions_without_their_bias_are_left(void** state) {
    (void)state;
    if (!host_has_opencl()) skip();
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    DelegateHost host;
    host_init(&host);
    const int dims[] = {1, 4, 4, 3}, filter_dims[] = {1, 1, 1, 3}, out_dims[] = {1, 4, 4, 1};
    const int x = host_variable(&host, 4, dims), y = host_variable(&host, 4, out_dims),
              z = host_variable(&host, 4, dims), wide = host_variable(&host, 4, dims),
              sums = host_variable(&host, 4, dims);
    host.tensors[wide].type = host.tensors[sums].type = kTfLiteInt16;
    const int filter = host_constant(&host, kTfLiteFloat32, 4, filter_dims, NULL),
              bytes = host_constant(&host, kTfLiteInt8, 4, filter_dims, NULL),
              bias = host_constant(&host, kTfLiteInt32, 1, (int[]){3}, NULL);
    TfLiteConvParams conv = {kTfLitePaddingSame, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
    TfLiteDepthwiseConvParams depthwise = {kTfLitePaddingSame, 1, 1, 1, kTfLiteActNone, 1, 1};
    host_node(&host, kTfLiteBuiltinConv2d, NULL, &conv, 3, (int[]){x, filter, -1}, y);
    host_node(&host, kTfLiteBuiltinDepthwiseConv2d, NULL, &depthwise, 3, (int[]){x, filter, -1}, z);
    host_node(&host, kTfLiteBuiltinDepthwiseConv2d, NULL, &depthwise, 3, (int[]){wide, bytes, bias}, sums);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    Tally tally = {0};
    oclite_opencl_delegate_explain(delegate, count_node, &tally);
    assert_int_equal(tally.left, 3);
    assert_string_equal(tally.reasons,
                        "input 2, the bias, is absentinput 2, the bias, is absentbias of type INT32");
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

// Hosts that do not know version 8 have no declaration behind the other parameters.
static void biases_of_another_type_than_declared_are_left(void** state) {
    (void)state;
    if (!host_has_opencl()) skip();
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    DelegateHost host;
    host_init(&host);
    const int dims[] = {1, 4, 4, 3}, filter_dims[] = {1, 1, 1, 3}, out_dims[] = {1, 4, 4, 1};
    const int x = host_variable(&host, 4, dims);
    const int filter = host_constant(&host, kTfLiteInt8, 4, filter_dims, NULL),
              bias = host_constant(&host, kTfLiteInt64, 1, (int[]){1}, NULL);
    host.tensors[x].type = kTfLiteInt16;
    TfLiteConvParams other = {kTfLitePaddingSame, 1, 1, kTfLiteActNone, 1, 1, kTfLiteInt32}, none = other;
    none.quantized_bias_type = kTfLiteBool;
    TfLiteConvParams* const params[] = {&other, &none, &other};
    static const int versions[] = {8, 8, 7};
    for (int i = 0; i < 3; i++) {
        const int y = host_variable(&host, 4, out_dims);
        host.tensors[y].type = kTfLiteInt16;
        host_node(&host, kTfLiteBuiltinConv2d, NULL, params[i], 3, (int[]){x, filter, bias}, y);
        host.registrations[i].version = versions[i];
    }
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    Tally tally = {0};
    oclite_opencl_delegate_explain(delegate, count_node, &tally);
    assert_int_equal(tally.left, 3);
    assert_string_equal(tally.reasons, "a bias of type INT64, declared as INT32"
                                       "a bias declared as BOOL"
                                       "a tensor has no scale");
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

static TfLiteExternalContext* find_nothing(TfLiteContext* context, TfLiteExternalContextType type) {
    (void)context;
    (void)type;
    return NULL;
}

// Their objects look different.
static void other_hosts_get_no_asynchronous_kernel(void** state) {
    (void)state;
    if (!host_has_opencl()) skip();
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    DelegateHost host;
    host_init(&host);
    const int dims[] = {2};
    const int x = host_variable(&host, 1, dims), y = host_variable(&host, 1, dims);
    host_node(&host, kTfLiteBuiltinAbs, NULL, NULL, 1, (int[]){x}, y);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_null(host.context.GetExternalContext);
    assert_null(host.partition.async_kernel(&host.context, &host.partition_node));
    host.context.GetExternalContext = find_nothing;
    assert_null(host.partition.async_kernel(&host.context, &host.partition_node));
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_words_choose_devices),
        cmocka_unit_test(options_come_from_text),
        cmocka_unit_test(lists_have_names_and_numbers),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(options_of_other_sizes_are_understood),
        cmocka_unit_test(tiles_fit_the_matrix),
        cmocka_unit_test(error_codes_have_names),
        cmocka_unit_test(programs_are_built_once),
        cmocka_unit_test(delegates_share_a_device),
        cmocka_unit_test(properties_are_those_of_the_device),
        cmocka_unit_test(failures_to_create_say_why),
        cmocka_unit_test(decisions_are_explained),
        cmocka_unit_test(nodes_are_left_by_number),
        cmocka_unit_test(convolutions_without_their_bias_are_left),
        cmocka_unit_test(biases_of_another_type_than_declared_are_left),
        cmocka_unit_test(other_hosts_get_no_asynchronous_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
