// SPDX-License-Identifier: Apache-2.0
// oclite_opencl_selftest: tries an OpenCL driver, so that a host need not. The delegate starts it, and it can
// be run by hand:
//
//   oclite_opencl_selftest [--device N] [--identity HASH] [--without LIBRARY]... [--cases FILE] NAME...
//   oclite_opencl_selftest --driver LIBRARY driver
//   oclite_opencl_selftest [--device N] [--identity HASH] [--without LIBRARY]... --compile
//   oclite_opencl_selftest --list
//
// NAME is an operator, or "device". What it says is in selftest/child.h. --identity is what the device and
// its driver have to be; --without leaves out a driver; --cases names a file in place of the cases in the
// program;
// --driver opens a driver's library and asks for its devices; --compile compiles what the standard input
// brings (helper/compile.h); --list prints what has cases.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/helper/compile.h"
#include "delegate-opencl/helper/driver.h"
#include "delegate-opencl/helper/trial.h"
#include "delegate-opencl/selftest/identity.h"
#include "oclite/opencl.h"

typedef struct Settings {
    const char* device;
    const char* identity;
    const char* driver;
    unsigned char* cases; // NULL: those of the program
    size_t size;
    FILE* out;
} Settings;

static void say(FILE* out, const LiteClVerdict* verdict) {
    LiteText text = {0};
    lite_cl_verdict_write(verdict, &text);
    fputs(text.data != NULL ? text.data : "out of memory\n", out);
    fflush(out);
    lite_text_free(&text);
}

static TfLiteDelegate* create_delegate(const Settings* settings) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.device = settings->device;
    options.selftest = "off";
    options.partition = "all"; // a case is too small to be faster there
    options.cache_dir = "off"; // programs of small cases are not worth a file
    return oclite_opencl_delegate_create(&options);
}

// A delegate of its own for each operator: what the last one has broken is not the next one's fault.
static void try_operator(const Settings* settings, LiteClVerdict* verdict) {
    CaseReader reader;
    SelftestCase tried;
    if (!cases_open(&reader, settings->cases, settings->size)) return;
    while (cases_next(&reader, &tried) && !lite_cl_trial_is_bad(verdict->trial)) {
        if (strcmp(tried.name, verdict->name) != 0) continue;
        TfLiteDelegate* delegate = create_delegate(settings);
        trial_run(&tried, delegate, verdict);
        oclite_opencl_delegate_delete(delegate);
    }
    if (verdict->trial == kLiteClTrialUntried) verdict->trial = kLiteClTrialUntaken;
}

static bool copy_bytes(const LiteCl* cl, cl_context context, cl_device_id device) {
    enum { BYTES = 4096 };
    unsigned char sent[BYTES], received[BYTES] = {0};
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < BYTES; i++) sent[i] = (unsigned char)(i * 7 + 1);
    cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, &error);
    if (error != CL_SUCCESS) return false;
    cl_mem memory = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    const bool right =
        error == CL_SUCCESS &&
        cl->clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, BYTES, sent, 0, NULL, NULL) == CL_SUCCESS &&
        cl->clFinish(queue) == CL_SUCCESS &&
        cl->clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, BYTES, received, 0, NULL, NULL) == CL_SUCCESS &&
        memcmp(sent, received, BYTES) == 0;
    if (error == CL_SUCCESS) cl->clReleaseMemObject(memory);
    cl->clReleaseCommandQueue(queue);
    return right;
}

// Opens the device, checks that it is the one that is meant, and moves some bytes.
static void try_device(const Settings* settings, LiteClVerdict* verdict) {
    TfLiteDelegate* delegate = create_delegate(settings);
    verdict->trial = kLiteClTrialFails;
    if (delegate == NULL) {
        lite_cl_verdict_detail(verdict, "%s", oclite_opencl_last_error());
        return;
    }
    const LiteCl* cl = lite_cl_load(NULL);
    cl_device_id id = oclite_opencl_delegate_device_id(delegate);
    if (copy_bytes(cl, oclite_opencl_delegate_context(delegate), id)) {
        verdict->trial = kLiteClTrialRight;
    } else {
        lite_cl_verdict_detail(verdict, "bytes do not come back from its memory");
    }
    oclite_opencl_delegate_delete(delegate);
}

