#!/usr/bin/env python3
"""Compares whole models with LiteRT: compare.py OCLITE MODELS_DIR [--delegate opencl] [--images DIR] [MODEL ...]

Runs each model in `oclite run` and in LiteRT on the same seeded inputs: float outputs must be within 1e-4 of the output's
scale, quantized ones within one step of LiteRT's reference kernels or of its default. With --images the classifiers
must name the classes listed below. Exit status 77 (skipped) without LiteRT or without the models.
"""
import argparse
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from ai_edge_litert import schema_py_generated as schema
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
except ImportError as missing:
    print(f"skipped: no LiteRT in this Python ({missing})")
    sys.exit(77)

# All but those that tokenize (tests/extensions/tftext_models.py).
MODELS = ["mobilenet_v1_0.25_224", "deeplabv3_257_mv_gpu", "mobilenet_v2_1.0_224_quant", "tf2_mobilenet_v2_1.0_224_ptq",
          "person_detect", "yamnet", "movie_review", "ssd_mobilenet_v1", "keyword_scrambled",
          "sample_4x4x4x4x4_two_input_one_output", "keras_lstm_mnist_ptq", "trained_lstm", "keyword_scrambled_8bit", "atan"]
# Of the folder ops all but these, which LiteRT does not run either: operators that nobody registers, a SQUEEZE of dimensions
# that are not 1, and strings as inputs.
NOT_RUN = {"dynamic_string_custom_ops", "max_unpooling_2d", "max_unpooling_2d_valid", "simple_squeeze", "gather_string"}
CLASSIFIERS = ["mobilenet_v1_0.25_224", "mobilenet_v2_1.0_224_quant", "tf2_mobilenet_v2_1.0_224_ptq"]
CLASSES = {"cat": [286] * 3, "bird": [20] * 3, "grace_hopper": [835, 653, 653]}  # per classifier, as LiteRT says


def seeded(details, whole=4):
    rng = np.random.default_rng(0)
    for d in details:
        shape, dtype = tuple(d["shape"]), np.dtype(d["dtype"])
        if dtype == np.float32:
            yield rng.random(shape, dtype=np.float32)
        elif dtype in (np.int32, np.int64):
            # Shapes and indices: small, and equal where inputs must agree with each other.
            yield np.full(shape, whole, dtype)
        elif dtype == np.bool_:
            yield rng.random(shape) < 0.5
        else:
            info = np.iinfo(dtype)
            yield rng.integers(info.min, info.max + 1, shape).astype(dtype)


def loadable(data):
    """The model as LiteRT accepts it: it refuses a quantized_dimension outside the shape, which older converters wrote on
    the biases of depthwise convolutions, where no kernel reads it (person_detect)."""
    try:
        Interpreter(model_content=data)
        return data
    except ValueError:
        import flatbuffers
        model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(data, 0))
        for tensor in model.subgraphs[0].tensors:
            if tensor.quantization is not None and tensor.quantization.quantizedDimension >= len(tensor.shape):
                tensor.quantization.quantizedDimension = 0
        builder = flatbuffers.Builder(len(data))
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def create(data, resolver):
    """Its reference kernels lack a few operators, which its default has."""
    try:
        interpreter = Interpreter(model_content=data, num_threads=1, experimental_op_resolver_type=resolver)
        interpreter.allocate_tensors()
    except ValueError as error:
        if "Didn't find op for builtin opcode" not in str(error):
            raise
        interpreter = Interpreter(model_content=data, num_threads=1)
        interpreter.allocate_tensors()
    return interpreter


def litert(data, resolver, inputs):
    interpreter = create(data, resolver)
    details = interpreter.get_input_details()
    values = list(inputs(details))
    for detail, value in zip(details, values):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return values, [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]


def oclite(tool, model, values, *options):
    with tempfile.TemporaryDirectory() as folder:
        command = [tool, "run", model, "--out", folder, *options]
        for i, value in enumerate(values):
            np.save(f"{folder}/in{i}.npy", value)
            command += ["--in", f"{folder}/in{i}.npy"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"exit status {result.returncode}: {result.stderr.strip()}")
        outputs = []
        while os.path.exists(f"{folder}/out{len(outputs)}.npy"):
            outputs.append(np.load(f"{folder}/out{len(outputs)}.npy"))
        return outputs


