// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds liboclite_jni.so: in the folder that the system property {@value #PROPERTY} names, else in the jar, else where
 * {@link System#loadLibrary} looks. A jar's libraries are copied to a folder that nobody else can write to, and that
 * goes when the Java machine ends.
 */
final class NativeLibrary {
    static final String PROPERTY = "org.oclite.library.path";
    private static final String NAME = "oclite_jni";

    private NativeLibrary() {
    }

    /** UnsatisfiedLinkError: the library is nowhere, or it cannot be loaded. */
    static void load() {
        String folder = System.getProperty(PROPERTY);
        if (folder != null) {
            File library = new File(folder, System.mapLibraryName(NAME));
            if (!library.isFile()) {
                throw new UnsatisfiedLinkError("there is no " + library + ", where the system property " + PROPERTY
                        + " says that oclite's libraries are");
            }
            System.load(library.getAbsolutePath());
            return;
        }
        List<String> names = carried();
        if (names.isEmpty()) {
            System.loadLibrary(NAME);
        } else {
            System.load(extract(names).resolve(System.mapLibraryName(NAME)).toString());
        }
    }

    /** The folder of the jar with this machine's libraries. */
    private static String place() {
        String machine = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        return "native/" + machine.toLowerCase(Locale.ROOT).replace("amd64", "x86_64") + "/";
    }

    /**
     * The names of the files in the jar, which its list of files tells; none where it has no libraries for this
     * machine.
     */
    private static List<String> carried() {
        List<String> names = new ArrayList<>();
        try (InputStream list = NativeLibrary.class.getResourceAsStream(place() + "files.txt")) {
            if (list != null) {
                new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank())
                        .forEach(names::add);
            }
        } catch (IOException error) {
            throw failure("oclite's jar cannot be read", error);
        }
        return names;
    }

    private static Path extract(List<String> names) {
        try {
            Path folder = Files.createTempDirectory("oclite-"); // only its owner may enter it
            folder.toFile().deleteOnExit();
            for (String name : names) {
                Path file = Files.createFile(folder.resolve(name),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                file.toFile().deleteOnExit();
                try (InputStream content = NativeLibrary.class.getResourceAsStream(place() + name)) {
                    if (content == null) {
                        throw new IOException("oclite's jar lists " + name + ", but does not have it");
                    }
                    Files.write(file, content.readAllBytes());
                }
            }
            return folder;
        } catch (IOException error) {
            throw failure("oclite's libraries cannot be copied to a folder of " + System.getProperty("java.io.tmpdir")
                    + " (the system property " + PROPERTY + " names a folder that has them already)", error);
        }
    }

    private static UnsatisfiedLinkError failure(String what, IOException cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(what + ": " + cause.getMessage());
        error.initCause(cause);
        return error;
    }

    /** A path for functions of C, in the machine's own encoding. IllegalArgumentException: it has a zero byte. */
    static byte[] path(String path) {
        if (path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the path has a zero byte");
        }
        return path.getBytes(Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    }
}
