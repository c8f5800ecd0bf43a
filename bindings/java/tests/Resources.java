// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;

/** What the tests share: where models are, see run.py. */
final class Resources {
    private Resources() {
    }

    static Path path(String property, String... parts) {
        return Path.of(System.getProperty("oclite." + property), parts);
    }

    /** One of the project's own models. */
    static File own(String name) {
        return path("source", "examples", "models", name + ".tflite").toFile();
    }

    /** The model of a recorded case. */
    static File recorded(String name) {
        return path("source", "tests", "ops", "cases", name, "model.tflite").toFile();
    }

    /** A model of make_models.py. */
    static File made(String name) {
        Path path = path("models", name + ".tflite");
        Assumptions.assumeTrue(Files.exists(path), "no " + path + ": the Python of the tests has no FlatBuffers");
        return path.toFile();
    }

    static Interpreter open(File model) {
        return new Interpreter(model);
    }

    /** The bytes of a file in a direct buffer that may be written to, with the position at its end. */
    static ByteBuffer bytes(File file) throws IOException {
        byte[] bytes = Files.readAllBytes(file.toPath());
        return ByteBuffer.allocateDirect(bytes.length).put(bytes);
    }

    static ByteBuffer mapped(File file) throws IOException {
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }

    static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** A picture for digits.tflite: [1, 8, 8, 1]. */
    static float[][][][] picture() {
        float[][][][] picture = new float[1][8][8][1];
        for (int y = 1; y < 7; y++) {
            picture[0][y][3][0] = 1;
            picture[0][y][4][0] = 0.5f;
        }
        return picture;
    }

    /** What digits.tflite says of the picture. */
    static float[][] scores(Interpreter interpreter) {
        float[][] scores = new float[1][10];
        interpreter.run(picture(), scores);
        return scores;
    }
}
