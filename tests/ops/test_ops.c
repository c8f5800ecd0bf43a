// SPDX-License-Identifier: Apache-2.0
// The recorded operator cases (make_cases.py tells their format): every case on every CPU path that this
// machine and build have, and on OpenCL where there is a device and the delegate takes the operator.
//
//   test_ops CASES_DIR [all | gpu | local | 4 | 8 | 16 [OPERATOR...]]
//
// With a second argument other than "all" only on OpenCL, and the device passes itself off as a GPU, or as a
// CPU with vectors of so many floats: the kernels are then the ones for those.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "core/base/shape.h"
#include "delegate-opencl/device/cl.h"
#include "delegate-opencl/device/features.h"
#include "examples/custom_atan/atan_operator.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tools/common/file.h"
#include "tools/common/npy.h"

#define MAX_CASES 2048
#define MAX_TENSORS 8
#define ON_OPENCL (-1)
#define EXIT_SKIPPED 77

typedef struct Case {
    char folder[512];
    char name[320];
    int path; // LiteCpuPath, or ON_OPENCL
} Case;

typedef struct File {
    ToolBytes bytes;
    ToolArray array;
} File;

static void print_report(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vprint_error(format, args);
    print_error("\n");
}

// Reads FOLDER/<stem><index>.npy; false when there is no such file.
static bool read_array(const char* folder, const char* stem, int index, File* file) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s%d.npy", folder, stem, index);
    ToolMessage message = {0};
    if (access(path, R_OK) != 0) return false;
    assert_int_equal(tool_file_read(path, &file->bytes, &message), kToolOk);
    assert_int_equal(tool_npy_parse(path, file->bytes.data, file->bytes.size, &file->array, &message),
                     kToolOk);
    return true;
}

// Element `i` of an array as up to two doubles: complex numbers have two, and integers of more bits than a
// double.
static int element(TfLiteType type, const void* data, size_t i, double parts[2]) {
    switch (type) {
    case kTfLiteFloat32: {
        float v;
        memcpy(&v, (const char*)data + 4 * i, 4);
        parts[0] = v;
        return 1;
    }
    case kTfLiteComplex64: {
        float v[2];
        memcpy(v, (const char*)data + 8 * i, 8);
        parts[0] = v[0];
        parts[1] = v[1];
        return 2;
    }
    case kTfLiteInt64:
    case kTfLiteUInt64: {
        uint32_t v[2];
        memcpy(v, (const char*)data + 8 * i, 8);
        parts[0] = v[0];
        parts[1] = v[1];
        return 2;
    }
    case kTfLiteInt32: {
        int32_t v;
        memcpy(&v, (const char*)data + 4 * i, 4);
        parts[0] = v;
        return 1;
    }
    case kTfLiteInt16: {
        int16_t v;
        memcpy(&v, (const char*)data + 2 * i, 2);
        parts[0] = v;
        return 1;
    }
    case kTfLiteInt8:
        parts[0] = ((const int8_t*)data)[i];
        return 1;
    case kTfLiteBool:
    case kTfLiteUInt8:
        parts[0] = ((const uint8_t*)data)[i];
        return 1;
    default:
        fail_msg("no comparison for type %d", type);
        return 0;
    }
}

static bool close_to(double got, double want, double absolute, double relative) {
    return got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= absolute + relative * fabs(want);
}

static void compare(const TfLiteTensor* tensor, const File* want, const File* also, const cJSON* tolerance) {
    assert_int_equal(TfLiteTensorType(tensor), want->array.type);
    assert_int_equal(TfLiteTensorByteSize(tensor), want->array.bytes);
    assert_int_equal(TfLiteTensorNumDims(tensor), want->array.shape.rank);
    const double absolute = cJSON_GetObjectItem(tolerance, "abs")->valuedouble;
    const double relative = cJSON_GetObjectItem(tolerance, "rel")->valuedouble;
    for (size_t i = 0; i < want->array.count; i++) {
        double got[2], ref[2], opt[2];
        const int parts = element(want->array.type, TfLiteTensorData(tensor), i, got);
        element(want->array.type, want->array.data, i, ref);
        element(want->array.type, also->bytes.data != NULL ? also->array.data : want->array.data, i, opt);
        for (int p = 0; p < parts; p++) {
            if (!close_to(got[p], ref[p], absolute, relative) &&
                !close_to(got[p], opt[p], absolute, relative)) {
                fail_msg("element %zu is %.9g, expected %.9g or %.9g", i, got[p], ref[p], opt[p]);
            }
        }
    }
}

