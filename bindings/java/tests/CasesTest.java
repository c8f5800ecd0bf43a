// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The models of tests/ops/cases give in Java, bit by bit, what the program `oclite run` gets through the C API. */
class CasesTest {
    @TempDir
    private Path folder;

    private static List<Path> cases() throws IOException {
        try (Stream<Path> found = Files.list(Resources.path("source", "tests", "ops", "cases"))) {
            return found.sorted().collect(Collectors.toList());
        }
    }

    private static List<Path> numbered(Path folder, String what) {
        List<Path> files = new ArrayList<>();
        for (Path file = folder.resolve(what + "0.npy"); Files.exists(file);) {
            files.add(file);
            file = folder.resolve(what + files.size() + ".npy");
        }
        return files;
    }

    private static String quoted(Object text) {
        return "\"" + text + "\"";
    }

    /** Has the program run all cases, each into a folder of its name. */
    private void runProgram(List<Path> cases) throws IOException, InterruptedException {
        Path program = Resources.path("build", "tools", "oclite");
        Assumptions.assumeTrue(Files.exists(program), "no " + program + ": tools are not built");
        List<String> listed = new ArrayList<>();
        for (Path one : cases) {
            String inputs = numbered(one, "in").stream().map(CasesTest::quoted).collect(Collectors.joining(", "));
            listed.add("{\"name\": " + quoted(one.getFileName()) + ", \"model\": " + quoted(one.resolve("model.tflite"))
                    + ", \"out\": " + quoted(folder.resolve(one.getFileName()))
                    + ", \"runs\": [{\"in\": [" + inputs + "]}]}");
        }
        Path list = Files.writeString(folder.resolve("list.json"), "{\"cases\": [" + String.join(",\n", listed) + "]}");
        Process process = new ProcessBuilder(program.toString(), "run", "--batch", list.toString())
                .redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile()).start();
        process.waitFor();
        assertTrue(Files.exists(folder.resolve(cases.get(0).getFileName()).resolve("out0.npy")),
                Files.readString(folder.resolve("said")));
    }

    /** Runs a case with arrays where the types have them, else with buffers, and returns the outputs' bytes. */
    private static List<byte[]> run(Path one) throws IOException {
        List<byte[]> results = new ArrayList<>();
        Interpreter.Options options = new Interpreter.Options();
        options.addCustomOperator("Atan", Resources.path("build", "libatan_library.so").toString(), "atan_operator");
        try (Interpreter interpreter = new Interpreter(one.resolve("model.tflite").toFile(), options)) {
            List<Path> files = numbered(one, "in");
            Object[] inputs = new Object[files.size()];
            for (int i = 0; i < inputs.length; i++) {
                Npy file = Npy.read(files.get(i));
                interpreter.resizeInput(i, file.shape());
                inputs[i] = file.value(interpreter.getInputTensor(i).dataType());
            }
            Map<Integer, Object> outputs = new HashMap<>();
            interpreter.runForMultipleInputsOutputs(inputs, outputs);
            for (int i = 0; i < interpreter.getOutputTensorCount(); i++) {
                ByteBuffer contents = interpreter.getOutputTensor(i).asReadOnlyBuffer();
                byte[] bytes = new byte[contents.remaining()];
                contents.get(bytes);
                results.add(bytes);
            }
        }
        return results;
    }

    @Test
    void recordedCases() throws Exception {
        Assumptions.assumeTrue(new File(Resources.path("build", "libatan_library.so").toString()).exists(),
                "no examples");
        List<Path> cases = cases();
        assertTrue(cases.size() > 200);
        runProgram(cases);
        List<String> differences = new ArrayList<>();
        int outputs = 0;
        for (Path one : cases) {
            List<byte[]> results = run(one);
            List<Path> wanted = numbered(folder.resolve(one.getFileName()), "out");
            assertEquals(wanted.size(), results.size(), one.toString());
            for (int i = 0; i < results.size(); i++) {
                if (!Arrays.equals(Npy.read(wanted.get(i)).bytes(), results.get(i))) {
                    differences.add(one.getFileName() + " output " + i);
                }
                outputs++;
            }
        }
        assertEquals(List.of(), differences);
        assertTrue(outputs >= cases.size());
    }
}
