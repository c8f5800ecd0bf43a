// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/clblast.h"

#include <dlfcn.h>
#include <string.h>

#include "delegate-opencl/device/clblast_proxy.h"
#include "delegate-opencl/device/extension.h"

enum { kRowMajor = 101, kAsStored = 111, kTransposed = 112 }; // of CLBlast, as in BLAS

#define GEMM_ARGUMENTS(element)                                                                              \
    (int layout, int a_form, int b_form, size_t rows, size_t columns, size_t depth, element alpha, cl_mem a, \
     size_t a_first, size_t a_leading, cl_mem b, size_t b_first, size_t b_leading, element beta, cl_mem c,   \
     size_t c_first, size_t c_leading, cl_command_queue* queue, cl_event* event, cl_mem scratch)
#define BATCH_ARGUMENTS(element)                                                                             \
    (int layout, int a_form, int b_form, size_t rows, size_t columns, size_t depth, element alpha, cl_mem a, \
     size_t a_first, size_t a_leading, size_t a_stride, cl_mem b, size_t b_first, size_t b_leading,          \
     size_t b_stride, element beta, cl_mem c, size_t c_first, size_t c_leading, size_t c_stride,             \
     size_t count, cl_command_queue* queue, cl_event* event)
#define SIZE_ARGUMENTS                                                                                       \
    (int layout, int a_form, int b_form, size_t rows, size_t columns, size_t depth, size_t a_first,          \
     size_t a_leading, size_t b_first, size_t b_leading, size_t c_first, size_t c_leading,                   \
     cl_command_queue* queue, size_t* bytes)

// All of them return a status: 0, an error of OpenCL, or one of CLBlast's own.
typedef struct LiteClBlast {
#define GEMM(name, element) int(*name) GEMM_ARGUMENTS(element);
#define BATCH(name, element) int(*name) BATCH_ARGUMENTS(element);
#define SIZE(name) int(*name) SIZE_ARGUMENTS;
#define OTHER(name) int (*name)(void);
#include "delegate-opencl/device/clblast.def"
} LiteClBlast;

static LiteClBlast table;
static bool loaded;
static bool proxies; // can be given to CLBlast
static LiteLock load_mutex = LITE_LOCK_INITIALIZER;

#define OPTION "OpenCL: option gemm: clblast: "
#define PACKAGE "the library libclblast.so.1, of the package libclblast1 in Debian and Ubuntu"

// A function of OpenCL that CLBlast calls.
static void* find_called(void* library) {
    void* function = dlsym(RTLD_DEFAULT, "clEnqueueNDRangeKernel");
    return function != NULL ? function : dlsym(library, "clEnqueueNDRangeKernel");
}

// The objects that CLBlast is given have to be those of the loader that it calls.
static bool has_same_loader(void* library, const LiteCl* cl) {
    void* ours;
    memcpy(&ours, &cl->clEnqueueNDRangeKernel, sizeof ours);
    return find_called(library) == ours;
}

