// SPDX-License-Identifier: Apache-2.0
// Where tensors live: the program's memory, a delegate's buffers, temporaries of operators, absent tensors.
#include <string.h>

#include "oclite/oclite.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// y = x + x by way of a tensor in between.
static ModelBuilder* sums(void) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), between = float_tensor(b, 2), y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(between), &kAdd);
    add_node(b, kTfLiteBuiltinAdd, INTS(between, x), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    return b;
}

static TfLiteStatus lend(Program* p, int tensor, void* data, size_t bytes, int64_t flags) {
    const TfLiteCustomAllocation allocation = {data, bytes};
    return TfLiteInterpreterSetCustomAllocationForTensor(p->interpreter, tensor, &allocation, flags);
}

static void all_tensors_may_live_in_the_programs_memory(void** state) {
    (void)state;
    static _Alignas(64) float in[16], between[16], out[16];
    Program p;
    program_open(&p, sums(), NULL);
    assert_int_equal(lend(&p, 0, in, 8, 0), kTfLiteOk);
    assert_int_equal(lend(&p, 1, between, 8, 0), kTfLiteOk);
    assert_int_equal(lend(&p, 2, out, 8, 0), kTfLiteOk);
    assert_ptr_equal(TfLiteTensorData(TfLiteInterpreterGetInputTensor(p.interpreter, 0)), in);
    in[0] = 1, in[1] = 2;
    program_run(&p);
    assert_float_equal(between[1], 4, 0);
    assert_float_equal(out[1], 6, 0);
    assert_int_equal(TfLiteInterpreterGetTensor(p.interpreter, 1)->allocation_type, kTfLiteCustom);
    program_close(&p);
}

static void what_memory_must_be_like(void** state) {
    (void)state;
    static _Alignas(64) float memory[32];
    Program p;
    program_open(&p, sums(), NULL);
    assert_int_equal(lend(&p, 0, NULL, 8, 0), kTfLiteError);
    program_expect_message(&p, "is NULL");
    assert_int_equal(lend(&p, 0, memory + 1, 8, 0), kTfLiteError);
    program_expect_message(&p, "not aligned to 64 bytes");
    assert_int_equal(lend(&p, 3, memory, 8, 0), kTfLiteError);
    assert_int_equal(lend(&p, -1, memory, 8, 0), kTfLiteError);
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(p.interpreter, 0, NULL, 0), kTfLiteError);
    program_run(&p); // nothing has changed
    assert_int_equal(lend(&p, 0, memory + 1, 8, kTfLiteCustomAllocationFlagsSkipAlignCheck), kTfLiteOk);
    memory[1] = 5, memory[2] = 6;
    program_run(&p);
    program_expect(&p, 0, VALUES(15, 18));
    program_close(&p);
}

static void constants_and_dynamic_tensors_have_their_own(void** state) {
    (void)state;
    static _Alignas(64) float memory[32];
    static const float one[] = {1};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), c = float_constant(b, 1, one), y = float_tensor(b, 1),
              text = typed_tensor(b, kTfLiteString, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, c), INTS(y), &kAdd);
    set_io(b, INTS(x, text), INTS(y));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(lend(&p, c, memory, 4, 0), kTfLiteError);
    program_expect_message(&p, "cannot live in the caller's memory");
    assert_int_equal(lend(&p, text, memory, 4, 0), kTfLiteError);
    program_close(&p);
}

