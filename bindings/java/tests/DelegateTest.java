// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The OpenCL delegate on whatever device there is. */
class DelegateTest {
    private static OpenclDelegate delegate(OpenclDelegate.Options options) {
        try {
            return new OpenclDelegate(options.setPartition("all"));
        } catch (IllegalArgumentException error) {
            String said = error.getMessage();
            boolean isAbsent = said.contains("OpenCL: no") || said.contains("libOpenCL");
            Assumptions.assumeFalse(isAbsent, "no OpenCL device (" + said + ")");
            throw error;
        }
    }

    private static Interpreter on(Delegate delegate, String model) {
        return new Interpreter(Resources.own(model), new Interpreter.Options().addDelegate(delegate));
    }

    private static void closeEarly(Interpreter interpreter) {
        interpreter.close();
    }

    @Test
    void resultsAreThoseOfTheCpu() {
        float[][] want;
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            want = Resources.scores(interpreter);
        }
        try (OpenclDelegate gpu = delegate(new OpenclDelegate.Options().setProfiling(true));
                Interpreter interpreter = on(gpu, "digits")) {
            assertNotEquals(0, gpu.getNativeHandle());
            assertArrayEquals(want[0], Resources.scores(interpreter)[0], 1e-5f);
            float[][] scores = new float[1][10];
            interpreter.runSignature(Map.of("keras_tensor_7", Resources.picture()), Map.of("output_0", scores));
            assertArrayEquals(want[0], scores[0], 1e-5f);

            DelegateReport report = gpu.report();
            assertFalse(report.nodes().isEmpty());
            assertTrue(report.nodes().stream().allMatch(node -> node.isTaken && node.reason.isEmpty()),
                    report.toString());
            assertEquals("CONV_2D", report.nodes().get(0).operator);
            assertEquals(DelegateReport.Status.WORKING, report.status());
            assertEquals("", report.failure());
            assertTrue(report.memory() > 0 && !report.device().isEmpty());
            assertFalse(report.kernels().isEmpty());
            DelegateReport.Kernel kernel = report.kernels().get(0);
            assertTrue(kernel.runs > 0 && kernel.totalNanoseconds >= kernel.lastNanoseconds);
            assertTrue(kernel.nodes.contains(0), kernel.toString());
            assertTrue(report.toString().contains("status: working"), report.toString());
        }
    }

    @Test
    void whatIsLeftAndWhy() {
        try (OpenclDelegate gpu = delegate(new OpenclDelegate.Options().set("deny", "SOFTMAX"));
                Interpreter interpreter = on(gpu, "digits")) {
            interpreter.allocateTensors();
            DelegateReport.Node left = gpu.report().nodes().stream().filter(node -> !node.isTaken).findFirst()
                    .orElseThrow();
            assertEquals("SOFTMAX", left.operator);
            assertTrue(left.reason.contains("excluded by the options"), left.reason);
            assertTrue(left.toString().contains("on the host"), left.toString());
        }
    }

    @Test
    void aDelegateThatIsClosedBeforeItsInterpreter() {
        OpenclDelegate gpu = delegate(new OpenclDelegate.Options());
        try (Interpreter first = on(gpu, "digits"); Interpreter second = on(gpu, "digits")) {
            float[][] want = Resources.scores(first);
            gpu.close();
            gpu.close();
            assertArrayEquals(want, Resources.scores(second));
            closeEarly(first);
            assertArrayEquals(want, Resources.scores(second));
        }
        assertThrows(IllegalStateException.class, gpu::getNativeHandle);
        assertThrows(IllegalStateException.class, gpu::report);
        assertThrows(IllegalStateException.class, () -> on(gpu, "digits"));
    }

    @Test
    void aCustomOperatorInJavaBesideIt() {
        CustomOperator same = (node, inputs, outputs) -> outputs[0].asFloatBuffer().put(inputs[0].asFloatBuffer());
        try (OpenclDelegate gpu = delegate(new OpenclDelegate.Options().set("deny", "Atan"));
                Interpreter interpreter = new Interpreter(Resources.own("atan"),
                        new Interpreter.Options().addDelegate(gpu).addCustomOperator("Atan", same))) {
            float[] y = new float[5];
            interpreter.run(new float[5], y);
            assertEquals(1, y[0], 1e-5f);
            assertEquals(1, gpu.report().nodes().stream().filter(node -> node.isTaken).count(),
                    gpu.report().toString());
        }
    }

    @Test
    void aDelegateOfAnotherKind() {
        OpenclDelegate gpu = delegate(new OpenclDelegate.Options());
        Delegate other = gpu::getNativeHandle; // as a program has one over a library of its own
        try (Interpreter interpreter = on(other, "digits")) {
            Resources.scores(interpreter);
            assertTrue(gpu.report().nodes().stream().anyMatch(node -> node.isTaken));
        }
        gpu.close();
    }

    @Test
    void wrongOptions() {
        delegate(new OpenclDelegate.Options()).close(); // where there is no device that is all that is said
        refuses("precison", Map.of("precison", "float16"));
        refuses("precision", Map.of("precision", "float17"));
        refuses("option device: none of the", Map.of("device", "a device of this name there is not"));
        refuses("zero byte", Map.of("device", "a\0b"));
        assertThrows(IllegalArgumentException.class, () -> new OpenclDelegate.Options().set(null, "x"));
        assertThrows(IllegalArgumentException.class, () -> new OpenclDelegate.Options().set("deny", null));
    }

    private static void refuses(String words, Map<String, String> options) {
        String said = assertThrows(IllegalArgumentException.class, () -> new OpenclDelegate(options)).getMessage();
        assertTrue(said.contains(words), said);
    }
}
