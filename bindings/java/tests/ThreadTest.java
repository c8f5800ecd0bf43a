// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several threads: one interpreter for one at a time, several at once, and inferences that are cancelled. */
class ThreadTest {
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);

    @AfterEach
    void stop() throws InterruptedException {
        mayGo.countDown();
        threads.shutdown();
        assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
    }

    /** An interpreter whose first operator waits until the test lets it go. */
    private Interpreter waiting(boolean isCancellable) {
        return new Interpreter(Resources.made("custom_first"), new Interpreter.Options().setCancellable(isCancellable)
                .addCustomOperator("Mine", (node, inputs, outputs) -> {
                    entered.countDown();
                    assertTrue(mayGo.await(30, TimeUnit.SECONDS));
                }));
    }

    @Test
    void aSecondThreadIsRefused() throws Exception {
        try (Interpreter interpreter = waiting(false)) {
            Future<?> running = threads.submit(() -> interpreter.run(new float[5], new float[5]));
            assertTrue(entered.await(30, TimeUnit.SECONDS));
            for (Runnable call : List.<Runnable>of(() -> interpreter.run(new float[5], new float[5]),
                    interpreter::allocateTensors, () -> interpreter.getInputTensor(0), interpreter::close)) {
                IllegalStateException error = assertThrows(IllegalStateException.class, call::run);
                assertTrue(error.getMessage().contains("in use"), error.getMessage());
            }
            mayGo.countDown();
            running.get();
            interpreter.run(new float[5], new float[5]);
        }
    }

    @Test
    void threadsThatFightForOne() throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            float[][] want = Resources.scores(interpreter);
            Runnable work = () -> {
                for (int i = 0; i < 300; i++) {
                    try {
                        assertArrayEquals(want, Resources.scores(interpreter));
                        done.incrementAndGet();
                    } catch (IllegalStateException error) {
                        refused.incrementAndGet();
                    }
                }
            };
            for (Future<?> future : List.of(threads.submit(work), threads.submit(work), threads.submit(work))) {
                future.get();
            }
        }
        assertEquals(900, done.get() + refused.get());
        assertTrue(done.get() > 0);
    }

    @Test
    void closedWhileOthersUseIt() throws Exception {
        for (int round = 0; round < 50; round++) {
            Interpreter interpreter = new Interpreter(Resources.own("digits"),
                    new Interpreter.Options().setCancellable(true));
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                futures.add(threads.submit(() -> {
                    for (int j = 0; j < 20; j++) {
                        try {
                            if (number == 0) {
                                interpreter.setCancelled(false);
                            } else {
                                Resources.scores(interpreter);
                            }
                        } catch (IllegalStateException error) {
                            Thread.yield(); // in use, or closed
                        }
                    }
                }));
            }
            for (boolean isClosed = false; !isClosed;) {
                try {
                    interpreter.close();
                    isClosed = true;
                } catch (IllegalStateException error) {
                    Thread.yield();
                }
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }
    }

    @Test
    void eachThreadItsOwn() throws Exception {
        try (Interpreter interpreter = Resources.open(Resources.own("digits"))) {
            float[][] want = Resources.scores(interpreter);
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                futures.add(threads.submit(() -> {
                    try (Interpreter own = Resources.open(Resources.own("digits"))) {
                        for (int j = 0; j < 50; j++) {
                            assertArrayEquals(want, Resources.scores(own));
                        }
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }
    }

    @Test
    void cancelled() throws Exception {
        try (Interpreter interpreter = waiting(true)) {
            float[] y = {7, 7, 7, 7, 7};
            Future<?> running = threads.submit(() -> interpreter.run(new float[5], y));
            assertTrue(entered.await(30, TimeUnit.SECONDS));
            interpreter.setCancelled(true);
            mayGo.countDown();
            ExecutionException error = assertThrows(ExecutionException.class, running::get);
            assertTrue(error.getCause() instanceof CancellationException, error.toString());
            assertArrayEquals(new float[] {7, 7, 7, 7, 7}, y);
            assertThrows(CancellationException.class, () -> interpreter.run(new float[5], y)); // until it is taken back
            assertThrows(CancellationException.class,
                    () -> interpreter.runForMultipleInputsOutputs(new Object[] {new float[5]}, Map.of()));
            interpreter.setCancelled(false);
            interpreter.run(new float[5], y);
        }
    }
}