static void memory_takes_effect_without_allocating_again(void** state) {
    (void)state;
    static _Alignas(64) float first[16], second[16];
    Program p;
    program_open(&p, sums(), NULL);
    program_run(&p);
    float* const memory[] = {first, second};
    for (int i = 0; i < 2; i++) {
        memory[i][0] = memory[i][1] = (float)(i + 1);
        assert_int_equal(lend(&p, 0, memory[i], 8, 0), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        program_expect(&p, 0, VALUES(3.0f * (float)(i + 1), 3.0f * (float)(i + 1)));
    }
    assert_int_equal(lend(&p, 0, first, 4, 0), kTfLiteOk); // too small: not before that is mended
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Custom allocation is too small for tensor idx: 0");
    assert_int_equal(lend(&p, 0, first, 8, 0), kTfLiteOk);
    program_run(&p);
    program_close(&p);
}

static void resized_tensors_need_enough_of_it(void** state) {
    (void)state;
    static _Alignas(64) float in[16], out[16];
    Program p;
    program_open(&p, sums(), NULL);
    assert_int_equal(lend(&p, 0, in, 16, 0), kTfLiteOk);
    assert_int_equal(lend(&p, 2, out, 12, 0), kTfLiteOk);
    for (int count = 1; count <= 5; count++) {
        assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &count, 1), kTfLiteOk);
        const bool fits = count <= 3; // the output is the shorter one
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), fits ? kTfLiteOk : kTfLiteError);
        if (!fits) program_expect_message(&p, "Custom allocation is too small for tensor idx: ");
        in[count - 1] = (float)count;
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), fits ? kTfLiteOk : kTfLiteError);
        if (fits) assert_float_equal(out[count - 1], 3.0f * (float)count, 0);
    }
    const int two = 2;
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &two, 1), kTfLiteOk);
    program_run(&p);
    program_close(&p);
}

// A variable in the program's memory is the program's to reset.
static TfLiteStatus count_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    float* runs = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 1));
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    *y = ++*runs;
    return kTfLiteOk;
}

static void variables_in_the_programs_memory_are_not_reset(void** state) {
    (void)state;
    static _Alignas(64) float memory[16];
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1);
    const int v = builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    const int y = float_tensor(b, 1);
    add_custom(b, "Count", INTS(x, v), INTS(y));
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, options_with(make_operator("Count", prepare_same_shape, count_invoke)));
    memory[0] = 40;
    assert_int_equal(lend(&p, v, memory, 4, 0), kTfLiteOk);
    program_run(&p);
    assert_int_equal(TfLiteInterpreterResetVariableTensors(p.interpreter), kTfLiteOk);
    program_run(&p);
    program_expect(&p, 0, VALUES(42));
    assert_float_equal(memory[0], 42, 0);
    program_close(&p);
}

// Buffer handles, of a delegate that runs all nodes, or pretends to.

typedef struct Buffers {
    int copies_from;
    int frees;
    TfLiteBufferHandle last_freed;
} Buffers;

static TfLiteStatus claim_all(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    (void)data;
    TfLiteIntArray* plan;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &plan));
    TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "kernel", 1, NULL);
    TfLiteOperatorSetPrepare(kernel, prepare_same_shape);
    TfLiteOperatorSetInvoke(kernel, prepare_nothing);
    return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

static TfLiteStatus copy_from(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                              TfLiteBufferHandle handle, TfLiteOpaqueTensor* tensor) {
    (void)context, (void)delegate;
    ((Buffers*)data)->copies_from++;
    float* values = TfLiteOpaqueTensorData(tensor);
    values[0] = values[1] = (float)handle;
    return kTfLiteOk;
}

static void free_handle(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                        TfLiteBufferHandle* handle) {
    (void)context, (void)delegate;
    ((Buffers*)data)->frees++;
    ((Buffers*)data)->last_freed = *handle;
}

