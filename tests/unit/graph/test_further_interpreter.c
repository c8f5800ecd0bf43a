// SPDX-License-Identifier: Apache-2.0
// What a further interpreter costs on the CPU (tests/support/further_case.h).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/further_case.h"

// Each node and tensor takes some hundred bytes, whatever it computes.
static void of_an_encoder(void** state) {
    (void)state;
    further_expect(further_encoder(), NULL, 90 * 1024);
}

// No bias and no panel is an interpreter's own.
static void of_convolutions(void** state) {
    (void)state;
    further_expect(further_convolutions(kTfLiteFloat32), NULL, 10 * 1024);
}

// Nor the floats of halves.
static void of_convolutions_stored_as_halves(void** state) {
    (void)state;
    further_expect(further_convolutions(kTfLiteFloat16), NULL, 14 * 1024);
}

// Of filters that are quantized by channels the tensors have the scales and zero points.
static void of_quantized_convolutions(void** state) {
    (void)state;
    const size_t quantization = kFurtherLayers * kFurtherWidth * (sizeof(float) + sizeof(int));
    further_expect(further_convolutions(kTfLiteInt8), NULL, 11 * 1024 + quantization);
}

int main(void) {
    further_fill();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_an_encoder),
        cmocka_unit_test(of_convolutions),
        cmocka_unit_test(of_convolutions_stored_as_halves),
        cmocka_unit_test(of_quantized_convolutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