static void feed(TfLiteInterpreter* interpreter, const char* folder) {
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        File in = {0};
        assert_true(read_array(folder, "in", i, &in));
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        assert_int_equal(TfLiteTensorCopyFromBuffer(tensor, in.array.data, in.array.bytes), kTfLiteOk);
        tool_bytes_free(&in.bytes);
    }
}

// Nodes get ready again, while all inputs but one still hold an inference's numbers, which are of no account.
static void allocate_again(TfLiteInterpreter* interpreter, int resized) {
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        if (tensor->type != kTfLiteString && tensor->data.raw != NULL)
            memset(tensor->data.raw, 1, tensor->bytes);
    }
    const TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, resized);
    const int rank = tensor->dims->size;
    int dims[LITE_MAX_RANK + 1] = {1};
    assert_true(rank <= LITE_MAX_RANK);
    memcpy(dims + 1, tensor->dims->data, (size_t)rank * sizeof *dims);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, resized, dims, rank + 1), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, resized, dims + 1, rank), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
}

static void check_outputs(const TfLiteInterpreter* interpreter, const char* folder) {
    char path[600];
    snprintf(path, sizeof path, "%s/case.json", folder);
    ToolMessage message = {0};
    ToolBytes text = {0};
    assert_int_equal(tool_file_read(path, &text, &message), kToolOk);
    cJSON* info = cJSON_ParseWithLength(text.data, text.size);
    tool_bytes_free(&text);
    assert_non_null(info);
    for (int i = 0; i < TfLiteInterpreterGetOutputTensorCount(interpreter); i++) {
        File want = {0}, also = {0};
        assert_true(read_array(folder, "out", i, &want));
        read_array(folder, "opt", i, &also);
        compare(TfLiteInterpreterGetOutputTensor(interpreter, i), &want, &also,
                cJSON_GetArrayItem(cJSON_GetObjectItem(info, "tolerances"), i));
        tool_bytes_free(&want.bytes);
        tool_bytes_free(&also.bytes);
    }
    cJSON_Delete(info);
}

static void expect_taken(void* name, const OcliteOpenclNode* node) {
    if (!node->taken)
        fail_msg("%s: OpenCL leaves %s to the CPU: %s", (const char*)name, node->op, node->reason);
}

static void run_case(void** state) {
    const Case* c = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/model.tflite", c->folder);
    TfLiteModel* model = TfLiteModelCreateFromFileWithErrorReporter(path, print_report, NULL);
    assert_non_null(model);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, print_report, NULL);
    TfLiteInterpreterOptionsSetNumThreads(options, 2);
    TfLiteOperator* atan_operator = atan_operator_create(); // which the library has on OpenCL alone
    TfLiteInterpreterOptionsAddOperator(options, atan_operator);
    TfLiteDelegate* delegate = NULL;
    if (c->path == ON_OPENCL) {
        delegate = oclite_opencl_delegate_create(NULL);
        assert_non_null(delegate);
        TfLiteInterpreterOptionsAddDelegate(options, delegate);
    } else {
        assert_true(lite_cpu_path_choose((LiteCpuPath)c->path));
    }
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    assert_non_null(interpreter);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    if (delegate != NULL) oclite_opencl_delegate_explain(delegate, expect_taken, (void*)(uintptr_t)c->name);
    const int inputs = TfLiteInterpreterGetInputTensorCount(interpreter);
    for (int i = -1; i < inputs; i = i < 0 || i + 1 == inputs ? i + 1 : inputs - 1) {
        if (i >= 0) allocate_again(interpreter, i);
        feed(interpreter, c->folder);
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
        check_outputs(interpreter, c->folder);
    }
    // Where it failed, the CPU has computed what was right.
    assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclWorking);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteOperatorDelete(atan_operator);
    oclite_opencl_delegate_delete(delegate);
    TfLiteModelDelete(model);
    lite_cpu_path_choose(kLiteCpuAuto);
}

static __typeof__(clGetDeviceInfo)* device_info;
static cl_uint pretended_width; // 0: a GPU
static bool pretends_local;     // with local memory, and memory, of its own