static void outputs_may_stay_in_a_delegates_buffer(void** state) {
    (void)state;
    Buffers buffers = {0};
    TfLiteOpaqueDelegateBuilder builder = {.data = &buffers,
                                           .Prepare = claim_all,
                                           .CopyFromBufferHandle = copy_from,
                                           .FreeBufferHandle = free_handle};
    TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&builder);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    Program p;
    program_open(&p, sums(), options);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    TfLiteTensor* y = TfLiteInterpreterGetTensor(p.interpreter, 2);
    TfLiteBufferHandle handle = 0;
    TfLiteOpaqueDelegate* owner = NULL;
    assert_int_equal(TfLiteInterpreterGetBufferHandle(p.interpreter, 2, &handle, &owner), kTfLiteOk);
    assert_int_equal(handle, kTfLiteNullBufferHandle);
    assert_ptr_equal(owner, delegate); // it writes that tensor
    assert_int_equal(TfLiteInterpreterSetBufferHandle(p.interpreter, y, 7, delegate), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterSetBufferHandle(p.interpreter, y, 8, delegate), kTfLiteOk);
    assert_int_equal(buffers.last_freed, 7);
    assert_int_equal(TfLiteInterpreterGetBufferHandle(p.interpreter, 2, &handle, &owner), kTfLiteOk);
    assert_int_equal(handle, 8);
    y->data_is_stale = true;
    TfLiteSetAllowBufferHandleOutput(p.interpreter, true);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    assert_int_equal(buffers.copies_from, 0);
    assert_int_equal(TfLiteInterpreterEnsureTensorDataIsReadable(p.interpreter, 2), kTfLiteOk);
    assert_int_equal(buffers.copies_from, 1);
    program_expect(&p, 0, VALUES(8, 8));
    TfLiteSetAllowBufferHandleOutput(p.interpreter, false);
    y->data_is_stale = true;
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk); // copies by itself
    assert_int_equal(buffers.copies_from, 2);
    assert_int_equal(TfLiteInterpreterEnsureTensorDataIsReadable(p.interpreter, 99), kTfLiteError);
    assert_int_equal(TfLiteInterpreterGetBufferHandle(p.interpreter, 99, &handle, &owner), kTfLiteError);
    TfLiteOpaqueDelegate* stranger = TfLiteOpaqueDelegateCreate(&builder);
    assert_int_equal(TfLiteInterpreterSetBufferHandle(p.interpreter, y, 1, stranger), kTfLiteError);
    TfLiteOpaqueDelegateDelete(stranger);
    program_close(&p);
    assert_int_equal(buffers.frees, 2);
    TfLiteOpaqueDelegateDelete(delegate);
}

// Temporaries.

static int temporary;

static TfLiteStatus scratch_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (temporary < 0) {
        TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
        TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteFloat32);
        TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
        const TfLiteStatus status = TfLiteOpaqueContextAddTensor(context, builder, &temporary);
        TfLiteOpaqueTensorBuilderDelete(builder);
        TF_LITE_OPAQUE_ENSURE_STATUS(status);
        const TfLiteOpaqueTensor* added = TfLiteOpaqueContextGetOpaqueTensor(context, temporary);
        int32_t rank = 0;
        TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueTensorNumDims(added), -1); // not before it is resized
        TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueTensorDim(added, 0), -1);
        TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueTensorGetNumDimsSignature(added, &rank));
        TF_LITE_OPAQUE_ENSURE_EQ(context, rank, -1);
        TF_LITE_OPAQUE_ENSURE(context, TfLiteOpaqueTensorGetDimSignature(added, 0, &rank) == kTfLiteError);
        TF_LITE_OPAQUE_ENSURE(context, TfLiteOpaqueTensorData(added) == NULL);
    }
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueNodeSetTemporaries(node, &temporary, 1));
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    dims->data[0] = 1000;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextResizeTensor(
        context, TfLiteOpaqueContextGetOpaqueTensor(context, temporary), dims));
    return prepare_same_shape(context, node);
}

static TfLiteStatus scratch_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const int* temporaries;
    int count;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueNodeTemporaries(node, &temporaries, &count));
    TF_LITE_OPAQUE_ENSURE_EQ(context, count, 1);
    const TfLiteOpaqueTensor* scratch = TfLiteOpaqueContextGetOpaqueTensor(context, temporaries[0]);
    TF_LITE_OPAQUE_ENSURE_EQ(context, (int)TfLiteOpaqueTensorByteSize(scratch), 4000);
    memset(TfLiteOpaqueTensorData(scratch), 0xff, 4000); // over nothing that matters
    return invoke_plus_one(context, node);
}