def difference(got, want, also):
    """0 when got is right, otherwise how far it is off, in units of what is allowed."""
    if got.dtype != want.dtype or got.shape not in (want.shape, also.shape):
        return float("inf")
    if want.dtype.kind == "f":
        scale = max(float(np.max(np.abs(want), initial=0)), 1e-30)
        off = np.abs(got - want) / (1e-4 * scale)
        return float(np.max(np.nan_to_num(off, nan=np.inf), initial=0)) if not np.array_equal(got, want) else 0.0
    steps = np.minimum(np.abs(got.astype(np.int64) - want), np.abs(got.astype(np.int64) - also))
    return float(np.max(steps, initial=0))


def answers(tool, path):
    """Inputs, and outputs of LiteRT's reference kernels and of its default."""
    with open(path, "rb") as file:
        data = loadable(file.read())
    if os.path.basename(path) == "atan.tflite":  # LiteRT has no Atan
        details = [{"shape": (5,), "dtype": np.float32}]
        values = list(seeded(details))
        want = [np.arctan(values[0] + np.float32(0.99999905))]
        return values, want, want
    if os.path.basename(path) == "keyword_scrambled_8bit.tflite":  # LiteRT writes beyond its memory: our plain kernels answer
        values = list(seeded([{"shape": (1, 96), "dtype": np.int16}]))
        want = oclite(tool, path, values, "--cpu", "reference")
        return values, want, want
    try:
        values, want = litert(data, OpResolverType.BUILTIN_REF, seeded)
    except RuntimeError:  # an index that is too large
        values, want = litert(data, OpResolverType.BUILTIN_REF, lambda details: seeded(details, 0))
    return values, want, litert(data, OpResolverType.AUTO, lambda _: values)[1]


def check_model(tool, path, delegate):
    values, want, also = answers(tool, path)
    got = oclite(tool, path, values, "--delegate", delegate)
    if len(got) != len(want):
        return f"{len(got)} outputs instead of {len(want)}"
    worst = max(difference(*three) for three in zip(got, want, also))
    print(f"{'ok' if worst <= 1 else 'WRONG':5} {os.path.basename(path)}: worst output at {worst:.3g} of what is allowed")
    return None if worst <= 1 else f"off by {worst:.3g} times what is allowed"


def picture(path, details):
    from PIL import Image
    detail = details[0]
    _, height, width, _ = detail["shape"]
    pixels = np.asarray(Image.open(path).convert("RGB").resize((width, height), Image.BILINEAR))
    if detail["dtype"] == np.float32:
        return (pixels.astype(np.float32) / 127.5 - 1)[None]
    return pixels.astype(detail["dtype"])[None]


def check_images(tool, models, images, delegate):
    for k, name in enumerate(CLASSIFIERS):
        path = f"{models}/{name}.tflite"
        details = Interpreter(model_path=path).get_input_details()
        for image, classes in CLASSES.items():
            got = int(np.argmax(oclite(tool, path, [picture(f"{images}/{image}.bmp", details)], "--delegate", delegate)[0]))
            print(f"{'ok' if got == classes[k] else 'WRONG':5} {name}: {image}.bmp is class {got}")
            if got != classes[k]:
                yield f"{name}: {image} is class {got}, not {classes[k]}"


def small_models(models):
    names = (name.removesuffix(".tflite") for name in os.listdir(f"{models}/ops"))
    return [f"ops/{name}" for name in sorted(names) if name not in NOT_RUN]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("--delegate", default="none")
    parser.add_argument("--images")
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    if not os.path.isdir(args.models):
        print(f"skipped: no folder {args.models}")
        return 77
    names = args.names or MODELS + small_models(args.models)
    faults = []
    for name in names:
        try:
            fault = check_model(args.tool, f"{args.models}/{name}.tflite", args.delegate)
        except (RuntimeError, ValueError) as error:
            fault = str(error)
            print(f"ERROR {name}: {fault}")
        faults += [f"{name}: {fault}"] if fault else []
    if args.images:
        faults += check_images(args.tool, args.models, args.images, args.delegate)
    print(f"{len(names)} models, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
