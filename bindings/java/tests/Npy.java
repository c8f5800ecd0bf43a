// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An array in NumPy's format, version 1: a header that is a text, and the elements. */
final class Npy {
    private static final Pattern SHAPE = Pattern.compile("'shape': \\(([0-9, ]*)\\)");

    private final int[] shape;
    private final byte[] bytes;

    private Npy(int[] shape, byte[] bytes) {
        this.shape = shape;
        this.bytes = bytes;
    }

    static Npy read(Path path) throws IOException {
        byte[] file = Files.readAllBytes(path);
        int end = 10 + ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getShort(8);
        Matcher matcher = SHAPE.matcher(new String(file, 0, end, StandardCharsets.ISO_8859_1));
        if (!matcher.find()) {
            throw new IOException(path + " has no shape");
        }
        int[] shape = Arrays.stream(matcher.group(1).split(",")).map(String::trim).filter(length -> !length.isEmpty())
                .mapToInt(Integer::parseInt).toArray();
        return new Npy(shape, Arrays.copyOfRange(file, end, file.length));
    }

    int[] shape() {
        return shape;
    }

    byte[] bytes() {
        return bytes;
    }

    /** An array of the type's elements, or a buffer where there is no such array. */
    Object value(DataType type) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        if (type.element() == null || shape.length == 0) {
            return buffer;
        }
        Object array = Array.newInstance(type.element(), shape);
        fill(array, buffer);
        return array;
    }

    private static void fill(Object array, ByteBuffer buffer) {
        Class<?> kind = array.getClass().getComponentType();
        for (int i = 0; i < Array.getLength(array); i++) {
            if (kind.isArray()) {
                fill(Array.get(array, i), buffer);
            } else if (kind == float.class) {
                Array.setFloat(array, i, buffer.getFloat());
            } else if (kind == int.class) {
                Array.setInt(array, i, buffer.getInt());
            } else if (kind == long.class) {
                Array.setLong(array, i, buffer.getLong());
            } else if (kind == short.class) {
                Array.setShort(array, i, buffer.getShort());
            } else if (kind == boolean.class) {
                Array.setBoolean(array, i, buffer.get() != 0);
            } else {
                Array.setByte(array, i, buffer.get());
            }
        }
    }
}