static cl_int CL_API_CALL pretend(cl_device_id device, cl_device_info what, size_t room, void* to,
                                  size_t* used) {
    const cl_int status = device_info(device, what, room, to, used);
    if (status != CL_SUCCESS) return status;
    const cl_device_type type = pretended_width == 0 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    // A GPU's integer dot products are fast, where it has any.
    const cl_bool fast[6] = {CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE};
    if (what == LITE_CL_BYTE_DOT_SPEEDS && pretended_width == 0 && room == sizeof fast)
        memcpy(to, fast, sizeof fast);
    const cl_device_local_mem_type local = CL_LOCAL;
    const cl_bool unified = CL_FALSE;
    if (what == CL_DEVICE_LOCAL_MEM_TYPE && pretends_local) memcpy(to, &local, sizeof local);
    if (what == CL_DEVICE_HOST_UNIFIED_MEMORY && pretends_local) memcpy(to, &unified, sizeof unified);
    if (what == CL_DEVICE_TYPE) memcpy(to, &type, sizeof type);
    if (what == CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT) memcpy(to, &pretended_width, sizeof pretended_width);
    return status;
}

static void pretend_to_be(const char* kind) {
    LiteCl* functions = (LiteCl*)(uintptr_t)lite_cl_load(NULL);
    if (functions == NULL) return;
    device_info = functions->clGetDeviceInfo;
    pretended_width = (cl_uint)strtoul(kind, NULL, 10);
    pretends_local = strcmp(kind, "local") == 0;
    functions->clGetDeviceInfo = pretend;
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const Case*)a)->name, ((const Case*)b)->name);
}

// Is this a case of one of these operators (of any, if there are none)?
static bool is_chosen(const char* name, char* const* operators, int count) {
    for (int i = 0; i < count; i++) {
        const size_t end = strlen(operators[i]);
        if (strncmp(name, operators[i], end) == 0 && strncmp(name + end, "__", 2) == 0) return true;
    }
    return count == 0;
}

// Finds the case folders of these operators in `root`.
static int find_cases(const char* root, char* const* operators, int operator_count, Case* cases) {
    DIR* folder = opendir(root);
    if (folder == NULL) return 0;
    int count = 0;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strstr(entry->d_name, "__") == NULL || count == MAX_CASES) continue;
        if (!is_chosen(entry->d_name, operators, operator_count)) continue;
        snprintf(cases[count].folder, sizeof cases[count].folder, "%s/%s", root, entry->d_name);
        snprintf(cases[count].name, sizeof cases[count].name, "%s", entry->d_name);
        count++;
    }
    closedir(folder);
    qsort(cases, (size_t)count, sizeof cases[0], by_name);
    return count;
}

int main(int argc, char** argv) {
    static Case found[MAX_CASES], cases[MAX_CASES];
    static struct CMUnitTest tests[MAX_CASES];
    const bool pretends = argc >= 3 && strcmp(argv[2], "all") != 0;
    const int count = argc < 2 ? 0 : find_cases(argv[1], argv + 3, argc >= 3 ? argc - 3 : 0, found);
    if (count == 0) {
        fprintf(stderr, "usage: test_ops CASES_DIR [all | gpu | local | 4 | 8 | 16 [OPERATOR...]]\n");
        return 2;
    }
    if (pretends) pretend_to_be(argv[2]);
    int total = 0;
    TfLiteDelegate* probe = oclite_opencl_delegate_create(NULL);
    if (probe == NULL) printf("OpenCL skipped: %s\n", oclite_opencl_last_error());
    if (probe != NULL) printf("OpenCL: %s\n", oclite_opencl_delegate_device(probe));
    if (probe == NULL && pretends) return EXIT_SKIPPED;
    for (int path = probe != NULL ? ON_OPENCL : kLiteCpuReference; path < (pretends ? 0 : kLiteCpuPaths);
         path++) {
        if (path != ON_OPENCL && !lite_cpu_path_available((LiteCpuPath)path)) continue;
        for (int i = 0; i < count && total < MAX_CASES; i++, total++) {
            cases[total] = found[i];
            cases[total].path = path;
            snprintf(cases[total].name, sizeof cases[total].name, "%s on %s", found[i].name,
                     path == ON_OPENCL ? "opencl" : lite_cpu_path_name((LiteCpuPath)path));
            tests[total] = (struct CMUnitTest){cases[total].name, run_case, NULL, NULL, &cases[total]};
        }
    }
    oclite_opencl_delegate_delete(probe);
    return _cmocka_run_group_tests("ops", tests, (size_t)total, NULL, NULL) == 0 ? 0 : 1;
}
