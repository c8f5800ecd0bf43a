// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/**
 * An object of the C library that is deleted with its last user. Interpreters outlive what the program has closed: a
 * delegate must not be deleted before the interpreters that have it.
 */
final class NativeHandle {
    /** Deletes what programs have not closed. */
    static final Cleaner CLEANER = Cleaner.create();

    private final long address;
    private final LongConsumer delete;
    private int users = 1;

    NativeHandle(long address, LongConsumer delete) {
        this.address = address;
        this.delete = delete;
    }

    long address() {
        return address;
    }

    synchronized NativeHandle retain() {
        if (users == 0) {
            throw new IllegalStateException("the object of the library was deleted");
        }
        users++;
        return this;
    }

    void release() {
        boolean isLast;
        synchronized (this) {
            isLast = --users == 0;
        }
        if (isLast) {
            delete.accept(address);
        }
    }
}
