// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Signatures of a model with two subgraphs: "add" and "mul". */
class SignatureTest {
    @Test
    void namesAndTensors() {
        try (Interpreter interpreter = Resources.open(Resources.made("signatures"))) {
            assertArrayEquals(new String[] {"add", "mul"}, interpreter.getSignatureKeys());
            assertArrayEquals(new String[] {"x", "y"}, interpreter.getSignatureInputs("add"));
            assertArrayEquals(new String[] {"product"}, interpreter.getSignatureOutputs("mul"));
            assertEquals("mul_y", interpreter.getInputTensorFromSignature("b", "mul").name());
            assertEquals("add_z", interpreter.getOutputTensorFromSignature("sum", "add").name());
            assertArrayEquals(new int[] {-1, 4}, interpreter.getInputTensorFromSignature("a", "mul").shapeSignature());
        }
    }

    @Test
    void eachRunsItsSubgraph() {
        try (Interpreter interpreter = Resources.open(Resources.made("signatures"))) {
            float[][] x = {{1, 2, 3, 4}};
            float[][] y = {{10, 20, 30, 40}};
            float[][] result = new float[1][4];
            interpreter.runSignature(Map.of("x", x, "y", y), Map.of("sum", result), "add");
            assertArrayEquals(new float[] {11, 22, 33, 44}, result[0]);
            interpreter.runSignature(Map.of("a", x, "b", y), Map.of("product", result), "mul");
            assertArrayEquals(new float[] {10, 40, 90, 160}, result[0]);
            assertTrue(interpreter.getLastNativeInferenceDurationNanoseconds() > 0);
            float[][] rows = {{1, 2, 3, 4}, {5, 6, 7, 8}};
            float[][] two = new float[2][4];
            interpreter.runSignature(Map.of("a", rows, "b", rows), Map.of("product", two), "mul");
            assertArrayEquals(new float[] {25, 36, 49, 64}, two[1]);
            assertArrayEquals(new int[] {1, 4}, interpreter.getInputTensor(0).shape()); // of the other subgraph
            interpreter.runForMultipleInputsOutputs(new Object[] {x, y}, Map.of(0, result));
            assertArrayEquals(new float[] {11, 22, 33, 44}, result[0]);
        }
    }

    @Test
    void theOnlyOneNeedsNoKey() {
        try (Interpreter interpreter = Resources.open(Resources.made("one_signature"))) {
            float[][] x = {{1, 2, 3, 4}};
            float[][] result = new float[1][4];
            interpreter.runSignature(Map.of("x", x, "y", x), Map.of("sum", result));
            assertArrayEquals(new float[] {2, 4, 6, 8}, result[0]);
            assertArrayEquals(new String[] {"x", "y"}, interpreter.getSignatureInputs(null));
        }
    }

    @Test
    void aModelOfTensorFlow() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            float[][] want = Resources.scores(interpreter);
            float[][] scores = new float[1][10];
            interpreter.runSignature(Map.of("keras_tensor_7", Resources.picture()), Map.of("output_0", scores));
            assertArrayEquals(want, scores);
        }
    }
}
