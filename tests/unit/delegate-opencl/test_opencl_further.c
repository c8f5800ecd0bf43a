// SPDX-License-Identifier: Apache-2.0
// What a further interpreter costs with the OpenCL delegate (tests/support/further_case.h), which has its own
// copy of the graph, and a plan.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oclite/opencl.h"
#include "tests/support/further_case.h"

enum { EXIT_SKIPPED = 77 };

static TfLiteDelegate* delegate;

// Some 1.2 KB for each of its 117 nodes.
static void of_an_encoder(void** state) {
    (void)state;
    further_expect(further_encoder(), delegate, 156 * 1024);
}

static void of_convolutions(void** state) {
    (void)state;
    further_expect(further_convolutions(kTfLiteFloat32), delegate, 28 * 1024);
}

// Nor are the floats of halves its own.
static void of_convolutions_stored_as_halves(void** state) {
    (void)state;
    further_expect(further_convolutions(kTfLiteFloat16), delegate, 36 * 1024);
}

// The delegate's copies of scales and zero points are those of the first interpreter.
static void of_quantized_convolutions(void** state) {
    (void)state;
    const size_t quantization = kFurtherLayers * kFurtherWidth * (sizeof(float) + sizeof(int));
    further_expect(further_convolutions(kTfLiteInt8), delegate, 28 * 1024 + quantization);
}

int main(void) {
    further_fill();
    delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_an_encoder),
        cmocka_unit_test(of_convolutions),
        cmocka_unit_test(of_convolutions_stored_as_halves),
        cmocka_unit_test(of_quantized_convolutions),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    oclite_opencl_delegate_delete(delegate);
    return failed;
}
