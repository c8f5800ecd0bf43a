// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Custom operators, in Java and in native libraries. */
class OperatorTest {
    private static final float[] X = {-8.0f, 0.5f, 2.0f, 2.2f, 201.0f};
    /** What TensorFlow has trained the model for. */
    private static final float[] Y = {-1.4288993f, 0.98279375f, 1.2490457f, 1.2679114f, 1.5658458f};

    private static final CustomOperator ATAN = (node, inputs, outputs) -> {
        FloatBuffer x = inputs[0].asFloatBuffer();
        FloatBuffer y = outputs[0].asFloatBuffer();
        while (x.hasRemaining()) {
            y.put((float) Math.atan(x.get()));
        }
    };

    private static String library() {
        String library = Resources.path("build", "libatan_library.so").toString();
        Assumptions.assumeTrue(new java.io.File(library).exists(), "no " + library + ": examples are not built");
        return library;
    }

    private static float[] atan(Interpreter.Options options) {
        float[] y = new float[5];
        try (Interpreter interpreter = new Interpreter(Resources.own("atan"), options)) {
            interpreter.run(X, y);
        }
        return y;
    }

    /** An interpreter of the model with the operator Mine: two inputs and an output of [1, 4] or more rows. */
    private static Interpreter mine(CustomOperator operator) {
        return new Interpreter(Resources.made("custom"), new Interpreter.Options().addCustomOperator("Mine", operator));
    }

    private static float[][] run(Interpreter interpreter, int rows) {
        float[][] x = new float[rows][4];
        float[][] z = new float[rows][4];
        x[rows - 1][3] = 3;
        interpreter.runForMultipleInputsOutputs(new Object[] {x, x}, Map.of(0, z));
        return z;
    }

    @Test
    void inJava() {
        assertArrayEquals(Y, atan(new Interpreter.Options().addCustomOperator("Atan", ATAN)), 1e-6f);
    }

    @Test
    void inNativeLibraries() {
        assertArrayEquals(Y, atan(new Interpreter.Options().addCustomOperator("Atan", library(), "atan_operator")),
                1e-6f);
        String custom = Resources.path("build", "extensions", "liboclite_custom_ops.so").toString();
        Interpreter.Options options = new Interpreter.Options().addOperatorLibrary(custom);
        try (Interpreter interpreter = new Interpreter(Resources.made("custom_sign"), options)) {
            float[] signs = new float[4];
            interpreter.run(new float[] {-2, 0, 3, -0.5f}, signs);
            assertArrayEquals(new float[] {-1, 0, 1, -1}, signs);
        }
    }

    @Test
    void theLastOneOfANameCounts() {
        CustomOperator zero = (node, inputs, outputs) -> outputs[0].asFloatBuffer().put(new float[5]);
        Interpreter.Options options = new Interpreter.Options().addCustomOperator("Atan", library(), "atan_operator");
        assertArrayEquals(new float[5], atan(new Interpreter.Options(options).addCustomOperator("Atan", zero)));
        assertArrayEquals(Y, atan(options.addCustomOperator("Atan", zero).addCustomOperator("Atan", ATAN)), 1e-6f);
    }

    @Test
    void whatANodeIs() {
        List<OperatorNode> nodes = new ArrayList<>();
        CustomOperator operator = new CustomOperator() {
            @Override
            public int[][] prepare(OperatorNode node) {
                nodes.add(node);
                return new int[][] {node.inputShape(1)};
            }

            @Override
            public void invoke(OperatorNode node, ByteBuffer[] inputs, ByteBuffer[] outputs) {
                nodes.add(node);
                assertTrue(inputs[0].isReadOnly() && inputs[0].isDirect());
                assertEquals(ByteOrder.nativeOrder(), inputs[0].order());
                assertEquals(inputs[1].limit(), outputs[0].limit());
                outputs[0].put(inputs[1]);
            }
        };
        try (Interpreter interpreter = mine(operator)) {
            assertEquals(3, run(interpreter, 2)[1][3]);
            assertEquals(3, run(interpreter, 1)[0][3]);
        }
        assertEquals(4, nodes.size());
        OperatorNode node = nodes.get(1);
        assertEquals(2, node.inputCount());
        assertEquals(1, node.outputCount());
        assertEquals(DataType.FLOAT32, node.inputType(1));
        assertEquals(DataType.FLOAT32, node.outputType(0));
        assertArrayEquals(new int[] {2, 4}, node.outputShape(0));
        assertArrayEquals(new int[] {1, 4}, nodes.get(3).inputShape(0));
        assertArrayEquals(new byte[] {1, 2, 3}, node.options());
        assertNull(node.inputConstant(0));
        assertFalse(node.hasInput(2));
        assertThrows(IllegalArgumentException.class, () -> node.inputShape(2));
    }

