# SPDX-License-Identifier: Apache-2.0
"""A Ray cluster of two nodes on this machine, for tests and benchmarks: all on 127.0.0.1, without dashboard and statistics.

Environment variables reach Ray only before it is imported: import this module first.
"""
import contextlib
import os
import shutil
import signal
import sys
import tempfile

os.environ.update({
    "RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # the latter makes it use 127.0.0.1
    "RAY_DISABLE_IMPORT_WARNING": "1", "RAY_enable_metrics_collection": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "PYTHONPATH": os.pathsep.join([os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.environ.get("PYTHONPATH", "")]),
    "OMP_NUM_THREADS": "1"})

OBJECTS = 80 << 20  # bytes of each node's object store, which has at least 75 MiB


class TwoNodes:
    """with TwoNodes() as cluster: its address, and means to kill workers and nodes."""

    def __init__(self):
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        from ray.cluster_utils import Cluster
        folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # short, since names of sockets in it are
        self._stack.callback(shutil.rmtree, folder, ignore_errors=True)
        os.environ["RAY_TMPDIR"] = folder
        os.mkdir(os.path.join(folder, "ray"))
        node = {"num_cpus": 1, "include_dashboard": False, "include_log_monitor": False, "object_store_memory": OBJECTS}
        try:
            self._cluster = Cluster(initialize_head=True, head_node_args=node)
            self._stack.callback(self._cluster.shutdown)
            self._second = self._cluster.add_node(**node, resources={"device": 1})
        except BaseException:
            self._stack.close()
            raise
        self.address = self._cluster.address
        return self

    def __exit__(self, *_):
        self._stack.close()

    def workers(self, kind, is_second):
        """Processes of actors of a class, on the first or the second node."""
        node = self._second if is_second else self._cluster.head_node
        raylet = node.all_processes["raylet"][0].process.pid
        return [pid for pid in _children(raylet) if kind in _command(pid)]

    def kill_second(self):
        """As if its plug were pulled."""
        self._cluster.remove_node(self._second, allow_graceful=False)


def _children(parent):
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{int(name)}/stat", encoding="utf-8") as file:
            if int(file.read().rpartition(")")[2].split()[1]) == parent:
                found.append(int(name))
    return found


def _command(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
        return file.read()
    return ""


def stop(pid):
    """The process goes on doing nothing: what it has begun stays undone."""
    os.kill(pid, signal.SIGSTOP)


def kill(pid):
    os.kill(pid, signal.SIGKILL)


def main():
    """ray_case.py COMMAND...: runs a command with RAY_ADDRESS set to such a cluster."""
    import subprocess
    with TwoNodes() as cluster:
        return subprocess.run(sys.argv[1:], env={**os.environ, "RAY_ADDRESS": cluster.address}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
