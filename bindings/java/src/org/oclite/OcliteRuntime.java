// SPDX-License-Identifier: Apache-2.0
package org.oclite;

/** The native library: its versions. Any thread may call the methods. */
public final class OcliteRuntime {
    private OcliteRuntime() {
    }

    /**
     * Loads the native library, which the first use of any class does as well.
     *
     * @throws UnsatisfiedLinkError where the library is not found, or cannot be loaded
     */
    public static void init() {
        version();
    }

    /**
     * Returns the version of oclite.
     *
     * @return for example "0.1.0"
     */
    public static String version() {
        return Native.text(Native.version(0));
    }

    /**
     * Returns the version of the TensorFlow Lite API that the library implements.
     *
     * @return for example "2.20.0"
     */
    public static String runtimeVersion() {
        return Native.text(Native.version(1));
    }

    /**
     * Returns the version of the model format that the library reads.
     *
     * @return for example "3"
     */
    public static String schemaVersion() {
        return Native.text(Native.version(2));
    }
}
