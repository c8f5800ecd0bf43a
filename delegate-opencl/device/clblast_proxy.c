// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/clblast_proxy.h"

#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/xxh64.h"
#include "delegate-opencl/device/program_cache.h"
#include "delegate-opencl/device/turns.h"

// As the loader sees it. Later versions of OpenCL may have more functions.
enum { SLOTS = sizeof(struct _cl_icd_dispatch) / sizeof(void*) + 64 };
static union {
    struct _cl_icd_dispatch named;
    void* slots[SLOTS];
} table;

// One that is built from the folder or from its source, once.
typedef struct ProxyProgram {
    const void* table;
    const LiteClDevice* device;
    cl_program program; // NULL: not built
    char source[];
} ProxyProgram;

static const LiteClProxyQueue* of_queue(cl_command_queue queue) {
    return (const LiteClProxyQueue*)queue;
}

static const LiteClDevice* of_context(cl_context context) {
    return ((const LiteClProxyContext*)context)->device;
}

static ProxyProgram* of_program(cl_program program) {
    return (ProxyProgram*)program;
}

static cl_int CL_API_CALL queue_info(cl_command_queue queue, cl_command_queue_info what, size_t size,
                                     void* value, size_t* used) {
    const LiteClProxyQueue* proxy = of_queue(queue);
    const LiteClProxyContext* context = &proxy->device->clblast_context;
    if (what != CL_QUEUE_CONTEXT)
        return proxy->device->cl->clGetCommandQueueInfo(proxy->queue, what, size, value, used);
    if (value != NULL && size < sizeof(void*)) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, (void*)&context, sizeof(void*));
    if (used != NULL) *used = sizeof(void*);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL flush(cl_command_queue queue) {
    return of_queue(queue)->device->cl->clFlush(of_queue(queue)->queue);
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
    return of_queue(queue)->device->cl->clFinish(of_queue(queue)->queue);
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
                                 const size_t* global, const size_t* local, cl_uint count,
                                 const cl_event* events, cl_event* event) {
    return of_queue(queue)->device->cl->clEnqueueNDRangeKernel(of_queue(queue)->queue, kernel, rank, offset,
                                                               global, local, count, events, event);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t offset,
                                      size_t size, void* host, cl_uint count, const cl_event* events,
                                      cl_event* event) {
    return of_queue(queue)->device->cl->clEnqueueReadBuffer(of_queue(queue)->queue, memory, wait, offset,
                                                            size, host, count, events, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t offset,
                                       size_t size, const void* host, cl_uint count, const cl_event* events,
                                       cl_event* event) {
    return of_queue(queue)->device->cl->clEnqueueWriteBuffer(of_queue(queue)->queue, memory, wait, offset,
                                                             size, host, count, events, event);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                                        cl_int* error) {
    const LiteClDevice* device = of_context(context);
    return device->cl->clCreateBuffer(device->context, flags, size, host, error);
}

// CLBlast makes those of binaries that it has in memory, for another context.
static cl_program CL_API_CALL create_from_binary(cl_context context, cl_uint count,
                                                 const cl_device_id* devices, const size_t* sizes,
                                                 const unsigned char** binaries, cl_int* fits,
                                                 cl_int* error) {
    const LiteClDevice* device = of_context(context);
    return device->cl->clCreateProgramWithBinary(device->context, count, devices, sizes, binaries, fits,
                                                 error);
}

static size_t length_of(const char* const* texts, const size_t* lengths, cl_uint i) {
    return lengths != NULL && lengths[i] > 0 ? lengths[i] : strlen(texts[i]);
}

static cl_program CL_API_CALL create_from_source(cl_context context, cl_uint count, const char** texts,
                                                 const size_t* lengths, cl_int* error) {
    size_t size = sizeof(ProxyProgram) + 1;
    for (cl_uint i = 0; i < count; i++) size += length_of(texts, lengths, i);
    ProxyProgram* proxy = lite_calloc(1, size);
    if (error != NULL) *error = proxy != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (proxy == NULL) return NULL;
    proxy->table = &table;
    proxy->device = of_context(context);
    char* to = proxy->source;
    for (cl_uint i = 0; i < count; i++) {
        const size_t length = length_of(texts, lengths, i);
        memcpy(to, texts[i], length);
        to += length;
    }
    return (cl_program)proxy;
}

static cl_int compile(ProxyProgram* proxy, cl_uint count, const cl_device_id* devices, const char* options) {
    const LiteCl* cl = proxy->device->cl;
    const char* text = proxy->source;
    cl_int error;
    proxy->program = cl->clCreateProgramWithSource(proxy->device->context, 1, &text, NULL, &error);
    if (error != CL_SUCCESS) {
        proxy->program = NULL;
        return error;
    }
    return cl->clBuildProgram(proxy->program, count, devices, options, NULL, NULL);
}

// Options are known only here. The key has all of them.
static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices,
                                const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                void* data) {
    ProxyProgram* proxy = of_program(program);
    const LiteClDevice* device = proxy->device;
    (void)data;
    if (notify != NULL || proxy->program != NULL) return CL_INVALID_OPERATION;
    if (options == NULL) options = "";
    const char* parts[] = {options, "\n", proxy->source};
    const bool is_kept =
        device->cache_folder >= 0 && count == 1 && devices != NULL && devices[0] == device->id;
    char* key = is_kept ? lite_cl_cache_key(device, "of CLBlast", parts, 3) : NULL;
    const LiteClTurn turn =
        lite_cl_turn_begin(device->turns, lite_xxh64(proxy->source, strlen(proxy->source), 0), true);
    if (key != NULL) proxy->program = lite_cl_cache_load(device, key, options);
    cl_int error = CL_SUCCESS;
    if (proxy->program == NULL) {
        error = compile(proxy, count, devices, options);
        if (error == CL_SUCCESS && key != NULL) lite_cl_cache_store(device, key, proxy->program);
    }
    lite_cl_turn_end(&turn);
    lite_free(key);
    return error;
}

