#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclite batch: all kinds of inputs give what single inferences give, in all formats; bad inputs are rows with an error."""
import glob
import itertools
import os
import shutil

import python_case as case
from batch_case import BatchCase, infer, read
from python_case import np

from oclite.batch import _pictures
from oclite.batch._target import Target

import PIL.Image
import PIL.ImageOps
import pyarrow
import pyarrow.csv
import pyarrow.parquet

TRIANGLE, SCENE = (os.path.join(case.OWN, name) for name in ("triangle.jpg", "scene.png"))


def pixels(path, size, mode="RGB"):
    with PIL.Image.open(path) as picture:
        return np.asarray(picture.convert(mode).resize(size, PIL.Image.Resampling.BILINEAR))


class Pictures(BatchCase):
    def test_folders_patterns_and_files(self):
        """Each file once, quantized as the metadata say."""
        os.makedirs(self.path("in", "deep", "er"))
        shutil.copy(TRIANGLE, self.path("in", "b.jpg"))
        shutil.copy(SCENE, self.path("in", "deep", "er", "a.PNG"))
        with open(self.path("in", "notes.txt"), "w", encoding="ascii") as file:
            file.write("no picture")
        out, said, _ = self.run_batch(case.own("shapes_label"), self.path("in"), self.path("in", "*.jpg"), TRIANGLE)
        rows = read(out)
        paths = [self.path("in", "b.jpg"), self.path("in", "deep", "er", "a.PNG"), TRIANGLE]
        self.assertEqual([(row["row"], row["source"], row["position"], row["error"]) for row in rows],
                         [(number, path, 0, None) for number, path in enumerate(paths)])
        scale, zero = np.float32(0.007843137718737125), np.float32(127)
        real = [(pixels(path, (64, 64)) - np.float32(127.5)) / np.float32(127.5) / scale for path in paths]
        values = [np.clip(np.trunc(value + np.copysign(np.float32(0.5), value)) + zero, 0, 255).astype(np.uint8) for value in real]
        self.assertEqual([row["output_0"] for row in rows], [found[0][0].tolist() for found in infer(case.own("shapes_label"), values)])
        self.assertEqual(said, f"3 rows are in {out}/\n")
        within = self.run_batch(case.own("shapes_label"), self.path("in"), out="in/results")[0]
        self.assertEqual(len(read(within)), 2)
        self.assertIn("2 of them before", self.run_batch(case.own("shapes_label"), self.path("in"), out="in/results")[1])
        self.refused("nothing but the results", case.own("shapes_label"), within, out="in/results")

    def test_broken_ones(self):
        """Each is a row with its error; the others have their results."""
        with open(TRIANGLE, "rb") as file:
            content = file.read()
        broken = {"a_cut.jpg": content[:900], "b_none.png": b"no picture", "c_empty.gif": b"", "e_header.png": b"\x89PNG\r\n\x1a\n" + bytes(90)}
        for name, part in broken.items():
            with open(self.path(name), "wb") as file:
                file.write(part)
        shutil.copy(TRIANGLE, self.path("d.jpg"))
        PIL.Image.fromarray(np.full((64, 64), 40000, np.uint16)).save(self.path("f_deep.png"))
        out, _, errors = self.run_batch(case.own("shapes_label"), self.folder, "--workers", 2)
        rows = {os.path.basename(row["source"]): row for row in read(out)}
        self.assertEqual(list(rows), sorted([*broken, "d.jpg", "f_deep.png"]))
        for name, words in (("a_cut.jpg", "truncated"), ("b_none.png", "cannot identify"), ("c_empty.gif", "cannot identify"),
                            ("e_header.png", "no picture that can be read"), ("f_deep.png", "more than 8 bits")):
            self.assertRegex(rows[name]["error"], words)
            self.assertIsNone(rows[name]["output_0"])
        alone = read(self.run_batch(case.own("shapes_label"), TRIANGLE, out="alone")[0])[0]
        self.assertEqual((rows["d.jpg"]["error"], rows["d.jpg"]["output_0"]), (None, alone["output_0"]))
        self.assertRegex(errors, "5 of 6 rows have an error. The first: .*a_cut.jpg: no picture that can be read: .*truncated")

    def test_nothing_but_broken_ones(self):
        with open(self.path("a.png"), "wb") as file:
            file.write(b"no picture")
        out, _, errors = self.run_batch(case.own("shapes_label"), self.path("a.png"), status=1)
        self.assertRegex(errors, "1 of 1 rows have an error")
        self.assertEqual([row["output_0"] for row in read(out)], [None])

    def test_normalization_and_shape(self):
        """Options in the place of metadata; outputs of several dimensions have their shapes beside them."""
        model = case.own("shapes_segment")
        out = self.run_batch(model, SCENE, "--mean", "10,20,30", "--std", 50, "--fit", "crop", "--resample", "nearest")[0]
        [row] = read(out)
        with PIL.Image.open(SCENE) as picture:
            fitted = np.asarray(PIL.ImageOps.fit(picture.convert("RGB"), (96, 96), PIL.Image.Resampling.NEAREST), np.float32)
        [want] = infer(model, [(fitted - np.array([10, 20, 30], np.float32)) / np.float32(50)])[0]
        self.assertEqual(row["output_0.shape"], [96, 96, 4])
        np.testing.assert_array_equal(np.array(row["output_0"], np.float32).reshape(want.shape), want)

    def test_without_metadata(self):
        """Bytes are stored as they are, others are brought to -1 to 1; a picture lies as it was held."""
        grey = PIL.Image.open(SCENE).convert("L").resize((8, 8))
        exif = grey.getexif()
        exif[0x0112] = 6  # to be turned by 90 degrees
        grey.save(self.path("a.png"), exif=exif)
        held = np.rot90(np.asarray(grey), -1)
        [row] = read(self.run_batch(case.own("digits"), self.path("a.png"))[0])
        np.testing.assert_array_equal(np.array(row["output_0"], np.float32),
                                      infer(case.own("digits"), [(held.astype(np.float32) - 127.5) / np.float32(127.5)])[0][0][0])
        [row] = read(self.run_batch(case.own("digits_int8"), self.path("a.png"), out="int8")[0])
        stored = (held.astype(np.int16) - 128).astype(np.int8)
        self.assertEqual(row["output_0"], infer(case.own("digits_int8"), [stored])[0][0][0].tolist())

    def test_normalized_as_the_table_says(self):
        """Whatever is quicker than looking values up gives the same bits, for each type, layout and number of channels."""
        rng = np.random.default_rng(1)
        types = ((np.float32, 0, 0), (np.float16, 0, 0), (np.int8, 0.0078, -1), (np.uint8, 0.01, 3), (np.int16, 0.001, 0))
        numbers = ((None, (1,)), ((127.5,), (127.5,)), ((1, 2, 3, 4), (50,)), ((100, 120, 130, 90), (50, 60, 70, 80)))
        for (kind, scale, zero), are_planes, channels, (mean, std) in itertools.product(types, (False, True), (1, 3, 4), numbers):
            shape = (channels, 20, 30) if are_planes else (20, 30, channels)
            target = Target("x", shape, np.dtype(kind), scale, zero, False)
            if mean is None and kind == np.int16:
                continue  # stored values are bytes
            given = (tuple(float(number) for number in some[:channels]) if some else None for some in (mean, std))
            pictures = _pictures.Pictures(target, 20, 30, channels, are_planes, *given)
            pixels_of = rng.integers(0, 256, (20, 30, channels), np.uint8)
            lying = pixels_of.transpose(2, 0, 1) if are_planes else pixels_of
            rows = np.broadcast_to(pictures.table, (channels, 256))
            want = np.stack([rows[i][pixels_of[..., i]] for i in range(channels)], 0 if are_planes else 2)
            got = pictures._normalized(lying)
            self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
            np.testing.assert_array_equal(got, want)

    def test_in_tables(self):
        """Files' bytes in a column, alone or beside their paths."""
        contents = []
        for path in (TRIANGLE, SCENE):
            with open(path, "rb") as file:
                contents.append(file.read())
        contents.append(b"no picture")
        pyarrow.parquet.write_table(pyarrow.table({"label": [1, 2, 3], "image": [{"bytes": part, "path": "x"} for part in contents]}), self.path("a.parquet"))
        pyarrow.parquet.write_table(pyarrow.table({"bytes": contents}), self.path("b.parquet"))
        want = [row["output_0"] for row in read(self.run_batch(case.own("shapes_label"), TRIANGLE, SCENE, out="alone")[0])]
        name = "keras_tensor_15"
        for table, options in (("a", ("--input", f"{name}=image")), ("b", ())):
            rows = read(self.run_batch(case.own("shapes_label"), self.path(f"{table}.parquet"), *options, out=table)[0])
            self.assertEqual([row["output_0"] for row in rows], [*want, None])
            self.assertRegex(rows[2]["error"], "cannot identify")


