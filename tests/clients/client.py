"""What the tests of foreign clients share."""
import glob
import os

SKIPPED = 77  # as CTest has it


def library(prefix, name="libtensorflowlite_c.so"):
    """The installed library under the name that programs for TensorFlow Lite use."""
    return glob.glob(os.path.join(prefix, "lib*", "**", name), recursive=True)[0]
