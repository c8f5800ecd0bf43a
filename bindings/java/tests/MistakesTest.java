// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes: which exception each is, and what its message says. */
class MistakesTest {
    @TempDir
    private Path folder;

    private static void refuses(String words, Executable call) {
        refuses(IllegalArgumentException.class, words, call);
    }

    private static void refuses(Class<? extends Exception> kind, String words, Executable call) {
        Exception error = assertThrows(kind, call);
        assertSame(kind, error.getClass(), error.toString());
        assertTrue(error.getMessage().contains(words), error.getMessage());
    }

    @Test
    void models() throws Exception {
        File absent = folder.resolve("absent.tflite").toFile();
        Path text = Files.writeString(folder.resolve("text.tflite"), "this is no model, but a text of some length");
        refuses("absent.tflite", () -> new Interpreter(absent));
        refuses("", () -> new Interpreter(text.toFile()));
        refuses("", () -> new Interpreter(folder.toFile()));
        refuses("zero byte", () -> new Interpreter(new File("a\0b")));
        refuses("null", () -> new Interpreter((File) null));
        refuses("null", () -> new Interpreter((ByteBuffer) null));
        refuses("direct ByteBuffer", () -> new Interpreter(ByteBuffer.wrap(new byte[100])));
        refuses("", () -> new Interpreter(ByteBuffer.allocateDirect(0)));
        refuses("", () -> new Interpreter(ByteBuffer.allocateDirect(100)));
        byte[] bytes = Files.readAllBytes(Resources.own("digits").toPath());
        refuses("", () -> new Interpreter(ByteBuffer.allocateDirect(1000).put(bytes, 0, 1000)));
        try (Interpreter interpreter = Resources.open(Resources.own("atan"))) {
            refuses(IllegalStateException.class, "Atan", interpreter::allocateTensors);
            refuses(IllegalStateException.class, "Encountered unresolved custom op: Atan",
                    () -> interpreter.run(new float[5], new float[5]));
        }
    }

    /** What a hostile model makes the library say, in the exceptions that are promised, and whatever it is called. */
    @Test
    void hostileModels() throws Exception {
        List<Path> corpus;
        try (Stream<Path> found = Files.list(Resources.path("source", "tests", "fuzz", "corpus", "models"))) {
            corpus = found.sorted().collect(Collectors.toList());
        }
        int opened = 0;
        for (Path model : corpus) {
            try (Interpreter interpreter = new Interpreter(model.toFile())) {
                opened++;
                for (int i = 0; i < interpreter.getInputTensorCount(); i++) {
                    Tensor input = interpreter.getInputTensor(i);
                    assertTrue(input.name().length() + input.shape().length + input.shapeSignature().length >= 0);
                    input.quantizationParams();
                }
                for (String key : interpreter.getSignatureKeys()) {
                    assertTrue(interpreter.getSignatureInputs(key).length >= 0);
                }
            } catch (IllegalArgumentException | IllegalStateException error) {
                assertTrue(error.getMessage().length() > 10, model + ": " + error);
            }
        }
        assertTrue(opened > 100 && opened < corpus.size(), opened + " of " + corpus.size());
    }

