// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The process's memory after many interpreters. */
class LeakTest {
    /** What the Java machine itself may come to take meanwhile: compiled code, its heap. */
    private static final long MOST_BYTES = 16 << 20;

    @BeforeAll
    static void needsLinux() {
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/statm")), "no /proc/self/statm");
    }

    private static long residentBytes() {
        System.gc();
        try {
            return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private static void assertNothingStays(int rounds, Runnable work) {
        for (int i = 0; i < rounds / 10; i++) {
            work.run();
        }
        long before = residentBytes();
        for (int i = 0; i < rounds; i++) {
            work.run();
        }
        long grown = residentBytes() - before;
        // What nobody has closed is deleted by a thread of its own.
        for (int i = 0; i < 50 && grown >= MOST_BYTES; i++) {
            Thread.yield();
            grown = residentBytes() - before;
        }
        assertTrue(grown < MOST_BYTES, "the process has grown by " + grown + " bytes in " + rounds + " rounds");
    }

    @Test
    void interpreters() throws IOException {
        ByteBuffer model = Resources.mapped(Resources.own("digits")); // of 27 KB, and its weights are packed for it
        float[][] scores = new float[1][10];
        float[][][][] picture = Resources.picture();
        assertNothingStays(10000, () -> {
            try (Interpreter interpreter = new Interpreter(model)) {
                interpreter.run(picture, scores);
            }
        });
    }

    @Test
    void whatNobodyCloses() throws IOException {
        ByteBuffer model = Resources.mapped(Resources.own("digits"));
        int[] round = {0};
        assertNothingStays(1000, () -> {
            new Interpreter(model).allocateTensors();
            if (++round[0] % 50 == 0) {
                System.gc(); // the machine does not know how much memory they take
            }
        });
    }

    @Test
    void operatorsAndFailures() {
        CustomOperator fails = (node, inputs, outputs) -> {
            throw new IOException("on purpose");
        };
        Interpreter.Options options = new Interpreter.Options().addCustomOperator("Atan", fails);
        assertNothingStays(1000, () -> {
            try (Interpreter interpreter = new Interpreter(Resources.own("atan"), options)) {
                assertThrows(IllegalArgumentException.class, () -> interpreter.run(new float[5], new float[5]));
            }
            assertThrows(IllegalArgumentException.class, () -> new Interpreter(ByteBuffer.allocateDirect(64)));
        });
    }

    @Test
    void inferences() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            assertNothingStays(5000, () -> Resources.scores(interpreter));
        }
    }
}
