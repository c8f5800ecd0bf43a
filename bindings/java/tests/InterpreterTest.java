// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The interpreter, its tensors and its buffers. */
class InterpreterTest {
    @Test
    void versions() {
        OcliteRuntime.init();
        assertTrue(OcliteRuntime.version().matches("\\d+\\.\\d+\\.\\d+"), OcliteRuntime.version());
        assertTrue(OcliteRuntime.runtimeVersion().matches("\\d+\\.\\d+\\.\\d+.*"), OcliteRuntime.runtimeVersion());
        assertEquals("3", OcliteRuntime.schemaVersion());
    }

    @Test
    void sourcesOfModels() throws Exception {
        ByteBuffer bytes = Resources.bytes(Resources.own("digits"));
        Interpreter.Options options = new Interpreter.Options().setNumThreads(2);
        try (Interpreter file = new Interpreter(Resources.own("digits"), null);
                Interpreter threads = new Interpreter(Resources.own("digits"), new Interpreter.Options(options));
                Interpreter mapped = new Interpreter(Resources.mapped(Resources.own("digits")));
                Interpreter copied = new Interpreter(bytes, options)) {
            bytes.clear();
            while (bytes.hasRemaining()) {
                bytes.put((byte) 0xff); // the interpreter has a copy
            }
            float[][] want = Resources.scores(file);
            assertNotEquals(want[0][0], want[0][1]);
            for (Interpreter interpreter : List.of(threads, mapped, copied)) {
                assertArrayEquals(want, Resources.scores(interpreter));
            }
        }
    }