static ModelBuilder* scratch_model(void) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), between = float_tensor(b, 2), y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(between), &kAdd);
    add_custom(b, "Scratch", INTS(between), INTS(y));
    set_io(b, INTS(x), INTS(y));
    return b;
}

static void operators_may_ask_for_temporaries(void** state) {
    (void)state;
    temporary = -1;
    Program p;
    program_open(&p, scratch_model(),
                 options_with(make_operator("Scratch", scratch_prepare, scratch_invoke)));
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(1, 2));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(3, 5));
    const int three = 3;
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &three, 1), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(1, 2, 3));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(3, 5, 7));
    program_close(&p);
}

// A tensor that was added and never resized takes no part in anything.
static TfLiteStatus careless_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
    TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteFloat32);
    TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
    int index = -1;
    const TfLiteStatus status = TfLiteOpaqueContextAddTensor(context, builder, &index);
    TfLiteOpaqueTensorBuilderDelete(builder);
    TF_LITE_OPAQUE_ENSURE_STATUS(status);
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueNodeSetTemporaries(node, &index, 1));
    return prepare_same_shape(context, node);
}

static void temporaries_without_a_size_are_harmless(void** state) {
    (void)state;
    Program p;
    program_open(&p, scratch_model(),
                 options_with(make_operator("Scratch", careless_prepare, invoke_plus_one)));
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(1, 2));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(3, 5));
    program_close(&p);
}

// Optional tensors: z = x + y, or x when y is absent.
static TfLiteStatus optional_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfInputs(node), 2);
    const TfLiteOpaqueTensor* second = TfLiteOpaqueNodeGetInput(context, node, 1);
    TF_LITE_OPAQUE_ENSURE(
        context, (second == NULL) == (TfLiteOpaqueNodeGetInputTensorIndex(node, 1) == kTfLiteOptionalTensor));
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    const float* y = TfLiteOpaqueTensorData(second);
    float* z = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    z[0] = x[0] + (y != NULL ? y[0] : 0);
    return kTfLiteOk;
}

static void inputs_may_be_absent(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1), with = float_tensor(b, 1),
              without = float_tensor(b, 1);
    add_custom(b, "Sum", INTS(x, y), INTS(with));
    add_custom(b, "Sum", INTS(with, -1), INTS(without));
    set_io(b, INTS(x, y), INTS(without));
    Program p;
    program_open(&p, b, options_with(make_operator("Sum", prepare_same_shape, optional_invoke)));
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(2));
    program_write(&p, 1, VALUES(3));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(5));
    program_close(&p);
    // A builtin operator that needs what is absent says so.
    b = builder_create();
    const int u = float_tensor(b, 1), v = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(u, -1), INTS(v), &kAdd);
    set_io(b, INTS(u), INTS(v));
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "ADD");
    program_close(&p);
}

// That an operator could share memory is permission, not a duty: inputs that others still read stay as they
// are.
static void operators_may_work_in_place(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), y = float_tensor(b, 2), z = float_tensor(b, 2),
              sum = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    add_custom(b, "PlusOne", INTS(y), INTS(z));
    add_node(b, kTfLiteBuiltinAdd, INTS(y, z), INTS(sum), &kAdd);
    set_io(b, INTS(x), INTS(sum));
    TfLiteOperator* op = make_operator("PlusOne", prepare_same_shape, invoke_plus_one);
    TfLiteOperatorSetInplaceOperator(op, kTfLiteInplaceOpInput0Shared);
    Program p;
    program_open(&p, b, options_with(op));
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(1, 2));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(5, 9));
    program_close(&p);
}

// Where tensors live, as programs are told.

static OcliteTensorMemory memory_of(const Program* p, int tensor) {
    OcliteTensorMemory result;
    assert_int_equal(oclite_interpreter_tensor_memory(p->interpreter, 0, tensor, &result), kTfLiteOk);
    return result;
}

