// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.io.File;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.function.LongFunction;

/**
 * An interpreter of the C library with its model, and all that has to outlive it. One thread at a time uses it. It is
 * deleted by {@link #close()}, or when nobody has it any more.
 */
final class Session {
    private static final System.Logger LOGGER = System.getLogger("org.oclite");

    /** What is deleted. It must not lead to the session, which would live forever. */
    private static final class State implements Runnable {
        private final long address = Native.sessionCreate();
        private final List<NativeHandle> handles = new ArrayList<>();
        private final List<Object> kept = new ArrayList<>(); // the model's bytes, delegates
        private boolean isDeleted;

        @Override
        public synchronized void run() {
            if (!isDeleted) {
                isDeleted = true;
                Native.sessionDelete(address);
                handles.forEach(NativeHandle::release);
                kept.clear();
            }
        }

        synchronized void setCancelled(boolean cancelled) {
            if (isDeleted) {
                throw closed();
            }
            Native.sessionSetCancelled(address, cancelled);
        }
    }

    private final State state = new State();
    private final Cleaner.Cleanable cleanable = NativeHandle.CLEANER.register(this, state);
    private final Semaphore free = new Semaphore(1);
    private final Failures failures = new Failures();
    private Subgraph allocated; // the last one that was
    private volatile boolean isCancelled;
    private boolean isClosed; // belongs to whoever has taken `free`

    /** IllegalArgumentException: there is no model, it is none, or it cannot be run with these options. */
    Session(Object model, Interpreter.Options options) {
        try {
            open(model);
            for (Addition addition : options.additions()) {
                addition.addTo(this, state.address);
            }
            long[] delegates = options.getDelegates().stream().mapToLong(this::keepDelegate).toArray();
            boolean isMade = Native.sessionCreateInterpreter(state.address, options.getNumThreads(),
                    options.isCancellable(), delegates);
            check(isMade ? Native.OK : -1, true, "the model cannot be run");
        } catch (RuntimeException | Error error) {
            cleanable.clean();
            throw error;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private void open(Object model) {
        boolean isOpen;
        if (model instanceof File) {
            isOpen = Native.sessionOpenFile(state.address, NativeLibrary.path(((File) model).getPath()));
        } else {
            ByteBuffer content = keepContent((ByteBuffer) model);
            isOpen = Native.sessionOpenBuffer(state.address, content);
        }
        check(isOpen ? Native.OK : -1, true, "it is no model");
    }

    /** All bytes of the buffer. Those that the program may write to are copied: the library has verified them once. */
    private ByteBuffer keepContent(ByteBuffer model) {
        if (!model.isDirect()) {
            throw new IllegalArgumentException(
                    "a model is a direct ByteBuffer (ByteBuffer.allocateDirect) or a file that is "
                    + "mapped, and not a buffer of an array");
        }
        ByteBuffer content = model.duplicate().clear();
        if (!model.isReadOnly()) {
            content = ByteBuffer.allocateDirect(content.capacity()).put(content).clear();
        }
        state.kept.add(content);
        return content;
    }

    private long keepDelegate(Delegate delegate) {
        if (delegate instanceof OpenclDelegate) {
            NativeHandle handle = ((OpenclDelegate) delegate).retain();
            keep(handle);
            return handle.address();
        }
        state.kept.add(delegate);
        long address = delegate.getNativeHandle();
        if (address == 0) {
            throw new IllegalArgumentException(
                    "the delegate's getNativeHandle() is 0, and not the address of a TfLiteDelegate");
        }
        return address;
    }

    /** Releases the object when the interpreter has been deleted. */
    void keep(NativeHandle handle) {
        state.handles.add(handle);
    }

    Failures failures() {
        return failures;
    }

    /** The subgraph that was allocated last; null for none. */
    Subgraph allocated() {
        return allocated;
    }

    void setAllocated(Subgraph subgraph) {
        allocated = subgraph;
    }

    /**
     * Calls what uses the native session. IllegalStateException: it is closed, or another call of it has not
     * returned.
     */
    <T> T use(LongFunction<T> body) {
        begin();
        try {
            return body.apply(state.address);
        } finally {
            end();
        }
    }

    private void begin() {
        if (!free.tryAcquire()) {
            throw new IllegalStateException(
                    "the interpreter is in use: another call of it, on another thread or around an "
                    + "operator in Java, has not returned");
        }
        if (isClosed) {
            free.release();
            throw closed();
        }
    }

    private void end() {
        free.release();
        Reference.reachabilityFence(this);
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the interpreter is closed");
    }

    void close() {
        if (!free.tryAcquire()) {
            throw new IllegalStateException(
                    "the interpreter is in use: it can be closed when the call on another thread, or "
                    + "around an operator in Java, has returned");
        }
        try {
            isClosed = true;
            cleanable.clean();
        } finally {
            end();
        }
    }

    /** May be called at any time. */
    void setCancelled(boolean cancelled) {
        try {
            state.setCancelled(cancelled);
            isCancelled = cancelled;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * The same of an inference: IllegalArgumentException, or CancellationException where the program wants it to end.
     */
    void checkInference(int status) {
        if (status != Native.OK && isCancelled) {
            failures.take();
            failures.takeMessage();
            Native.sessionTakeMessages(state.address);
            throw new CancellationException("the inference was cancelled: setCancelled(true)");
        }
        check(status, true, "the inference has failed");
    }

    /**
     * Throws what a call that returned this status has reported: IllegalArgumentException, or IllegalStateException.
     * Warns of what one that succeeded has.
     */
    void check(int status, boolean isArgument, String otherwise) {
        Throwable cause = failures.take();
        String said = failures.takeMessage() + Native.text(Native.sessionTakeMessages(state.address));
        if (status == Native.OK) {
            if (!said.isEmpty()) {
                LOGGER.log(System.Logger.Level.WARNING, said);
            }
            return;
        }
        String message = said.isEmpty() ? otherwise : said.trim();
        throw isArgument ? new IllegalArgumentException(message, cause) : new IllegalStateException(message, cause);
    }
}
