// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values of every type, in and out of models whose only tensor is input and output. */
class ValuesTest {
    /** Two rows of three for each type that arrays have, with the extremes of the type. */
    private static Map<DataType, Object> arrays() {
        Map<DataType, Object> arrays = new LinkedHashMap<>();
        arrays.put(DataType.FLOAT32, new float[][] {{1.5f, -0.0f, Float.NaN}, {Float.MAX_VALUE, Float.MIN_VALUE, -7}});
        arrays.put(DataType.FLOAT64,
                new double[][] {{1.5, -0.0, Double.NaN}, {Double.MAX_VALUE, Double.MIN_VALUE, -7}});
        int[][] ints = {{1, -1, 0}, {Integer.MAX_VALUE, Integer.MIN_VALUE, 7}};
        long[][] longs = {{1, -1, 0}, {Long.MAX_VALUE, Long.MIN_VALUE, 7}};
        short[][] shorts = {{1, -1, 0}, {Short.MAX_VALUE, Short.MIN_VALUE, 7}};
        byte[][] bytes = {{1, -1, 0}, {Byte.MAX_VALUE, Byte.MIN_VALUE, 7}};
        arrays.put(DataType.INT32, ints);
        arrays.put(DataType.UINT32, ints);
        arrays.put(DataType.INT64, longs);
        arrays.put(DataType.UINT64, longs);
        arrays.put(DataType.INT16, shorts);
        arrays.put(DataType.UINT16, shorts);
        arrays.put(DataType.FLOAT16, shorts);
        arrays.put(DataType.INT8, bytes);
        arrays.put(DataType.UINT8, bytes);
        arrays.put(DataType.BOOL, new boolean[][] {{true, false, true}, {false, false, true}});
        arrays.put(DataType.STRING, new String[][] {{"", "a", "Grüße"}, {"\uD83D\uDE00", "two\nlines", "a\0b"}});
        return arrays;
    }

    private static Object like(Object array, int rows) {
        Object[] made = Arrays.copyOf((Object[]) array, rows);
        for (int i = 0; i < rows; i++) {
            made[i] = java.lang.reflect.Array.newInstance(((Object[]) array)[0].getClass().getComponentType(), 3);
        }
        return made;
    }

    @Test
    void arraysOfEachType() {
        arrays().forEach((type, array) -> {
            try (Interpreter interpreter = Resources.open(Resources.made("type_" + type))) {
                assertEquals(type, interpreter.getInputTensor(0).dataType());
                Object read = like(array, 2);
                interpreter.run(array, read);
                assertEquals(Arrays.deepToString((Object[]) array), Arrays.deepToString((Object[]) read),
                        type.toString());
                Object row = Arrays.copyOf((Object[]) array, 1); // another shape
                Object readRow = like(array, 1);
                interpreter.run(row, readRow);
                assertEquals(Arrays.deepToString((Object[]) row), Arrays.deepToString((Object[]) readRow),
                        type.toString());
                assertArrayEquals(new int[] {1, 3}, interpreter.getInputTensor(0).shape());
                if (type.byteSize() > 0) {
                    assertEquals(3 * type.byteSize(), interpreter.getInputTensor(0).numBytes());
                }
            }
        });
    }

    @Test
    void buffersOfEachType() {
        Map<DataType, Buffer[]> buffers = Map.of(
                DataType.FLOAT32,
                new Buffer[] {FloatBuffer.wrap(new float[] {1, 2, 3, 4, 5, 6}), FloatBuffer.allocate(6)},
                DataType.FLOAT64,
                new Buffer[] {DoubleBuffer.wrap(new double[] {1, 2, 3, 4, 5, 6}), DoubleBuffer.allocate(6)},
                DataType.INT32, new Buffer[] {IntBuffer.wrap(new int[] {1, 2, 3, 4, 5, 6}), IntBuffer.allocate(6)},
                DataType.INT64, new Buffer[] {LongBuffer.wrap(new long[] {1, 2, 3, 4, 5, 6}), LongBuffer.allocate(6)},
                DataType.INT16,
                new Buffer[] {ShortBuffer.wrap(new short[] {1, 2, 3, 4, 5, 6}), ShortBuffer.allocate(6)},
                DataType.UINT8, new Buffer[] {ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6}), ByteBuffer.allocate(6)},
                DataType.BOOL, new Buffer[] {ByteBuffer.wrap(new byte[] {1, 0, 1, 0, 1, 1}), ByteBuffer.allocate(6)},
                DataType.INT4, new Buffer[] {ByteBuffer.wrap(new byte[] {0x21, 0x43, 0x65}), ByteBuffer.allocate(3)},
                DataType.COMPLEX64, new Buffer[] {bytes(48), Resources.direct(48)},
                DataType.COMPLEX128, new Buffer[] {bytes(96), Resources.direct(96)});
        buffers.forEach((type, pair) -> {
            try (Interpreter interpreter = Resources.open(Resources.made("type_" + type))) {
                interpreter.run(pair[0], pair[1]);
                assertEquals(pair[0].limit(), pair[1].position(), type.toString());
                assertEquals(pair[0], pair[1].flip(), type.toString());
                assertEquals(0, pair[0].position());
            }
        });
    }

    private static ByteBuffer bytes(int count) {
        ByteBuffer bytes = Resources.direct(count);
        while (bytes.hasRemaining()) {
            bytes.put((byte) bytes.position());
        }
        return bytes.flip();
    }

    @Test
    void scalars() {
        try (Interpreter interpreter = Resources.open(Resources.made("scalar"))) {
            float[] read = new float[1];
            interpreter.run(2.5f, read);
            assertEquals(2.5f, read[0]);
            assertEquals(0, interpreter.getInputTensor(0).numDimensions());
            assertEquals(1, interpreter.getInputTensor(0).numElements());
            interpreter.run(new float[] {1, 2}, new float[2]);
            interpreter.run(4.5f, read); // a number makes it a scalar again
            assertEquals(4.5f, read[0]);
            assertEquals(0, interpreter.getInputTensor(0).numDimensions());
        }
        try (Interpreter interpreter = Resources.open(Resources.made("type_STRING"))) {
            String[] read = new String[1];
            interpreter.run("alone", read);
            assertEquals("alone", read[0]);
        }
    }

    @Test
    void emptyArrays() {
        try (Interpreter interpreter = Resources.open(Resources.made("type_FLOAT32"))) {
            float[][] none = {};
            interpreter.run(none, none);
            assertArrayEquals(new int[] {0, 3}, interpreter.getInputTensor(0).shape());
            assertEquals(0, interpreter.getOutputTensor(0).asReadOnlyBuffer().capacity());
            interpreter.run(new float[2][0], new float[2][0]);
            assertArrayEquals(new int[] {2, 0}, interpreter.getInputTensor(0).shape());
        }
        try (Interpreter interpreter = Resources.open(Resources.made("type_STRING"))) {
            interpreter.run(new String[0][], new String[0][]);
            assertEquals(0, interpreter.getOutputTensor(0).numElements());
        }
    }

    @Test
    void stringsAsTheFormatStoresThem() {
        try (Interpreter interpreter = Resources.open(Resources.made("type_STRING"))) {
            interpreter.run(new String[][] {{"ab", "c"}}, new String[1][2]);
            ByteBuffer stored = interpreter.getOutputTensor(0).asReadOnlyBuffer();
            assertEquals(2, stored.getInt(0));
            assertEquals(stored.capacity(), stored.getInt(12));
            assertEquals('c', stored.get(stored.getInt(8)));
        }
    }
}