static cl_int CL_API_CALL program_info(cl_program program, cl_program_info what, size_t size, void* value,
                                       size_t* used) {
    const ProxyProgram* proxy = of_program(program);
    if (proxy->program == NULL) return CL_INVALID_PROGRAM;
    return proxy->device->cl->clGetProgramInfo(proxy->program, what, size, value, used);
}

static cl_int CL_API_CALL build_info(cl_program program, cl_device_id device, cl_program_build_info what,
                                     size_t size, void* value, size_t* used) {
    const ProxyProgram* proxy = of_program(program);
    if (proxy->program == NULL) return CL_INVALID_PROGRAM;
    return proxy->device->cl->clGetProgramBuildInfo(proxy->program, device, what, size, value, used);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
    const ProxyProgram* proxy = of_program(program);
    if (proxy->program != NULL) return proxy->device->cl->clCreateKernel(proxy->program, name, error);
    if (error != NULL) *error = CL_INVALID_PROGRAM_EXECUTABLE;
    return NULL;
}

// CLBlast does it when the process ends, too, in which the driver may be lost and the device gone.
static cl_int CL_API_CALL release_program(cl_program program) {
    ProxyProgram* proxy = of_program(program);
    if (proxy->program != NULL && !lite_cl_is_forked())
        (void)proxy->device->cl->clReleaseProgram(proxy->program);
    lite_free(proxy);
    return CL_SUCCESS;
}

// For what CLBlast never calls. Their arguments differ; who calls a function clears them away.
static cl_int CL_API_CALL refuse(void) {
    return CL_INVALID_OPERATION;
}
static void* CL_API_CALL refuse_object(void) {
    return NULL;
}

static void fill_table(void) {
    cl_int(CL_API_CALL * fails)(void) = refuse;
    void*(CL_API_CALL * creates)(void) = refuse_object;
    for (size_t i = 0; i < SLOTS; i++) memcpy((void*)&table.slots[i], &fails, sizeof fails);
#define CREATES(name) memcpy((void*)&table.named.name, &creates, sizeof creates);
#include "delegate-opencl/device/clblast_creates.def"
    table.named.clGetCommandQueueInfo = queue_info;
    table.named.clFlush = flush;
    table.named.clFinish = finish;
    table.named.clEnqueueNDRangeKernel = launch;
    table.named.clEnqueueReadBuffer = read_buffer;
    table.named.clEnqueueWriteBuffer = write_buffer;
    table.named.clCreateBuffer = create_buffer;
    table.named.clCreateProgramWithSource = create_from_source;
    table.named.clCreateProgramWithBinary = create_from_binary;
    table.named.clBuildProgram = build;
    table.named.clGetProgramInfo = program_info;
    table.named.clGetProgramBuildInfo = build_info;
    table.named.clCreateKernel = create_kernel;
    table.named.clReleaseProgram = release_program;
}

// Loaders have an extension that drivers have not: it tells of the loader. A library that hands calls on to
// one has it from there.
static bool is_loader(void* library, const Dl_info* info) {
    typedef void*(CL_API_CALL * Find)(const char* name);
    Find find;
    Dl_info other;
    *(void**)&find = dlsym(library, "clGetExtensionFunctionAddress");
    void* extension = find != NULL ? find("clGetICDLoaderInfoOCLICD") : NULL;
    return extension != NULL && dladdr(extension, &other) != 0 && other.dli_fbase == info->dli_fbase;
}

bool lite_cl_proxy_works(void* function) {
    const char* layers = getenv("OPENCL_LAYERS");
    Dl_info info, own;
    if ((layers != NULL && layers[0] != '\0') || dladdr(function, &info) == 0) return false;
    void* library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) return false;
    if (!is_loader(library, &info)) {
        dlclose(library);
        return false;
    }
    fill_table();
    // Nothing to stay for a program that has the delegate in itself.
    if (dladdr((void*)&table, &own) != 0)
        (void)dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    return true;
}

void lite_cl_proxy_context(LiteClDevice* device) {
    device->clblast_context = (LiteClProxyContext){.table = &table, .device = device};
}

cl_command_queue lite_cl_proxy_queue(LiteClProxyQueue* proxy, const LiteClDevice* device,
                                     cl_command_queue queue) {
    *proxy = (LiteClProxyQueue){.table = &table, .device = device, .queue = queue};
    return (cl_command_queue)proxy;
}
