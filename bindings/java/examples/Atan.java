// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import org.oclite.CustomOperator;
import org.oclite.Interpreter;
import org.oclite.OperatorNode;

/**
 * Runs the model of the guide to custom operators: y = atan(x + offset), whose operator Atan no library has.
 *
 * <pre>
 * Atan             with the operator in Java, below
 * Atan LIBRARY     with the operator of a native library, which exports atan_operator (atan_library.c)
 * </pre>
 */
public final class Atan {
    private Atan() {
    }

    /** Computes y = atan(x), element by element. The output is like the input, which is what prepare says by itself. */
    private static final class AtanOperator implements CustomOperator {
        @Override
        public void invoke(OperatorNode node, ByteBuffer[] inputs, ByteBuffer[] outputs) {
            FloatBuffer x = inputs[0].asFloatBuffer();
            FloatBuffer y = outputs[0].asFloatBuffer();
            while (x.hasRemaining()) {
                y.put((float) Math.atan(x.get()));
            }
        }
    }

    /**
     * Prints a line for each value.
     *
     * @param arguments nothing, or the path of a library
     */
    public static void main(String[] arguments) {
        Interpreter.Options options = new Interpreter.Options();
        if (arguments.length > 0) {
            options.addCustomOperator("Atan", arguments[0], "atan_operator");
        } else {
            options.addCustomOperator("Atan", new AtanOperator());
        }
        float[] x = {-8.0f, 0.5f, 2.0f, 2.2f, 201.0f};
        float[] y = new float[x.length];
        try (Interpreter interpreter = new Interpreter(new File("examples/models/atan.tflite"), options)) {
            interpreter.run(x, y);
        }
        for (int i = 0; i < x.length; i++) {
            System.out.printf("atan(%s + 1) = %.7f%n", x[i], y[i]);
        }
    }
}
