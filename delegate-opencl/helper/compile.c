// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/helper/compile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "delegate-opencl/selftest/compile_ahead.h"

static bool read_all(void* bytes, size_t size) {
    for (size_t got = 0; got < size;) {
        const ssize_t count = read(STDIN_FILENO, (char*)bytes + got, size - got);
        if (count == 0 || (count < 0 && errno != EINTR)) return false;
        if (count > 0) got += (size_t)count;
    }
    return true;
}

// The next text, with an end. NULL: there is none.
static char* read_text(size_t size) {
    char* text = malloc(size + 1);
    if (text == NULL || !read_all(text, size)) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

static bool compile(TfLiteDelegate* delegate, const char* options, const char* text) {
    const LiteCl* cl = lite_cl_load(NULL);
    cl_device_id device = oclite_opencl_delegate_device_id(delegate);
    cl_int error;
    cl_program program = cl->clCreateProgramWithSource(oclite_opencl_delegate_context(delegate), 1,
                                                       (const char**)&text, NULL, &error);
    if (error != CL_SUCCESS) return false;
    error = cl->clCompileProgram(program, 1, &device, options, 0, NULL, NULL, NULL, NULL);
    cl->clReleaseProgram(program);
    return error == CL_SUCCESS;
}

int compile_all(TfLiteDelegate* delegate, int answers) {
    LiteClCompileRequest request;
    while (read_all(&request, sizeof request)) {
        if (request.options > LITE_CL_MOST_OPTIONS || request.text > LITE_CL_MOST_TEXT) return 2;
        char* options = read_text(request.options);
        char* text = options != NULL ? read_text(request.text) : NULL;
        const char answer = text != NULL && compile(delegate, options, text) ? LITE_CL_COMPILED : 'n';
        const bool is_over = text == NULL;
        free(options);
        free(text);
        if (is_over || write(answers, &answer, 1) != 1) return 2;
    }
    return 0;
}
