// SPDX-License-Identifier: Apache-2.0
package org.oclite;

/**
 * Runs parts of a graph in place of the CPU. {@link OpenclDelegate} is one; others implement this interface over a
 * {@code TfLiteDelegate} of their own.
 */
public interface Delegate extends AutoCloseable {
    /**
     * Returns the address of the {@code TfLiteDelegate}.
     *
     * @return an address that stays valid until {@link #close()}, and not 0
     * @throws IllegalStateException where the delegate is closed
     */
    long getNativeHandle();

    /**
     * Releases the delegate. Interpreters that use a delegate that is not an {@link OpenclDelegate} have to be closed
     * before.
     */
    @Override
    default void close() {
    }
}