    @Test
    void options() {
        Interpreter.Options options = new Interpreter.Options();
        refuses("-2", () -> options.setNumThreads(-2));
        refuses("null", () -> options.addDelegate(null));
        refuses("0, and not the address", () -> new Interpreter(Resources.own("digits"),
                new Interpreter.Options().addDelegate(() -> 0)));
        refuses("name", () -> options.addCustomOperator("", (node, inputs, outputs) -> { }));
        refuses("name", () -> options.addCustomOperator(null, (node, inputs, outputs) -> { }));
        refuses("name", () -> options.addCustomOperator("a\0", (node, inputs, outputs) -> { }));
        refuses("not 0", () -> options.addCustomOperator("Atan", 0, (node, inputs, outputs) -> { }));
        refuses("the operator is null", () -> options.addCustomOperator("Atan", null));
        refuses("surrogate", () -> new Interpreter(Resources.own("digits"),
                new Interpreter.Options().addCustomOperator("\ud800", (node, inputs, outputs) -> { })));
        String absent = folder.resolve("libabsent.so").toString();
        refuses("libabsent.so: cannot open shared object file", () -> options.addCustomOperator("Atan", absent, "x"));
        refuses("libabsent.so: cannot open shared object file", () -> options.addOperatorLibrary(absent));
        refuses("not null", () -> options.addOperatorLibrary(null));
        refuses("not null", () -> options.addCustomOperator("Atan", absent, null));
        String runtime = Resources.path("build", "liboclite.so").toString();
        refuses("undefined symbol: oclite_add_operators", () -> options.addOperatorLibrary(runtime));
        String atan = Resources.path("build", "libatan_library.so").toString();
        if (new File(atan).exists()) {
            refuses("the operator Atan, and not the operator ATAN",
                    () -> options.addCustomOperator("ATAN", atan, "atan_operator"));
        }
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            refuses(IllegalStateException.class, "setCancellable", () -> interpreter.setCancelled(true));
        }
    }

    @Test
    void inputs() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            float[][] scores = new float[1][10];
            refuses("input 0 is null", () -> interpreter.run(null, scores));
            refuses("output is null", () -> interpreter.run(Resources.picture(), null));
            refuses("inputs are null", () -> interpreter.runForMultipleInputsOutputs(null, Map.of()));
            refuses("inputs are none", () -> interpreter.runForMultipleInputsOutputs(new Object[0], Map.of()));
            refuses("outputs are null",
                    () -> interpreter.runForMultipleInputsOutputs(new Object[] {Resources.picture()}, null));
            refuses("1 inputs, and none of index 1",
                    () -> interpreter.runForMultipleInputsOutputs(new Object[] {Resources.picture(), 1}, Map.of()));
            refuses("FLOAT32, for which arrays of float", () -> interpreter.run(new double[1][8][8][1], scores));
            refuses("and not Integer", () -> interpreter.run(5, scores));
            refuses("and not Float[]", () -> interpreter.run(new Float[64], scores));
            refuses("and not Object", () -> interpreter.run(new Object(), scores));
            refuses("and not String", () -> interpreter.run("picture", scores));
            refuses("buffers of float and ByteBuffers stand", () -> interpreter.run(IntBuffer.allocate(64), scores));
            refuses("FLOAT32", () -> interpreter.run(CharBuffer.allocate(64), scores));
            refuses("64 elements, but the buffer has 65, and 65",
                    () -> interpreter.run(FloatBuffer.allocate(65), scores));
            refuses("256 bytes, but the buffer has 10", () -> interpreter.run(Resources.direct(10), scores));
            refuses("order(ByteOrder.nativeOrder())", () -> interpreter.run(ByteBuffer.allocateDirect(256), scores));
            refuses("differ in length: row 0 has 8 elements, row 1 has 7",
                    () -> interpreter.run(new float[][][][] {{new float[8][1], new float[7][1]}}, scores));
            refuses("is null", () -> interpreter.run(new float[][][][] {null}, scores));
            refuses("element 1 of an array is null",
                    () -> interpreter.run(new float[][][][] {{new float[8][1], null}}, scores));
            refuses(IllegalStateException.class, "", () -> interpreter.run(new float[1][8], scores)); // no such shape
            assertArrayEquals(scores[0], new float[10]);
            Resources.scores(interpreter); // and works after all that
        }
    }

    @Test
    void outputs() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            float[][][][] picture = Resources.picture();
            refuses("shape [1, 10], but the array has [1, 9]", () -> interpreter.run(picture, new float[1][9]));
            refuses("shape [1, 10], but the array has [10]", () -> interpreter.run(picture, new float[10]));
            refuses("output 0 is of type FLOAT32", () -> interpreter.run(picture, new int[1][10]));
            refuses("not to a value of the class Float", () -> interpreter.run(picture, 1.0f));
            refuses("is null", () -> interpreter.run(picture, new float[1][]));
            refuses("read-only", () -> interpreter.run(picture, FloatBuffer.allocate(10).asReadOnlyBuffer()));
            refuses("room for 9 between position 1 and limit 10",
                    () -> interpreter.run(picture, FloatBuffer.allocate(10).position(1)));
            refuses("none of index 1",
                    () -> interpreter.runForMultipleInputsOutputs(new Object[] {picture}, Map.of(1, 1)));
            refuses("none of index -1",
                    () -> interpreter.runForMultipleInputsOutputs(new Object[] {picture}, Map.of(-1, 1)));
            Map<Integer, Object> none = new HashMap<>();
            none.put(null, new float[1]);
            refuses("none of index", () -> interpreter.runForMultipleInputsOutputs(new Object[] {picture}, none));
            none.clear();
            none.put(0, null);
            refuses("output 0 is null", () -> interpreter.runForMultipleInputsOutputs(new Object[] {picture}, none));
        }
    }

    @Test
    void tensors() {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            refuses("none of index 1", () -> interpreter.getInputTensor(1));
            refuses("none of index -1", () -> interpreter.getOutputTensor(-1));
            refuses("[serving_default_keras_tensor_7:0]", () -> interpreter.getInputIndex("y"));
            refuses("[StatefulPartitionedCall_1:0]", () -> interpreter.getOutputIndex(null));
            refuses(IllegalStateException.class, "allocateTensors()",
                    () -> interpreter.getInputTensor(0).asReadOnlyBuffer());
            refuses("none of index 2", () -> interpreter.resizeInput(2, new int[] {1}));
            refuses("null", () -> interpreter.resizeInput(0, null));
            refuses("", () -> interpreter.resizeInput(0, new int[] {-1, 8, 8, 1}));
            refuses("of which a strict resize may change what is -1",
                    () -> interpreter.resizeInput(0, new int[] {1, 8, 8, 3}, true));
            interpreter.resizeInput(0, new int[] {1, 7, 7, 1});
            refuses(IllegalStateException.class, "", interpreter::allocateTensors);
            refuses(IllegalStateException.class, "", () -> interpreter.getOutputTensor(0).asReadOnlyBuffer());
            refuses("too large", () -> interpreter.resizeInput(0, new int[] {1 << 20, 1 << 20, 1 << 20, 1 << 20}));
            interpreter.resizeInput(0, new int[] {1 << 16, 8, 8, 1 << 10});
            refuses(IllegalStateException.class, "", interpreter::allocateTensors);
            refuses("an int cannot count", () -> interpreter.getInputTensor(0).numElements());
        }
    }

    @Test
    void strings() {
        try (Interpreter interpreter = Resources.open(Resources.made("type_STRING"))) {
            String[][] read = new String[1][1];
            refuses("string 0 is null", () -> interpreter.run(new String[1][1], read));
            refuses("surrogate", () -> interpreter.run(new String[][] {{"\ud800"}}, read));
            refuses("arrays of String", () -> interpreter.run(new byte[2][3], read));
            refuses("arrays of String stand", () -> interpreter.run(ByteBuffer.allocate(10), read));
        }
        try (Interpreter interpreter = Resources.open(Resources.made("type_STRING"))) {
            interpreter.allocateTensors();
            refuses("inputs are none", () -> interpreter.runForMultipleInputsOutputs(new Object[0],
                    Map.of(0, new String[2][3])));
        }
    }

    @Test
    void signatures() {
        try (Interpreter interpreter = Resources.open(Resources.made("signatures"))) {
            float[][] x = new float[1][4];
            refuses("[add, mul]", () -> interpreter.runSignature(Map.of("x", x, "y", x), Map.of()));
            refuses("no signature \"sub\": the model has [add, mul]",
                    () -> interpreter.runSignature(Map.of(), Map.of(), "sub"));
            refuses("inputs are null", () -> interpreter.runSignature(null, Map.of(), "add"));
            refuses("outputs are null", () -> interpreter.runSignature(Map.of(), null, "add"));
            refuses("has the inputs [x, y], but [x] are given",
                    () -> interpreter.runSignature(Map.of("x", x), Map.of(), "add"));
            refuses("no input \"z\", but [x, y]",
                    () -> interpreter.runSignature(Map.of("x", x, "z", x), Map.of(), "add"));
            refuses("no output \"x\", but [sum]",
                    () -> interpreter.runSignature(Map.of("x", x, "y", x), Map.of("x", x), "add"));
            refuses("input \"y\" of the signature \"add\" is of type FLOAT32",
                    () -> interpreter.runSignature(Map.of("x", x, "y", new int[4]), Map.of(), "add"));
            refuses("no signature", () -> interpreter.getSignatureOutputs("sub"));
            refuses("no input \"a\"", () -> interpreter.getInputTensorFromSignature("a", "add"));
        }
        try (Interpreter interpreter = Resources.open(Resources.recorded("SVDF__f32"))) {
            refuses("the model has []", () -> interpreter.runSignature(Map.of(), Map.of()));
        }
    }
}