static void expect_steps(const Program* p, int tensor, OcliteMemory memory, int first, int last) {
    const OcliteTensorMemory is = memory_of(p, tensor);
    assert_int_equal(is.memory, memory);
    assert_int_equal(is.bytes, 8);
    assert_int_equal(is.first_step, first);
    assert_int_equal(is.last_step, last);
    assert_int_equal(is.arena, memory == kOcliteMemoryArena ? 0 : -1);
}

static void the_memory_plan_can_be_read(void** state) {
    (void)state;
    static _Alignas(64) float own[16];
    static const float ones[] = {1, 1};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), one = float_constant(b, 2, ones), u = float_tensor(b, 2),
              v = float_tensor(b, 2), w = float_tensor(b, 2), y = float_tensor(b, 2);
    add_custom(b, "PlusOne", INTS(x, one), INTS(u));
    add_custom(b, "PlusOne", INTS(u), INTS(v));
    add_custom(b, "PlusOne", INTS(v), INTS(w));
    add_custom(b, "PlusOne", INTS(w, x), INTS(y));
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, options_with(make_operator("PlusOne", prepare_same_shape, invoke_plus_one)));
    assert_int_equal(memory_of(&p, u).memory, kOcliteMemoryNone);
    assert_int_equal(memory_of(&p, u).first_step, -1);
    assert_int_equal(oclite_interpreter_arena_bytes(p.interpreter, 0, 0), 0);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    expect_steps(&p, x, kOcliteMemoryOwn, -1, 3);
    expect_steps(&p, one, kOcliteMemoryModel, -1, 0);
    expect_steps(&p, u, kOcliteMemoryArena, 0, 1);
    expect_steps(&p, v, kOcliteMemoryArena, 1, 2);
    expect_steps(&p, w, kOcliteMemoryArena, 2, 3);
    expect_steps(&p, y, kOcliteMemoryArena, 3, 4);
    // Neighbours are alive together; u and w are not, nor are v and y.
    assert_int_not_equal(memory_of(&p, u).offset, memory_of(&p, v).offset);
    assert_int_equal(memory_of(&p, u).offset, memory_of(&p, w).offset);
    const size_t arena = oclite_interpreter_arena_bytes(p.interpreter, 0, 0);
    for (int t = u; t <= y; t++) assert_true(memory_of(&p, t).offset + 8 <= arena);
    assert_int_equal(oclite_interpreter_arena_bytes(p.interpreter, 0, 1), 0);
    assert_int_equal(oclite_interpreter_arena_bytes(p.interpreter, 1, 0), 0);
    assert_int_equal(lend(&p, y, own, 8, 0), kTfLiteOk);
    assert_int_equal(memory_of(&p, y).memory, kOcliteMemoryProgram);
    OcliteTensorMemory none;
    assert_int_equal(oclite_interpreter_tensor_memory(p.interpreter, 0, y + 99, &none), kTfLiteError);
    assert_int_equal(oclite_interpreter_tensor_memory(NULL, 0, y, &none), kTfLiteError);
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_tensors_may_live_in_the_programs_memory),
        cmocka_unit_test(what_memory_must_be_like),
        cmocka_unit_test(constants_and_dynamic_tensors_have_their_own),
        cmocka_unit_test(memory_takes_effect_without_allocating_again),
        cmocka_unit_test(resized_tensors_need_enough_of_it),
        cmocka_unit_test(variables_in_the_programs_memory_are_not_reset),
        cmocka_unit_test(outputs_may_stay_in_a_delegates_buffer),
        cmocka_unit_test(operators_may_ask_for_temporaries),
        cmocka_unit_test(temporaries_without_a_size_are_harmless),
        cmocka_unit_test(inputs_may_be_absent),
        cmocka_unit_test(operators_may_work_in_place),
        cmocka_unit_test(the_memory_plan_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
