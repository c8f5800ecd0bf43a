// SPDX-License-Identifier: Apache-2.0
/**
 * Runs TensorFlow Lite models on the CPU and, with {@link org.oclite.OpenclDelegate}, on OpenCL devices. The classes
 * are those that users of {@code org.tensorflow.lite} know.
 *
 * <pre>{@code
 * try (Interpreter interpreter = new Interpreter(new File("model.tflite"))) {
 *     float[][] scores = new float[1][10];
 *     interpreter.run(new float[1][28][28][1], scores);
 * }
 * }</pre>
 *
 * <p>Wrong arguments are an {@link java.lang.IllegalArgumentException}, calls at the wrong time an
 * {@link java.lang.IllegalStateException}; the message says what was expected. What the library reports although a call
 * succeeds, such as a device that failed, goes to the {@link java.lang.System.Logger} {@code org.oclite} as a warning.
 */
package org.oclite;