    @Test
    void tensors() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits_int8"))) {
            assertEquals(1, interpreter.getInputTensorCount());
            assertEquals(1, interpreter.getOutputTensorCount());
            Tensor input = interpreter.getInputTensor(0);
            assertEquals(DataType.INT8, input.dataType());
            assertArrayEquals(new int[] {1, 8, 8, 1}, input.shape());
            assertArrayEquals(new int[] {1, 8, 8, 1}, input.shapeSignature());
            assertEquals(4, input.numDimensions());
            assertEquals(64, input.numBytes());
            assertEquals(64, input.numElements());
            assertEquals(-128, input.quantizationParams().getZeroPoint());
            assertEquals(1.0f / 255, input.quantizationParams().getScale(), 1e-9f);
            assertEquals(0, interpreter.getInputIndex(input.name()));
            assertEquals(0, interpreter.getOutputIndex(interpreter.getOutputTensor(0).name()));
            assertNotEquals(input.index(), interpreter.getOutputTensor(0).index());
            byte[][][][] picture = new byte[1][8][8][1];
            byte[][] scores = new byte[1][10];
            interpreter.run(picture, scores);
            ByteBuffer contents = interpreter.getOutputTensor(0).asReadOnlyBuffer();
            assertTrue(contents.isDirect() && contents.isReadOnly() && contents.order() == ByteOrder.nativeOrder());
            byte[] read = new byte[10];
            contents.get(read);
            assertArrayEquals(scores[0], read);
        }
    }

    @Test
    void contentsOutliveTheInterpreter() {
        ByteBuffer contents;
        float[][] want;
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            want = Resources.scores(interpreter);
            contents = interpreter.getOutputTensor(0).asReadOnlyBuffer();
        }
        float[] read = new float[10];
        contents.asFloatBuffer().get(read);
        assertArrayEquals(want[0], read);
    }

    @Test
    void inputsAndOutputsInBuffers() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            float[][] want = Resources.scores(interpreter);
            ByteBuffer input = Resources.direct(64 * 4);
            for (float[][] row : Resources.picture()[0]) {
                for (float[] pixel : row) {
                    input.putFloat(pixel[0]);
                }
            }
            ByteBuffer output = Resources.direct(40);
            interpreter.run(input, output); // which is not rewound
            assertEquals(256, input.position());
            assertEquals(40, output.position());
            output.flip();
            float[] read = new float[10];
            output.asFloatBuffer().get(read);
            assertArrayEquals(want[0], read);

            FloatBuffer floats = FloatBuffer.allocate(100).position(20); // of an array; the part in the middle
            floats.put(input.rewind().asFloatBuffer()).flip().position(20);
            FloatBuffer scores = FloatBuffer.allocate(30).position(5);
            interpreter.run(floats, scores);
            assertEquals(20, floats.position());
            assertEquals(15, scores.position());
            for (int i = 0; i < 10; i++) {
                assertEquals(want[0][i], scores.get(5 + i));
            }
        }
    }

    @Test
    void severalOutputsSomeLeftOut() {
        try (Interpreter interpreter = Resources.open(Resources.recorded("SPLIT__f32"))) {
            float[][] x = new float[3][8];
            for (int i = 0; i < 24; i++) {
                x[i / 8][i % 8] = i;
            }
            float[][] first = new float[3][4];
            float[][] second = new float[3][4];
            interpreter.runForMultipleInputsOutputs(new Object[] {x}, Map.of(1, second));
            assertArrayEquals(new float[] {12, 13, 14, 15}, second[1]);
            interpreter.runForMultipleInputsOutputs(new Object[] {x}, Map.of(0, first, 1, second));
            assertArrayEquals(new float[] {8, 9, 10, 11}, first[1]);
            interpreter.runForMultipleInputsOutputs(new Object[] {x}, Map.of());
            assertEquals(20, interpreter.getOutputTensor(1).asReadOnlyBuffer().asFloatBuffer().get(8));
        }
    }

    @Test
    void shapes() {
        try (Interpreter interpreter = Resources.open(Resources.made("one_signature"))) {
            float[][] one = {{1, 2, 3, 4}};
            float[][] three = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
            float[][] sum = new float[3][4];
            assertArrayEquals(new int[] {-1, 4}, interpreter.getInputTensor(0).shapeSignature());
            // Arrays bring their shape.
            interpreter.runForMultipleInputsOutputs(new Object[] {three, three}, Map.of(0, sum));
            assertArrayEquals(new float[] {18, 20, 22, 24}, sum[2]);
            assertArrayEquals(new int[] {3, 4}, interpreter.getOutputTensor(0).shape());
            interpreter.resizeInput(0, new int[] {2, 4}, true);
            interpreter.resizeInput(1, new int[] {2, 4}, true);
            interpreter.allocateTensors();
            assertArrayEquals(new int[] {2, 4}, interpreter.getOutputTensor(0).shape());
            assertEquals(32, interpreter.getOutputTensor(0).asReadOnlyBuffer().capacity());
            float[][] none = {};
            interpreter.runForMultipleInputsOutputs(new Object[] {none, none}, Map.of(0, none));
            assertArrayEquals(new int[] {0, 4}, interpreter.getOutputTensor(0).shape());
            assertThrows(IllegalArgumentException.class, () -> interpreter.resizeInput(0, new int[] {3, 5}, true));
            assertThrows(IllegalArgumentException.class, () -> interpreter.resizeInput(0, new int[] {3}, true));
            interpreter.runForMultipleInputsOutputs(new Object[] {one, one}, Map.of(0, FloatBuffer.allocate(4)));
        }
    }

    @Test
    void anOutputOfAnotherTypeThanTheModelDeclares() {
        try (Interpreter interpreter = Resources.open(Resources.recorded("ADD__i8_declared_f32"))) {
            assertEquals(DataType.FLOAT32, interpreter.getOutputTensor(0).dataType());
            interpreter.allocateTensors();
            assertEquals(DataType.INT8, interpreter.getOutputTensor(0).dataType());
        }
        try (Interpreter interpreter = Resources.open(Resources.recorded("ADD__i8_declared_f32"))) {
            ByteBuffer x = ByteBuffer.allocate(interpreter.getInputTensor(0).numBytes());
            ByteBuffer y = ByteBuffer.allocate(interpreter.getInputTensor(1).numBytes());
            ByteBuffer sum = ByteBuffer.allocate(x.capacity());
            interpreter.runForMultipleInputsOutputs(new Object[] {x, y}, Map.of(0, sum));
            assertEquals(0, sum.remaining());
        }
    }

    @Test
    void variables() {
        try (Interpreter interpreter = Resources.open(Resources.recorded("SVDF__f32"))) {
            Random random = new Random(1);
            float[][] x = new float[2][5];
            for (int i = 0; i < 10; i++) {
                x[i / 5][i % 5] = random.nextFloat();
            }
            float[][] first = new float[2][4];
            float[][] second = new float[2][4];
            float[][] again = new float[2][4];
            interpreter.resetVariableTensors();
            interpreter.run(x, first);
            interpreter.run(x, second);
            interpreter.resetVariableTensors();
            interpreter.run(x, again);
            assertArrayEquals(first, again);
            assertFalse(first[0][0] == second[0][0] && first[1][1] == second[1][1]);
        }
    }

    @Test
    void durations() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            assertNull(interpreter.getLastNativeInferenceDurationNanoseconds());
            Resources.scores(interpreter);
            assertTrue(interpreter.getLastNativeInferenceDurationNanoseconds() > 0);
            assertThrows(IllegalArgumentException.class, () -> interpreter.run(new int[1], new float[1][10]));
            assertNull(interpreter.getLastNativeInferenceDurationNanoseconds());
        }
    }

    @Test
    void closed() {
        Interpreter interpreter = new Interpreter(Resources.own("digits"),
                new Interpreter.Options().setCancellable(true));
        Tensor input = interpreter.getInputTensor(0);
        interpreter.close();
        interpreter.close();
        List<Executable> calls = List.of(() -> Resources.scores(interpreter), interpreter::allocateTensors,
                interpreter::resetVariableTensors, interpreter::getInputTensorCount, interpreter::getOutputTensorCount,
                () -> interpreter.getInputTensor(0), () -> interpreter.getOutputTensor(0),
                interpreter::getSignatureKeys,
                () -> interpreter.getSignatureInputs(null), () -> interpreter.getSignatureOutputs(null),
                () -> interpreter.getInputTensorFromSignature("x", null),
                () -> interpreter.getOutputTensorFromSignature("x", null), () -> interpreter.setCancelled(true),
                interpreter::getLastNativeInferenceDurationNanoseconds, () -> interpreter.resizeInput(0, new int[] {1}),
                () -> interpreter.resizeInput(0, new int[] {1}, true), () -> interpreter.getInputIndex("x"),
                () -> interpreter.getOutputIndex("x"), () -> interpreter.runSignature(Map.of("keras_tensor_7",
                Resources.picture()), Map.of()), input::dataType, input::shape, input::shapeSignature, input::numBytes,
                input::numElements, input::numDimensions, input::name, input::quantizationParams,
                input::asReadOnlyBuffer);
        for (int i = 0; i < calls.size(); i++) {
            IllegalStateException error = assertThrows(IllegalStateException.class, calls.get(i), "call " + i);
            assertTrue(error.getMessage().contains("closed"), error.getMessage());
        }
    }
}