static TfLiteStatus load(const LiteCl* cl, const LiteReporter* reporter) {
    void* library = dlopen("libclblast.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return lite_report(reporter, OPTION "%s: CLBlast is " PACKAGE, dlerror());
        // POSIX's way of turning an object pointer into a function pointer.
#define FIND(name)                                                                                           \
    *(void**)&table.name = dlsym(library, #name);                                                            \
    if (table.name == NULL) {                                                                                \
        dlclose(library);                                                                                    \
        return lite_report(reporter,                                                                         \
                           OPTION "libclblast.so.1 has no " #name ", which CLBlast has since 1.4.1");        \
    }
#define GEMM(name, element) FIND(name)
#define BATCH(name, element) FIND(name)
#define SIZE(name) FIND(name)
#define OTHER(name) FIND(name)
#include "delegate-opencl/device/clblast.def"
    if (!has_same_loader(library, cl)) {
        dlclose(library);
        return lite_report(reporter, OPTION "CLBlast calls another libOpenCL.so.1 than the delegate");
    }
    proxies = lite_cl_proxy_works(find_called(library));
    return kTfLiteOk;
}

static TfLiteStatus load_once(const LiteCl* cl, const LiteReporter* reporter) {
    lite_lock(&load_mutex);
    const TfLiteStatus status = loaded ? kTfLiteOk : load(cl, reporter);
    loaded = status == kTfLiteOk;
    lite_unlock(&load_mutex);
    return status;
}

const char* lite_cl_product_name(const LiteClProduct* product) {
    if (product->count > 1)
        return product->halves ? "CLBlastHgemmStridedBatched" : "CLBlastSgemmStridedBatched";
    return product->halves ? "CLBlastHgemm" : "CLBlastSgemm";
}

static int form_of(const LiteClMatrix* matrix) {
    return matrix->transposed ? kTransposed : kAsStored;
}

// Elements from one stored row of a matrix of rows x columns to the next.
static size_t leading(const LiteClMatrix* matrix, size_t rows, size_t columns) {
    return matrix->transposed ? rows : columns;
}

#define FORMS(p) kRowMajor, form_of(&(p)->a), form_of(&(p)->b), (p)->rows, (p)->columns, (p)->depth
#define A(p) (p)->a.first, leading(&(p)->a, (p)->rows, (p)->depth)
#define B(p) (p)->b.first, leading(&(p)->b, (p)->depth, (p)->columns)
#define C(p) (p)->c.first, (p)->columns

cl_int lite_cl_product_scratch(const LiteClProduct* product, cl_command_queue queue, size_t* bytes) {
    const LiteClProduct* p = product;
    *bytes = 0;
    if (lite_cl_is_forked()) return LITE_CL_FORKED;
    if (p->count > 1) return CL_SUCCESS; // CLBlast makes its own
    return (p->halves ? table.CLBlastHGemmTempBufferSize
                      : table.CLBlastSGemmTempBufferSize)(FORMS(p), A(p), B(p), C(p), &queue, bytes);
}

cl_int lite_cl_product_enqueue(const LiteClDevice* device, const LiteClProduct* product,
                               const cl_mem buffers[LITE_CL_PRODUCT_BUFFERS], cl_command_queue queue,
                               cl_event* event) {
    const LiteClProduct* p = product;
    const cl_mem a = buffers[0], b = buffers[1], c = buffers[2], scratch = buffers[kLiteClProductScratch];
    const cl_half one = 0x3C00;
    LiteClProxyQueue proxy;
    if (lite_cl_is_forked()) return LITE_CL_FORKED;
    if (device->clblast_proxied && device->cache_folder >= 0)
        queue = lite_cl_proxy_queue(&proxy, device, queue);
#define GEMM_OF(name, one, zero)                                                                             \
    table.name(FORMS(p), one, a, A(p), b, B(p), zero, c, C(p), &queue, event, scratch)
#define BATCH_OF(name, one, zero)                                                                            \
    table.name(FORMS(p), one, a, A(p), p->a.stride, b, B(p), p->b.stride, zero, c, C(p), p->c.stride,        \
               p->count, &queue, event)
    if (p->count > 1)
        return p->halves ? BATCH_OF(CLBlastHgemmStridedBatched, one, 0)
                         : BATCH_OF(CLBlastSgemmStridedBatched, 1.0f, 0.0f);
    return p->halves ? GEMM_OF(CLBlastHgemmWithTempBuffer, one, 0)
                     : GEMM_OF(CLBlastSgemmWithTempBuffer, 1.0f, 0.0f);
}

enum { SMALL = 2 }; // products of a batch

// 2 * 3 + 4 * 5, which is 26, as floats or halves; of a batch twice.
static cl_int multiply_small(const LiteClDevice* device, const LiteClProduct* product, cl_command_queue queue,
                             bool* right) {
    const LiteCl* cl = device->cl;
    float floats[3][2 * SMALL] = {{2.0f, 4.0f, 2.0f, 4.0f}, {3.0f, 5.0f, 3.0f, 5.0f}, {0.0f}};
    cl_half halves[3][2 * SMALL] = {{0x4000, 0x4400, 0x4000, 0x4400}, {0x4200, 0x4500, 0x4200, 0x4500}, {0}};
    char* values = product->halves ? (char*)halves : (char*)floats;
    const size_t bytes = product->halves ? sizeof halves[0] : sizeof floats[0];
    cl_int error = CL_SUCCESS;
    cl_mem buffers[LITE_CL_PRODUCT_BUFFERS] = {NULL};
    size_t scratch = 0;
    for (size_t i = 0; i < 3 && error == CL_SUCCESS; i++)
        buffers[i] = cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                        values + i * bytes, &error);
    if (error == CL_SUCCESS) error = lite_cl_product_scratch(product, queue, &scratch);
    if (error == CL_SUCCESS && scratch > 0)
        buffers[3] = cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE, scratch, NULL, &error);
    if (error == CL_SUCCESS) error = lite_cl_product_enqueue(device, product, buffers, queue, NULL);
    if (error == CL_SUCCESS)
        error =
            cl->clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bytes, values + 2 * bytes, 0, NULL, NULL);
    for (int i = 0; i < LITE_CL_PRODUCT_BUFFERS; i++) {
        if (buffers[i] != NULL) (void)cl->clReleaseMemObject(buffers[i]);
    }
    *right = true;
    for (size_t i = 0; i < product->count; i++)
        *right = *right && (product->halves ? halves[2][i] == 0x4E80 : floats[2][i] == 26.0f);
    return error;
}

