# SPDX-License-Identifier: Apache-2.0
"""How often each public function of the package was called, and what came of it."""
import collections
import functools
import inspect

# Rounds after which each function should have answered; those that have nothing to do without a device.
ENOUGH, OF_DEVICES = 1300, {"report", "delegate", "load_delegate", "Delegate._get_native_delegate_pointer"}
# Functions whose every call is an error here, and a class that nobody calls.
NEVER = {"load_delegate", "Kernel.from_file", "Delegate.__init__"}


class Counts:
    """Counts from now on, of the module that it is given."""

    def __init__(self, module):
        self._found = collections.Counter()
        self._names = []
        for name in module.__all__:
            member = getattr(module, name)
            if inspect.isclass(member):
                self._watch_class(name, member)
            else:
                setattr(module, name, self._watched(name, member))

    def _watch_class(self, name, kind):
        if issubclass(kind, (tuple, dict)) or kind.__module__ == "oclite._report" or hasattr(kind, "__members__"):
            return
        for key, member in list(vars(kind).items()):
            if inspect.isfunction(member) and (not key.startswith("_") or key in ("__init__", "__call__", "_get_ops_details")):
                setattr(kind, key, self._watched(f"{name}.{key}", member))

    def _watched(self, name, function):
        self._names.append(name)

        def note(error=None):
            self._found[name, type(error).__name__ if error else ""] += 1
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def call(*arguments, **keywords):
                try:
                    result = await function(*arguments, **keywords)
                except BaseException as error:
                    note(error)
                    raise
                note()
                return result
        else:
            @functools.wraps(function)
            def call(*arguments, **keywords):
                try:
                    result = function(*arguments, **keywords)
                except BaseException as error:
                    note(error)
                    raise
                note()
                return result
        return call

    def total(self):
        return sum(self._found.values())

    def __str__(self):
        lines = []
        for name in self._names:
            errors = {kind: count for (found, kind), count in self._found.items() if found == name and kind}
            said = ", ".join(f"{count} {kind}" for kind, count in sorted(errors.items()))
            lines.append(f"{name:45} {self._found[name, '']:9} answers  {said}")
        return "\n".join(lines)

    def check(self, rounds, has_device):
        """1 where a function has never answered although there was time."""
        silent = [name for name in self._names if not self._found[name, ""] and name not in NEVER and (has_device or name not in OF_DEVICES)]
        if silent and rounds >= ENOUGH:
            print("have never answered:", ", ".join(silent))
            return 1
        return 0