class Tables(BatchCase):
    def test_every_kind(self):
        """The same values in .npy, Parquet and CSV files, several at a time."""
        values = self.digits(150, "a.npy")
        flat = values.reshape(150, 64)
        pyarrow.parquet.write_table(pyarrow.table({"keras_tensor_7": list(flat), "label": list(range(150))}), self.path("b.parquet"), row_group_size=40)
        pyarrow.parquet.write_table(pyarrow.table({"x": [value.tolist() for value in values[:, :, :, 0]]}), self.path("c.pq"))
        pyarrow.csv.write_csv(pyarrow.table({f"p{i}": flat[:, i] for i in range(64)}), self.path("d.csv"))
        pyarrow.csv.write_csv(pyarrow.table({f"p{i}": flat[:, i] for i in range(64)}), self.path("e.tsv"), pyarrow.csv.WriteOptions(delimiter="\t"))
        np.save(self.path("f.npy"), values[0])
        for options in ((), ("--batch", 16, "--workers", 3, "--readers", 2), ("--threads", 2, "--rows_per_file=7")):
            out, _, errors = self.run_batch(case.own("digits"), self.folder, *options, out=f"out{len(options)}")
            self.assertEqual(errors, "")
            self.assert_digits(read(out), np.concatenate([values] * 5 + [values[:1]]))
            shutil.rmtree(out)

    def test_wrong_rows(self):
        values = self.digits(40).reshape(40, 64)
        lines = [",".join(f"p{i}" for i in range(64)), *(",".join(f"{float(v)!r}" for v in row) for row in values)]
        lines[3], lines[9], lines[40] = "1,2,3", lines[9].replace("0.", "O.", 1), lines[40] + ",5"
        with open(self.path("a.csv"), "w", encoding="ascii") as file:
            file.write("\n".join(lines))
        rows = [row.tolist() for row in values]
        rows[1], rows[2], rows[3] = rows[1][:63], None, [*rows[3][:63], None]
        pyarrow.parquet.write_table(pyarrow.table({"x": pyarrow.array(rows, pyarrow.list_(pyarrow.float32()))}), self.path("b.parquet"))
        out, _, errors = self.run_batch(case.own("digits"), self.path("a.csv"), self.path("b.parquet"))
        found = read(out)
        words = {2: "3 values, where the first line names 64", 8: "column 'p0'.*O\\.", 39: "65 values", 41: "takes 64 values.*not 63",
                 42: "'x' has no value", 43: "a value that is missing"}
        self.assertEqual([row["row"] for row in found if row["error"]], list(words))
        for number, text in words.items():
            self.assertRegex(found[number]["error"], text)
        good = [row for row in found if not row["error"]]
        self.assert_digits(good, np.concatenate([values, values])[[row["row"] for row in good]], [row["row"] for row in good])
        self.assertRegex(errors, "6 of 80 rows")

    def test_wrong_files(self):
        """A file that does not fit is one row with its error. Where none fits, nothing begins."""
        values = self.digits(5, "good.npy")
        np.save(self.path("shape.npy"), values[:, :7])
        np.save(self.path("type.npy"), np.array([["a"] * 64] * 2).reshape(2, 8, 8, 1))
        np.save(self.path("objects.npy"), np.array([{}], object), allow_pickle=True)
        pyarrow.parquet.write_table(pyarrow.table({"a": [1], "b": [2]}), self.path("columns.parquet"))
        files = {"cut.npy": b"\x93NUMPY", "cut.parquet": b"PAR1", "empty.csv": b"", "numbers.csv": b"1,2\n3,4\n", "few.csv": b"a,b\n1,2\n"}
        for name, content in files.items():
            with open(self.path(name), "wb") as file:
                file.write(content)
        rows = {os.path.basename(row["source"]): row for row in read(self.run_batch(case.own("digits"), self.folder)[0])}
        words = {"shape.npy": r"\[5, 7, 8, 1\], where .* \[rows, 8, 8, 1\]", "type.npy": "takes float32, not", "objects.npy": "[Oo]bject|pickle",
                 "columns.parquet": "takes 64 values, and 2 columns", "cut.npy": "EOF|header|read", "cut.parquet": "magic|Parquet|footer",
                 "empty.csv": "Empty", "numbers.csv": "the first line holds numbers", "few.csv": "64 values, and 2 columns"}
        self.assertEqual(set(rows), {*words, "good.npy"})
        for name, text in words.items():
            self.assertRegex(rows[name]["error"], text, name)
        self.refused("few.csv: input 'keras_tensor_7' takes 64 values, and 2 columns", case.own("digits"), self.path("few.csv"), "--format", "npy", out="none")
        self.assertFalse(os.path.exists(self.path("none", "_manifest.json")))

    def test_cut_behind_its_beginning(self):
        """What cannot be read of a file that turns out to be damaged are rows with that error."""
        values = self.digits(300).reshape(300, 64)
        path = self.path("a.parquet")
        pyarrow.parquet.write_table(pyarrow.table({"x": list(values)}), path, row_group_size=100, compression="gzip")
        at = pyarrow.parquet.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
        with open(path, "r+b") as file:
            file.seek(at)
            file.write(b"\xff" * 200)
        rows = read(self.run_batch(case.own("digits"), path)[0])
        whole = [*range(100), *range(200, 300)]
        self.assert_digits([rows[i] for i in whole], values[whole], whole)
        self.assertEqual([bool(row["error"]) for row in rows[100:200]], [True] * 100)

    def test_quantized(self):
        """Real numbers are quantized; integers are what is stored."""
        real = np.random.default_rng(3).random((20, 8, 8, 1), np.float32)
        stored = np.clip(np.floor(real / np.float32(0.003921568859368563) + np.float32(0.5)) - 128, -128, 127).astype(np.int8)
        np.save(self.path("real.npy"), real)
        np.save(self.path("stored.npy"), stored)
        np.save(self.path("wide.npy"), stored.astype(np.int64))
        out = self.run_batch(case.own("digits_int8"), self.folder, "--dequantize")[0]
        want = np.concatenate([found[0] for found in infer(case.own("digits_int8"), stored)] * 3)
        with case.oclite.Interpreter(case.own("digits_int8")) as interpreter:
            scale, zero = interpreter.get_output_details()[0]["quantization"]
        np.testing.assert_allclose(np.array([row["output_0"] for row in read(out)]), (want.astype(np.float64) - zero) * scale, rtol=1e-6)
        np.save(self.path("wide.npy"), stored.astype(np.int64) + 100)
        rows = read(self.run_batch(case.own("digits_int8"), self.path("wide.npy"), self.path("stored.npy"), out="wide")[0])
        self.assertRegex(rows[0]["error"], "int8, which cannot hold")

    def test_several_inputs(self):
        """Of a model with two, columns of their names or those that options name; what is missing is said."""
        model = case.shared("sample_4x4x4x4x4_two_input_one_output")
        with case.oclite.Interpreter(model) as interpreter:
            [(key, names)] = interpreter.get_signature_list().items()
            first, second = (interpreter.get_signature_runner(key).get_input_details()[name]["index"] for name in names["inputs"])
            order = [detail["index"] for detail in interpreter.get_input_details()]
        values = np.random.default_rng(1).random((2, 6, 1024), np.float32)
        pyarrow.parquet.write_table(pyarrow.table({names["inputs"][0]: list(values[0]), "b": list(values[1])}), self.path("a.parquet"))
        self.refused("no column for input", model, self.path("a.parquet"), out="none")
        out = self.run_batch(model, self.path("a.parquet"), "--input", f"{names['inputs'][1]}=b", "--batch", 4)[0]
        by_index = {first: values[0], second: values[1]}
        want = infer(model, [tuple(by_index[index][i] for index in order) for i in range(6)])
        np.testing.assert_array_equal(np.array([row[names["outputs"][0]] for row in read(out)], np.float32), [found[0].reshape(-1) for found in want])
        self.digits(1, "a.npy")
        self.refused("takes 2 inputs, which .npy files do not fill", model, self.path("a.npy"), out="none")

    def test_custom_operators(self):
        """Texts in a column, and lists of words out, by an operator of a library."""
        model = case.shared("whitespace_tokenizer_to_tensor")
        library = next((path for path in glob.glob(os.path.join(case.LIBRARIES, "**", "liboclite_tftext.so"), recursive=True)), None)
        if library is None:
            self.skipTest("no liboclite_tftext.so")
        texts = ["a b", "one", "two three  four"]
        pyarrow.parquet.write_table(pyarrow.table({"t": texts}), self.path("a.parquet"))
        pyarrow.csv.write_csv(pyarrow.table({"t": texts}), self.path("b.csv"))
        arguments = (model, self.path("a.parquet"), self.path("b.csv"))
        self.refused("tftext:WhitespaceTokenizer.* Register", *arguments)
        rows = read(self.run_batch(*arguments, "--operators", f"{library}:oclite_tftext_add_operators")[0])
        self.assertEqual([(row["error"], row["StatefulPartitionedCall:0"]) for row in rows], [(None, text.encode().split()) for text in texts] * 2)
        self.refused("absent.so", *arguments, "--operators", self.path("absent.so"))
        self.refused("no function mine", *arguments, "--operators", f"{library}:mine")


if __name__ == "__main__":
    case.main()