static TfLiteStatus try_product(LiteClDevice* device, const LiteClProduct* product,
                                const LiteReporter* reporter) {
    const char* name = lite_cl_product_name(product);
    bool right = false;
    cl_int error;
    cl_command_queue queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &error);
    LITE_TRY(lite_cl_check(reporter, "clCreateCommandQueue", error));
    error = multiply_small(device, product, queue, &right);
    if (device->clblast_proxied && (error != CL_SUCCESS || !right)) {
        device->clblast_proxied = false;
        (void)table.CLBlastClearCache();
        error = multiply_small(device, product, queue, &right);
    }
    (void)device->cl->clReleaseCommandQueue(queue);
    LITE_TRY(lite_cl_check(reporter, name, error));
    return right ? kTfLiteOk
                 : lite_report(reporter, OPTION "%s: 2 * 3 + 4 * 5 is not 26 on this device", name);
}

// With the device's mutex held.
static TfLiteStatus try_once(LiteClDevice* device, LiteClClblastKind kind, const LiteReporter* reporter) {
    const bool is_batch = kind == kLiteClClblastBatches || kind == kLiteClClblastHalfBatches;
    const LiteClProduct product = {.halves =
                                       kind == kLiteClClblastHalves || kind == kLiteClClblastHalfBatches,
                                   .rows = 1,
                                   .depth = 2,
                                   .columns = 1,
                                   .a = {.stride = 2},
                                   .b = {.stride = 2},
                                   .c = {.stride = 1},
                                   .count = is_batch ? SMALL : 1};
    if (product.halves && !lite_cl_device_has(device, "cl_khr_fp16"))
        return lite_report(reporter, OPTION "the device has no cl_khr_fp16");
    return try_product(device, &product, reporter);
}

bool lite_cl_clblast_has(LiteClDevice* device, LiteClClblastKind kind, const LiteReporter* reporter) {
    if (!LITE_CL_HAS_CLBLAST) {
        (void)lite_report(reporter, OPTION "this library was built for selected operators, without CLBlast");
        return false;
    }
    if (lite_cl_is_forked() || load_once(device->cl, reporter) != kTfLiteOk) return false;
    lite_lock(&device->mutex);
    const unsigned bit = 1u << kind;
    if (device->clblast_tried == 0 && proxies) {
        lite_cl_proxy_context(device);
        device->clblast_proxied = true;
    }
    bool works = (device->clblast_works & bit) != 0;
    // What has failed is tried again for somebody who is told why.
    if (!works && ((device->clblast_tried & bit) == 0 || reporter != NULL))
        works = try_once(device, kind, reporter) == kTfLiteOk;
    device->clblast_tried |= bit;
    if (works) device->clblast_works |= bit;
    lite_unlock(&device->mutex);
    return works;
}

void lite_cl_clblast_forget(const LiteClDevice* device) {
    if (LITE_CL_HAS_CLBLAST && device->clblast_tried != 0 && !lite_cl_is_forked())
        (void)table.CLBlastClearCache();
}