    @Test
    void buffersThatAreKept() {
        List<ByteBuffer> kept = new ArrayList<>();
        try (Interpreter interpreter = mine((node, inputs, outputs) -> {
            kept.addAll(List.of(inputs[0], inputs[1], outputs[0]));
            outputs[0].putFloat(0, 7);
        })) {
            run(interpreter, 1);
        }
        System.gc();
        kept.get(2).putFloat(4, 1); // memory that is still there
        assertEquals(7, kept.get(2).getFloat(0));
        assertEquals(16, kept.get(0).capacity());
    }

    @Test
    void whatIsThrownIsTheCause() {
        List<Throwable> thrown = List.of(new IOException("on purpose"), new IllegalStateException("on purpose"),
                new StackOverflowError("on purpose"), new AssertionError("on purpose"));
        for (Throwable cause : thrown) {
            try (Interpreter interpreter = mine((node, inputs, outputs) -> {
                if (cause instanceof Exception) {
                    throw (Exception) cause;
                }
                throw (Error) cause;
            })) {
                IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                        () -> run(interpreter, 1));
                assertSame(cause, error.getCause());
                assertTrue(error.getMessage().startsWith("Mine: " + cause), error.getMessage());
                assertSame(cause, assertThrows(IllegalArgumentException.class, () -> run(interpreter, 1)).getCause());
            }
        }
    }

    private static int endless(int depth) {
        return endless(depth + 1) + 1;
    }

    @Test
    void anOperatorWithoutStack() {
        try (Interpreter interpreter = mine((node, inputs, outputs) -> endless(0))) {
            Throwable error = assertThrows(IllegalArgumentException.class, () -> run(interpreter, 1));
            assertTrue(error.getCause() instanceof StackOverflowError);
        }
    }

    private static String prepareFails(int[][] shapes) {
        CustomOperator operator = new CustomOperator() {
            @Override
            public int[][] prepare(OperatorNode node) throws Exception {
                if (shapes == null) {
                    throw new IOException("not these");
                }
                return shapes;
            }

            @Override
            public void invoke(OperatorNode node, ByteBuffer[] inputs, ByteBuffer[] outputs) {
                throw new AssertionError("it was not prepared");
            }
        };
        try (Interpreter interpreter = mine(operator)) {
            IllegalStateException error = assertThrows(IllegalStateException.class, interpreter::allocateTensors);
            assertEquals(error.getMessage(),
                    assertThrows(IllegalStateException.class, () -> run(interpreter, 1)).getMessage());
            return error.getCause().getMessage();
        }
    }

    @Test
    void prepareThatFails() {
        assertEquals("not these", prepareFails(null));
        assertEquals("prepare has returned 0 shapes, but the node has 1 outputs", prepareFails(new int[0][]));
        assertTrue(prepareFails(new int[][] {{2, -1}}).contains("[2, -1]"));
        assertTrue(prepareFails(new int[][] {null}).contains("null"));
        assertTrue(prepareFails(new int[][] {{1 << 30, 1 << 30, 1 << 30}}).contains("cannot have the shape"));
    }

    @Test
    void stringsNeedANativeLibrary() {
        Interpreter.Options options = new Interpreter.Options().addCustomOperator("Mine", ATAN);
        try (Interpreter interpreter = new Interpreter(Resources.made("custom_strings"), options)) {
            IllegalStateException error = assertThrows(IllegalStateException.class, interpreter::allocateTensors);
            assertTrue(error.getMessage().contains("input 0 is of type STRING"), error.getMessage());
        }
    }

    @Test
    void anInterpreterWithinItself() {
        Interpreter[] itself = new Interpreter[1];
        try (Interpreter interpreter = mine((node, inputs, outputs) -> itself[0].allocateTensors())) {
            itself[0] = interpreter;
            Throwable cause = assertThrows(IllegalArgumentException.class, () -> run(interpreter, 1)).getCause();
            assertTrue(cause instanceof IllegalStateException && cause.getMessage().contains("in use"),
                    cause.toString());
        }
        try (Interpreter interpreter = mine((node, inputs, outputs) -> itself[0].close())) {
            itself[0] = interpreter;
            Throwable cause = assertThrows(IllegalArgumentException.class, () -> run(interpreter, 1)).getCause();
            assertTrue(cause instanceof IllegalStateException && cause.getMessage().contains("in use"),
                    cause.toString());
        }
        try (Interpreter other = Resources.open(Resources.own("digits"));
                Interpreter interpreter = mine((node, inputs, outputs) -> Resources.scores(other))) {
            run(interpreter, 1); // another one may be called
        }
    }
}
