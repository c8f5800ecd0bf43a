// SPDX-License-Identifier: Apache-2.0
// The steps of a plan: each is a launch of a kernel, or a product that CLBlast computes.
#ifndef DELEGATE_OPENCL_PLAN_STEP_H_
#define DELEGATE_OPENCL_PLAN_STEP_H_

#include "delegate-opencl/device/clblast.h"
#include "delegate-opencl/device/program.h"
#include "delegate-opencl/device/sources.h"
#include "delegate-opencl/graph/graph.h"
#include "delegate-opencl/plan/launch.h"

// A product of CLBlast's.
typedef struct LiteClProductCall {
    LiteClProduct product;
    cl_mem buffers[LITE_CL_PRODUCT_BUFFERS];
} LiteClProductCall;

typedef struct LiteClStep {
    cl_kernel kernel;           // NULL: not made, or the product of CLBlast
    LiteClProductCall* product; // owned
    const char* name;
    const LiteClSource* family; // NULL: a program of the user's own
    const LiteClNode* node;     // whose work it does, up to `last` in the graph; see lite_cl_plan_attribute
    const LiteClNode* last;
    size_t global[3];
    size_t local[3]; // 0: the driver chooses
    // What may be part of a series (series.h), and has a kernel only when it is launched by itself.
    LiteClProgram* program; // NULL: it cannot be part of one
    int* arguments;         // a copy of the launch's struct: its own, or that in the table of its series
    int argument_words;     // ints of it
    bool owns_arguments;
    int local_bytes;
    int buffer_count;
    int buffers[LITE_CL_MAX_BUFFERS];   // storages
    int8_t places[LITE_CL_MAX_BUFFERS]; // which arguments of the kernel they are
    // See pace.h.
    bool is_launched[2]; // once, without an error; [1]: from an offset on, for which PoCL compiles it again
    int divided;         // the dimension along which parts of it can be launched; -1: it cannot be divided
    int runs;            // that were measured
    uint64_t ns;         // of the shortest of them
    size_t part;         // groups that take about as long as a part may; 0: not known
} LiteClStep;

// Gives the step the memory of its buffer number `index`.
TfLiteStatus lite_cl_step_set_buffer(const LiteCl* cl, const LiteClStep* step, int index, cl_mem memory,
                                     const LiteReporter* reporter);
// Gives the kernel argument number `place`; `value` NULL: so many bytes of local memory.
TfLiteStatus lite_cl_step_set_value(const LiteCl* cl, const LiteClStep* step, int place, size_t bytes,
                                    const void* value, const LiteReporter* reporter);
// Enqueues so many items of the step, from `offset` on (NULL: from the first); a product always whole.
TfLiteStatus lite_cl_step_enqueue(LiteClDevice* device, LiteClStep* step, cl_command_queue queue,
                                  const size_t* offset, const size_t global[3], cl_event* event,
                                  const LiteReporter* reporter);
void lite_cl_step_release(const LiteCl* cl, LiteClStep* step);

#endif
