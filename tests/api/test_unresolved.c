// SPDX-License-Identifier: Apache-2.0
// Operators that nobody implements: the words of the reference, the node, what is there, and the cure.
#include <string.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// ADD, then a custom operator.
static ModelBuilder* add_then(const char* name) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), between = float_tensor(b, 1), y = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(between), &kAdd);
    add_custom(b, name, INTS(between), INTS(y));
    set_io(b, INTS(x), INTS(y));
    return b;
}

// Opens, allocates in vain, and leaves the messages.
static void open_unresolved(Program* p, const char* name, TfLiteInterpreterOptions* options) {
    program_open(p, add_then(name), options);
    assert_non_null(p->interpreter); // a delegate could still claim the node
    assert_string_equal(p->messages, "");
    assert_int_equal(TfLiteInterpreterAllocateTensors(p->interpreter), kTfLiteUnresolvedOps);
    assert_int_equal(TfLiteInterpreterInvoke(p->interpreter), kTfLiteError);
}

static void begins_with(const Program* p, const char* text) {
    assert_memory_equal(p->messages, text, strlen(text));
}

static void the_references_words_the_node_and_the_cure(void** state) {
    (void)state;
    Program p;
    open_unresolved(&p, "Atan", NULL);
    begins_with(&p, "Encountered unresolved custom op: Atan.\nSee instructions: "
                    "https://www.tensorflow.org/lite/guide/ops_custom ");
    assert_non_null(strstr(p.messages, "Node 1 of subgraph 0"));
    assert_non_null(strstr(p.messages, "Register 'Atan' before the interpreter is created "
                                       "(TfLiteInterpreterOptionsAddOperator)"));
    assert_null(strstr(p.messages, "case-sensitive"));
    assert_non_null(strstr(p.messages, "Node number 1 (Atan) failed to prepare."));
    program_close(&p);
}

static void a_name_that_differs_in_case(void** state) {
    (void)state;
    Program p;
    open_unresolved(&p, "Atan", options_with(make_operator("ATAN", prepare_nothing, invoke_plus_one)));
    begins_with(&p, "Encountered unresolved custom op: Atan.");
    program_expect_message(&p, "There is a registered operator 'ATAN': names are case-sensitive.");
    program_close(&p);
}

// A program's resolver cannot be listed, but asked.
static const TfLiteOperator* find_custom(void* user_data, const char* name, int version) {
    (void)version;
    const TfLiteOperator* op = user_data;
    return strcmp(name, TfLiteOperatorGetCustomName(op)) == 0 ? op : NULL;
}

static const TfLiteOperator* find_builtin(void* user_data, int op, int version) {
    (void)user_data, (void)op, (void)version;
    return NULL;
}

static void resolvers_are_asked_for_other_spellings(void** state) {
    (void)state;
    static const char* const spellings[] = {"ATAN", "atan", "Atan"};
    for (int i = 0; i < 3; i++) {
        TfLiteOperator* op = make_operator(spellings[i], prepare_same_shape, invoke_plus_one);
        TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
        TfLiteInterpreterOptionsSetOpResolverExternal(options, find_builtin, find_custom, op);
        Program p;
        if (i < 2) {
            open_unresolved(&p, "Atan", options);
            program_expect_message(&p, spellings[i]);
        } else {
            program_open(&p, add_then("Atan"), options);
            program_run(&p);
        }
        program_close(&p);
    }
}

static void a_name_in_another_version(void** state) {
    (void)state;
    TfLiteRegistration registration = {.invoke = NULL};
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddCustomOp(options, "Atan", &registration, 2, 4);
    Program p;
    open_unresolved(&p, "Atan", options);
    assert_non_null(strstr(p.messages, "needs version 1."));
    program_expect_message(&p, "The one registered under this name serves versions 2 to 4.");
    program_close(&p);
}