// Is it the device that the host means? Else a verdict would be on another one.
static bool is_meant(const Settings* settings) {
    LiteClIdentity identity;
    cl_platform_id platform = NULL;
    if (settings->identity == NULL) return true;
    TfLiteDelegate* delegate = create_delegate(settings);
    if (delegate == NULL) return true; // the trial says why
    const LiteCl* cl = lite_cl_load(NULL);
    cl_device_id id = oclite_opencl_delegate_device_id(delegate);
    (void)cl->clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof(platform), (void*)&platform, NULL);
    lite_cl_identity_read(cl, platform, id, &identity);
    oclite_opencl_delegate_delete(delegate);
    return strcmp(identity.hash, settings->identity) == 0;
}

static void try_name(const Settings* settings, const char* name) {
    LiteClVerdict verdict = {.trial = kLiteClTrialUntried};
    snprintf(verdict.name, sizeof verdict.name, "%s", name);
    fprintf(settings->out, "begin %s\n", name);
    fflush(settings->out);
    if (settings->driver != NULL) {
        driver_try(settings->driver, &verdict);
    } else if (!is_meant(settings)) {
        verdict.trial = kLiteClTrialFails;
        lite_cl_verdict_detail(&verdict, "another device has its number in a child");
    } else if (strcmp(name, LITE_CL_DEVICE_TRIAL) == 0) {
        try_device(settings, &verdict);
    } else {
        try_operator(settings, &verdict);
    }
    say(settings->out, &verdict);
}

static int list(void) {
    CaseReader reader;
    SelftestCase found;
    if (!cases_open(&reader, NULL, 0)) return 1;
    while (cases_next(&reader, &found)) printf("%s\n", found.name);
    return reader.left == 0 ? 0 : 1;
}

// Drivers print to where they like: only what is ours goes to the pipe.
static FILE* separate_output(void) {
    const int pipe = dup(STDOUT_FILENO);
    if (pipe < 0 || freopen("/dev/null", "w", stdout) == NULL) return NULL;
    return fdopen(pipe, "w");
}

static bool read_cases(const char* path, Settings* settings) {
    FILE* file = fopen(path, "rbe");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) return false;
    const long size = ftell(file);
    rewind(file);
    settings->cases = size > 0 ? malloc((size_t)size) : NULL;
    settings->size = settings->cases != NULL ? fread(settings->cases, 1, (size_t)size, file) : 0;
    fclose(file);
    return settings->size > 0;
}

// Answers go to the pipe as bytes.
static int compile(const Settings* settings) {
    TfLiteDelegate* delegate = is_meant(settings) ? create_delegate(settings) : NULL;
    if (delegate == NULL) return 1;
    const int status = compile_all(delegate, fileno(settings->out));
    oclite_opencl_delegate_delete(delegate);
    return status;
}

int main(int argc, char** argv) {
    Settings settings = {0};
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        if (strcmp(argv[first], "--device") == 0) settings.device = argv[first + 1];
        if (strcmp(argv[first], "--identity") == 0) settings.identity = argv[first + 1];
        if (strcmp(argv[first], "--driver") == 0) settings.driver = argv[first + 1];
        if (strcmp(argv[first], "--without") == 0)
            (void)lite_cl_leave_out(argv[first + 1], "the host says so");
        if (strcmp(argv[first], "--cases") == 0 && !read_cases(argv[first + 1], &settings)) return 2;
    }
    if (first < argc && strcmp(argv[first], "--list") == 0) return list();
    // It goes with the host that waits for it, and what crashes leaves no core behind.
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    settings.out = separate_output();
    if (settings.out == NULL) return 2;
    const bool compiles = first < argc && strcmp(argv[first], "--compile") == 0;
    const int status = compiles ? compile(&settings) : 0;
    for (int i = first; i < argc && !compiles; i++) try_name(&settings, argv[i]);
    if (!compiles) fputs("end\n", settings.out);
    fclose(settings.out);
    free(settings.cases);
    return status;
}
