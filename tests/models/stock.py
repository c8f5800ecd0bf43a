"""The delegate in a host that nobody here built: the wheels of LiteRT and TensorFlow from PyPI.

host() and need_device() end the script with status 77 (skipped) where the package, or a device, is missing. A script of
checks is functions of a Session, decorated with @check, that assert, and `sys.exit(main(__doc__))`; its command line is
SCRIPT DELEGATE.so EXAMPLES_DIR [PACKAGE].
"""
import ctypes
import importlib
import os
import sys
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "conformance"))

PACKAGES = ("litert", "tensorflow")
RESOLVERS = {"auto": "AUTO", "ref": "BUILTIN_REF", "opt": "BUILTIN_WITHOUT_DEFAULT_DELEGATES"}

Host = namedtuple("Host", "name version Interpreter load_delegate resolvers")
Decision = namedtuple("Decision", "graph op taken reason")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def host(package="litert"):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow tells a lot while it is imported
    try:
        importlib.import_module("numpy")
        if package == "litert":
            module = importlib.import_module("ai_edge_litert.interpreter")
            version = importlib.import_module("ai_edge_litert").__version__
            interpreter, load, resolvers = module.Interpreter, module.load_delegate, module.OpResolverType
        else:
            tf = importlib.import_module("tensorflow")
            version, interpreter = tf.__version__, tf.lite.Interpreter
            load, resolvers = tf.lite.experimental.load_delegate, tf.lite.experimental.OpResolverType
    except ImportError as missing:
        skip(f"this Python has no {package} ({missing})")
    return Host(package, version, interpreter, load, {name: getattr(resolvers, RESOLVERS[name]) for name in RESOLVERS})


def need_device(made, library):
    """A delegate, which keeps the device and its programs as long as somebody has it."""
    try:
        return made.load_delegate(library, {"device": "any"})
    except ValueError as error:
        return skip(f"no OpenCL device ({error})")


class _Node(ctypes.Structure):
    _fields_ = [("graph", ctypes.c_int), ("node", ctypes.c_int), ("op", ctypes.c_char_p), ("taken", ctypes.c_bool),
                ("reason", ctypes.c_char_p)]


def _pointer(delegate):
    return ctypes.c_void_p(delegate._get_native_delegate_pointer())


def explain(library, delegate):
    """What the delegate, as load_delegate has made it, decided about each node that it was shown."""
    found = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Node))
    def collect(_, node):
        found.append(Decision(node[0].graph, node[0].op.decode(), node[0].taken, node[0].reason.decode()))

    ctypes.CDLL(library).oclite_opencl_delegate_explain(_pointer(delegate), collect, None)
    return found


def failure(library, delegate):
    """The cause of its failure, "" while it works."""
    function = ctypes.CDLL(library).oclite_opencl_delegate_failure
    function.restype = ctypes.c_char_p
    return function(_pointer(delegate)).decode()


class Session:
    def __init__(self, package, library, examples, device=True):
        self.host, self.library, self.examples = host(package), os.path.abspath(library), os.path.abspath(examples)
        self.kept = need_device(self.host, self.library) if device else None

    def delegate(self, **options):
        return self.host.load_delegate(self.library, {"device": "any", **options})

    def explain(self, delegate):
        return explain(self.library, delegate)

    def model(self, name):
        with open(os.path.join(self.examples, "models", f"{name}.tflite"), "rb") as file:
            return file.read()

    def interpreter(self, model, *delegates, resolver="opt"):
        return self.host.Interpreter(model_content=model, experimental_delegates=list(delegates) or None, num_threads=1,
                                     experimental_op_resolver_type=self.host.resolvers[resolver])


def invoke(interpreter, *inputs):
    """Resizes what has another shape, and gives copies of all outputs."""
    details = interpreter.get_input_details()
    for detail, value in zip(details, inputs):
        if list(detail["shape"]) != list(value.shape):
            interpreter.resize_tensor_input(detail["index"], value.shape)
    interpreter.allocate_tensors()
    for detail, value in zip(details, inputs):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


_checks = []


def check(function):
    _checks.append(function)
    return function


def main(documentation, device=True):
    """device: do the checks need one?"""
    if len(sys.argv) not in (3, 4):
        print(documentation)
        return 2
    session = Session(sys.argv[3] if len(sys.argv) == 4 else "litert", *sys.argv[1:3], device=device)
    wrong = 0
    for function in _checks:
        try:
            function(session)
            said = "ok"
        except (AssertionError, ValueError, RuntimeError) as error:
            said = f"WRONG: {type(error).__name__}: {error}"
            wrong += 1
        print(f"{function.__name__.replace('_', ' ')}: {said}", flush=True)
    print(f"{session.host.name} {session.host.version}: {len(_checks)} checks, {wrong} wrong")
    return 1 if wrong else 0