static void flex_operators_have_words_of_their_own(void** state) {
    (void)state;
    Program p;
    open_unresolved(&p, "FlexErf", NULL);
    begins_with(&p, "Select TensorFlow op(s), included in the given model, is(are) not supported by this "
                    "interpreter. Make sure you apply/link the Flex delegate before inference. For the "
                    "Android, it can be resolved by adding "
                    "\"org.tensorflow:tensorflow-lite-select-tf-ops\" dependency. See instructions: "
                    "https://www.tensorflow.org/lite/guide/ops_select");
    assert_non_null(strstr(p.messages, "'FlexErf'"));
    program_expect_message(&p, "Node number 1 (FlexErf) failed to prepare.");
    program_close(&p);
}

// Whatever a model calls its operators, the cure stays in the message.
static void long_names_leave_room_for_the_rest(void** state) {
    (void)state;
    static char name[5000];
    memset(name, 'x', sizeof name - 1);
    Program p;
    open_unresolved(&p, name, NULL);
    program_expect_message(&p, "or apply a delegate that runs it.");
    program_close(&p);
}

static void unresolved_in_a_subgraph(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 1};
    ModelBuilder* b = builder_create();
    const int c = typed_tensor(b, kTfLiteBool, 1), x = float_tensor(b, 1), y = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinIf, INTS(c, x), INTS(y), &params);
    set_io(b, INTS(c, x), INTS(y));
    builder_subgraph(b, "branch");
    const int u = float_tensor(b, 1), v = float_tensor(b, 1);
    add_custom(b, "Atan", INTS(u), INTS(v));
    set_io(b, INTS(u), INTS(v));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteUnresolvedOps);
    program_expect_message(&p, "Node 0 of subgraph 1 ('branch') needs version 1.");
    program_close(&p);
}

// Builtin operators, which no delegate can be hoped to claim: there is no interpreter.

static ModelBuilder* one_add(int version) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1);
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                          .version = version,
                                          .inputs = INTS(x, x),
                                          .outputs = INTS(y),
                                          .params = &kAdd});
    set_io(b, INTS(x), INTS(y));
    return b;
}

static void builtin_operators_in_an_unknown_version(void** state) {
    (void)state;
    Program p;
    program_open(&p, one_add(77), NULL);
    assert_null(p.interpreter);
    begins_with(&p, "Didn't find op for builtin opcode 'ADD' version '77'. An older version of this builtin "
                    "might be supported. Are you using an old TFLite binary with a newer model?\n");
    assert_non_null(strstr(p.messages, "Node 0 of subgraph 0"));
    assert_non_null(strstr(p.messages, "The library has versions 1 to "));
    program_expect_message(&p, "Registration failed.");
    program_close(&p);
    TfLiteRegistration registration = {.invoke = NULL};
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddBuiltinOp(options, kTfLiteBuiltinAdd, &registration, 70, 76);
    program_open(&p, one_add(77), options);
    assert_null(p.interpreter);
    program_expect_message(&p, "A registered one serves versions 70 to 76.");
    program_close(&p);
}

static void builtin_operators_that_were_not_selected(void** state) {
    (void)state;
    Program p;
    program_open(&p, one_add(1), NULL);
    assert_null(TfLiteInterpreterCreateWithSelectedOps(p.model, NULL));
    program_close(&p);
    ModelBuilder* b = builder_create(); // an operator of the format without a kernel here
    const int x = float_tensor(b, 1), y = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinConcatEmbeddings, INTS(x), INTS(y), NULL);
    set_io(b, INTS(x), INTS(y));
    program_open(&p, b, NULL);
    assert_null(p.interpreter);
    program_expect_message(&p, "The library has no kernel for this operator.");
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_references_words_the_node_and_the_cure),
        cmocka_unit_test(a_name_that_differs_in_case),
        cmocka_unit_test(resolvers_are_asked_for_other_spellings),
        cmocka_unit_test(a_name_in_another_version),
        cmocka_unit_test(flex_operators_have_words_of_their_own),
        cmocka_unit_test(long_names_leave_room_for_the_rest),
        cmocka_unit_test(unresolved_in_a_subgraph),
        cmocka_unit_test(builtin_operators_in_an_unknown_version),
        cmocka_unit_test(builtin_operators_that_were_not_selected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
