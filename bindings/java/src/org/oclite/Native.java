// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The functions of liboclite_jni.so. Addresses are longs, 0 for none; texts are bytes, see {@link #text}. Nobody but
 * the classes that own the objects may call them: an address is taken as it is.
 */
final class Native {
    /** Status of the C API. */
    static final int OK = 0;

    static {
        NativeLibrary.load();
    }

    private Native() {
    }

    /** What the library calls something, which need not be UTF-8. */
    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    // ---- session.c ----

    static native long sessionCreate();

    static native void sessionDelete(long session);

    static native boolean sessionOpenFile(long session, byte[] path);

    static native boolean sessionOpenBuffer(long session, ByteBuffer content);

    static native boolean sessionCreateInterpreter(long session, int threads, boolean isCancellable, long[] delegates);

    static native byte[] sessionTakeMessages(long session);

    static native void sessionSetCancelled(long session, boolean cancelled);

    static native byte[] version(int which);

    // ---- graph.c ----

    static native int[] subgraphEnds(long session, int subgraph, boolean isOutput);

    static native int resize(long session, int subgraph, int tensor, int[] dims);

    static native int allocate(long session, int subgraph);

    static native int invoke(long session, int subgraph);

    static native int resetVariables(long session);

    static native long tensor(long session, int subgraph, int index);

    static native int signatureCount(long session);

    static native byte[] signatureKey(long session, int signature);

    static native int signatureSubgraph(long session, int signature);

    static native byte[][] signatureNames(long session, int signature, boolean isOutput);

    static native int[] signatureTensors(long session, int signature, boolean isOutput);

    // ---- tensor.c ----

    static native int tensorType(long tensor);

    static native byte[] tensorName(long tensor);

    static native int[] tensorShape(long tensor, boolean isSignature);

    static native long tensorBytes(long tensor);

    static native float tensorScale(long tensor);

    static native int tensorZeroPoint(long tensor);

    static native boolean tensorIsConstant(long tensor);

    static native ByteBuffer tensorMemory(long tensor);

    static native int tensorRead(long tensor, ByteBuffer contents);

    static native byte[][] tensorReadStrings(long tensor);

    static native int tensorWriteStrings(long tensor, byte[][] strings);

    // ---- operator.c ----

    static native long operatorCreate(byte[] name, int version, OperatorBinding binding);

    static native void operatorDelete(long operator);

    static native void operatorAddJava(long session, long operator);

    static native long librarySymbol(byte[] path, byte[] symbol, byte[][] error);

    static native long libraryOperator(long function, byte[][] name);

    static native void operatorAdd(long session, long operator);

    static native int operatorAddAll(long session, long function);

    static native int nodeCount(long node, boolean isOutput);

    static native long nodeTensor(long context, long node, int index, boolean isOutput);

    static native byte[] nodeOptions(long node);

    static native int nodeResizeOutput(long context, long tensor, int[] dims);

    // ---- delegate.c ----

    static native long delegateCreate(byte[][] keys, byte[][] values);

    static native byte[] delegateError();

    static native void delegateDelete(long delegate);

    static native byte[] delegateText(long delegate, int which);

    static native int delegateStatus(long delegate);

    static native long delegateMemory(long delegate);

    static native Object[] delegateNodes(long delegate);

    static native Object[] delegateKernels(long delegate);
}
