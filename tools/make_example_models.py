#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the models of the examples, and something for them to look at: make_example_models.py OUT_DIR

Trains small models on what the script itself draws, composes or writes, holds some of it back, prints how good they are
on that, and writes each with metadata, labels and vocabulary in the file:
  shapes_label.tflite    uint8, picture 64 x 64 -> circle, square, triangle
  shapes_detect.tflite   float32, picture 96 x 96 -> TFLite_Detection_PostProcess: boxes, classes, scores, count
  shapes_segment.tflite  float32, picture 96 x 96 -> scores of background, circle, square, triangle for each pixel
  sounds.tflite          float32, half a second at 8 kHz -> silence, tone, rising, falling, noise
  requests.tflite        float32, numbers of up to 16 words -> weather, music, timer, lights
  triangle.jpg, scene.png, rising.wav
Needs tensorflow and pillow (PyPI).
"""
import os
import re
import sys
import wave

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from example_data import REQUESTS, SHAPES, SOUNDS, draw_scene, make_requests, make_sound
from example_metadata import FILE, Metadata, add_metadata
from PIL import Image
from tensorflow.lite.python import schema_py_generated as schema

LICENSE = "Apache-2.0"
LABEL_SIZE, SCENE_SIZE, GRID = 64, 96, 12
SAMPLES, RATE = 4000, 8000
WORDS, LENGTH = 256, 16
layers = tf.keras.layers


def fit(model, x, y, epochs, loss, **options):
    model.compile(tf.keras.optimizers.Adam(0.003), loss, **options)
    model.fit(x, y, epochs=epochs, batch_size=32, verbose=0)
    return model


def normalized(pictures):
    return (np.asarray(pictures, np.float32) - 127.5) / 127.5


def convert(model, samples=None):
    """One picture, text or sound at a time; with samples quantized, bytes in and out."""
    one = layers.Input(batch_shape=[1] + list(model.inputs[0].shape[1:]), dtype=model.inputs[0].dtype)
    fixed = tf.keras.models.clone_model(model, input_tensors=one)
    fixed.set_weights(model.get_weights())
    converter = tf.lite.TFLiteConverter.from_keras_model(fixed)
    if samples is not None:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([x[None]] for x in samples)
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = tf.uint8
    return converter.convert()


# ---- Pictures ----

def convolve(x, channels, width=3, step=1, dilation=1):
    x = layers.Conv2D(channels, width, step, padding="same", dilation_rate=dilation, use_bias=False)(x)
    return layers.ReLU()(layers.BatchNormalization(momentum=0.9)(x))


def backbone(x):
    for channels in (8, 16, 24):
        x = convolve(x, channels, step=2)
    return convolve(x, 24)


def label_model(source):
    inputs = layers.Input((LABEL_SIZE, LABEL_SIZE, 3))
    x = layers.GlobalAveragePooling2D()(backbone(inputs))
    model = tf.keras.Model(inputs, layers.Dense(len(SHAPES), activation="softmax")(x))
    scenes = [draw_scene(source, LABEL_SIZE, 1, (24, 60)) for _ in range(2400)]
    x, y = normalized([s.picture for s in scenes]), np.array([s.shapes[0].kind for s in scenes])
    fit(model, x[400:], y[400:], 12, "sparse_categorical_crossentropy")
    right = (model.predict(x[:400], verbose=0).argmax(1) == y[:400]).mean()
    print(f"shapes_label: {right:.3f} of 400 pictures are right")
    return convert(model, x[400:600])


def scenes_of(source, count):
    return [draw_scene(source, SCENE_SIZE, int(source.integers(1, 4)), (20, 44)) for _ in range(count)]


def segment_model(source):
    inputs = layers.Input((SCENE_SIZE, SCENE_SIZE, 3))
    fine = convolve(inputs, 8, step=2)
    x = convolve(convolve(fine, 16, step=2), 24, step=2)
    x = convolve(convolve(x, 24), 24, dilation=2)
    x = layers.UpSampling2D(4, interpolation="bilinear")(x)
    x = convolve(layers.Concatenate()([x, fine]), 16)
    x = layers.Conv2D(len(SHAPES) + 1, 3, padding="same")(x)
    model = tf.keras.Model(inputs, layers.UpSampling2D(2, interpolation="bilinear")(x))
    scenes = scenes_of(source, 1400)
    x, y = normalized([s.picture for s in scenes]), np.array([s.mask for s in scenes])
    fit(model, x[100:], y[100:], 25, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    right = (model.predict(x[:100], verbose=0).argmax(3) == y[:100]).mean()
    print(f"shapes_segment: {right:.3f} of the pixels of 100 pictures are right")
    return convert(model)


def anchors():
    """Middle y, x, height, width of what each place of the grid is compared with."""
    middle = (np.arange(GRID) + 0.5) / GRID
    y, x = np.meshgrid(middle, middle, indexing="ij")
    return np.stack([y, x, np.full_like(y, 1 / 3), np.full_like(y, 1 / 3)], -1).reshape(-1, 4).astype(np.float32)


def targets(scenes):
    """For each place: the class, 0 for none, and the box as the operator decodes it."""
    places = anchors()
    kinds, boxes = np.zeros((len(scenes), len(places)), np.int32), np.zeros((len(scenes), len(places), 4), np.float32)
    for i, scene in enumerate(scenes):
        for shape in scene.shapes:
            top, left, bottom, right = np.array(shape.box) / SCENE_SIZE
            y, x, height, width = (top + bottom) / 2, (left + right) / 2, bottom - top, right - left
            near = np.abs(places[:, :2] - [y, x]).max(1) < 1 / GRID
            kinds[i, near] = shape.kind + 1
            offsets = (np.array([y, x]) - places[near, :2]) / places[near, 2:] * 10
            boxes[i, near] = np.concatenate([offsets, np.log(np.array([[height, width]]) / places[near, 2:]) * 5], 1)
    return np.concatenate([kinds[..., None], boxes], -1).astype(np.float32)


def detection_loss(truth, guess):
    kinds, wanted = tf.cast(truth[..., 0], tf.int32), truth[..., 1:]
    cross = tf.nn.sparse_softmax_cross_entropy_with_logits(kinds, guess[..., 4:])
    weight = tf.cast(kinds > 0, tf.float32)
    distance = tf.reduce_sum(tf.abs(wanted - guess[..., :4]), -1) * weight
    return tf.reduce_mean(cross * (1 + 4 * weight)) + 0.3 * tf.reduce_sum(distance) / (tf.reduce_sum(weight) + 1)


def detect_model(source):
    inputs = layers.Input((SCENE_SIZE, SCENE_SIZE, 3))
    x = convolve(backbone(inputs), 24, dilation=2)
    x = layers.Reshape((GRID * GRID, 4 + 1 + len(SHAPES)))(layers.Conv2D(4 + 1 + len(SHAPES), 1)(x))
    trained = tf.keras.Model(inputs, x)
    scenes = scenes_of(source, 2400)
    fit(trained, normalized([s.picture for s in scenes]), targets(scenes), 16, detection_loss)
    outputs = [x[..., :4], layers.Softmax()(x[..., 4:])]
    return add_detection(convert(tf.keras.Model(inputs, outputs)))


def add_detection(content):
    """Puts TFLite_Detection_PostProcess behind a model of two outputs."""
    from flatbuffers import flexbuffers
    model = schema.ModelT.InitFromPackedBuf(content, 0)
    graph = model.subgraphs[0]
    # The converter may have changed the order of the outputs.
    ends = sorted(graph.outputs, key=lambda t: graph.operators[-1].outputs[0] == t)
    ends = sorted(ends, key=lambda t: list(graph.tensors[t].shape)[-1] != 4 or is_softmax(model, t))

    def tensor(name, shape, data=None):
        made, buffer = schema.TensorT(), schema.BufferT()
        buffer.data = data
        model.buffers.append(buffer)
        made.name, made.shape, made.type, made.buffer = name, shape, schema.TensorType.FLOAT32, len(model.buffers) - 1 if data is not None else 0
        graph.tensors.append(made)
        return len(graph.tensors) - 1

    places = anchors()
    inputs = list(ends) + [tensor("anchors", list(places.shape), np.frombuffer(places.tobytes(), np.uint8))]
    graph.outputs = [tensor(name, shape) for name, shape in (("boxes", [1, 10, 4]), ("classes", [1, 10]), ("scores", [1, 10]), ("count", [1]))]
    code = schema.OperatorCodeT()
    code.customCode, code.version = "TFLite_Detection_PostProcess", 1
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
    model.operatorCodes.append(code)
    node = schema.OperatorT()
    node.opcodeIndex, node.inputs, node.outputs = len(model.operatorCodes) - 1, inputs, graph.outputs
    node.customOptions = list(flexbuffers.Dumps({
        "max_detections": 10, "max_classes_per_detection": 1, "num_classes": len(SHAPES), "nms_score_threshold": 0.3, "nms_iou_threshold": 0.4,
        "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0, "use_regular_nms": False}))
    graph.operators.append(node)
    model.signatureDefs = []
    return pack(model)


def is_softmax(model, tensor):
    codes = [max(code.builtinCode, code.deprecatedBuiltinCode) for code in model.operatorCodes]
    return any(tensor in op.outputs and codes[op.opcodeIndex] == schema.BuiltinOperator.SOFTMAX for op in model.subgraphs[0].operators)


def pack(model):
    import flatbuffers
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


# ---- Sounds and words ----

def sound_model(source):
    inputs = layers.Input((SAMPLES,))
    x = layers.Reshape((SAMPLES, 1))(inputs)
    for channels, width, step in ((8, 32, 8), (16, 8, 4), (24, 8, 4), (24, 4, 2)):
        x = layers.Conv1D(channels, width, step, padding="same", activation="relu")(x)
    x = layers.Flatten()(x)
    model = tf.keras.Model(inputs, layers.Dense(len(SOUNDS), activation="softmax")(layers.Dense(16, activation="relu")(x)))
    y = np.arange(3000) % len(SOUNDS)
    x = np.array([make_sound(source, kind, SAMPLES, RATE) for kind in y], np.float32)
    fit(model, x[500:], y[500:], 15, "sparse_categorical_crossentropy")
    right = (model.predict(x[:500], verbose=0).argmax(1) == y[:500]).mean()
    print(f"sounds: {right:.3f} of 500 are right")
    return convert(model)


def numbers_of(text, vocabulary):
    words = [word for word in re.split(r"[^a-z0-9']+", text.lower()) if word]
    found = [1] + [vocabulary.get(word, 2) for word in words]
    return (found + [0] * LENGTH)[:LENGTH]


def request_model(source):
    texts, y = make_requests(source, 2500)
    words = sorted({word for text in texts[500:] for word in re.split(r"[^a-z0-9']+", text.lower()) if word})
    vocabulary = {word: number for number, word in enumerate(["<PAD>", "<START>", "<UNKNOWN>"] + words)}
    x = np.array([numbers_of(text, vocabulary) for text in texts], np.int32)
    unknown = source.random(x[500:].shape) < 0.1  # so that words of no list mean nothing
    x[500:][unknown & (x[500:] > 2)] = 2
    inputs = layers.Input((LENGTH,), dtype="int32")
    z = layers.GlobalAveragePooling1D()(layers.Embedding(len(vocabulary), 8)(inputs))
    z = layers.Dense(len(REQUESTS), activation="softmax")(layers.Dense(16, activation="relu")(z))
    model = fit(tf.keras.Model(inputs, z), x[500:], y[500:], 20, "sparse_categorical_crossentropy")
    right = (model.predict(x[:500], verbose=0).argmax(1) == y[:500]).mean()
    print(f"requests: {right:.3f} of 500 are right, {len(vocabulary)} words")
    return convert(model), "".join(f"{word} {number}\n" for word, number in vocabulary.items())


# ---- All ----

def describe(name, description, tensors_in, tensors_out):
    return Metadata(name, description, "oclite", LICENSE, tensors_in, tensors_out)


def picture_input(size):
    return {"name": "picture", "content": ("image", "RGB", size, size), "mean": [127.5], "std": [127.5], "min": [0.0], "max": [255.0]}


def lines(words):
    return "".join(word + "\n" for word in words)


def write_models(folder, source):
    labels, values = FILE["TENSOR_AXIS_LABELS"], FILE["TENSOR_VALUE_LABELS"]
    shapes = {"labels.txt": lines(SHAPES)}

    def write(name, content, metadata, files):
        add_metadata(os.path.join(folder, name), content, metadata, files)

    write("shapes_label.tflite", label_model(source), describe(
        "Shapes", "Tells a circle, a square and a triangle apart.", [picture_input(LABEL_SIZE)],
        [{"name": "probability", "files": [("labels.txt", "a shape each", labels)]}]), shapes)
    write("shapes_segment.tflite", segment_model(source), describe(
        "Areas of shapes", "Finds which pixels are of a circle, a square or a triangle.", [picture_input(SCENE_SIZE)],
        [{"name": "scores", "content": ("image", "", SCENE_SIZE, SCENE_SIZE), "files": [("labels.txt", "a class each", labels)]}]),
        {"labels.txt": lines(("background",) + SHAPES)})
    write("shapes_detect.tflite", detect_model(source), describe(
        "Places of shapes", "Finds circles, squares and triangles.", [picture_input(SCENE_SIZE)],
        [{"name": "location", "content": ("boxes", "BOUNDARIES", [1, 0, 3, 2])},
         {"name": "category", "files": [("labels.txt", "a shape each", values)]}, {"name": "score", "threshold": 0.5}, {"name": "count"}]), shapes)
    write("sounds.tflite", sound_model(source), describe(
        "Sounds", "Tells some artificial sounds apart.", [{"name": "samples", "content": ("audio", RATE, 1)}],
        [{"name": "probability", "files": [("labels.txt", "a sound each", labels)]}]), {"labels.txt": lines(SOUNDS)})
    content, vocabulary = request_model(source)
    write("requests.tflite", content, describe(
        "Requests", "Tells what an English request to a house is about.",
        [{"name": "words", "regex": ("[^a-z0-9']+", [("vocabulary.txt", "a word and its number in each line", FILE["VOCABULARY"])])}],
        [{"name": "probability", "files": [("labels.txt", "a subject each", labels)]}]), {"vocabulary.txt": vocabulary, "labels.txt": lines(REQUESTS)})


def write_inputs(folder, source):
    one = draw_scene(source, 160, 1, (90, 120), kinds=[SHAPES.index("triangle")], grain=0)
    Image.fromarray(one.picture).save(os.path.join(folder, "triangle.jpg"), quality=90)
    scene = draw_scene(source, 192, 3, (44, 84), kinds=[0, 1, 2], grain=0)
    Image.fromarray(scene.picture).save(os.path.join(folder, "scene.png"), optimize=True)
    sound = make_sound(source, SOUNDS.index("rising"), SAMPLES, RATE)
    with wave.open(os.path.join(folder, "rising.wav"), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(np.round(sound * 32767).astype("<i2").tobytes())


def main(folder):
    tf.keras.utils.set_random_seed(1)
    write_inputs(folder, np.random.default_rng(7))
    write_models(folder, np.random.default_rng(1))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
