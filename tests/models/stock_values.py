"""Values, and threads, of the checks in stock hosts."""
import threading

import numpy as np


def floats(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def near(got, want):
    return got.shape == want.shape and np.allclose(got, want, rtol=1e-5, atol=1e-6)


def run_threads(work, count):
    """work(number) in threads; what they found wrong."""
    wrong = []

    def guarded(number):
        try:
            work(number)
        except (AssertionError, ValueError, RuntimeError) as error:
            wrong.append(f"thread {number}: {error}")

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong
