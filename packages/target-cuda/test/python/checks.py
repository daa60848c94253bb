"""Modules for CUDA over libraries of its names on the CPU, beside modules for C of the same pipelines: checks.py CUDA C."""

import ctypes
import importlib.util
import sys
from pathlib import Path

import numpy as np

SIZES = (0, 1, 127, 20_001)


def load(folder, name):
    spec = importlib.util.spec_from_file_location(f"{Path(folder).name}.{name}", Path(folder) / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Face:
    """An array of a GPU with __cuda_array_interface__."""

    def __init__(self, array, **more):
        self.array, self.more = array, more

    @property
    def __cuda_array_interface__(self):
        face = dict(self.array.__array_interface__)
        place = face["data"][0] if self.array.size else 0
        kept = {name: face[name] for name in ("shape", "typestr", "strides")}
        return kept | {"data": (place, False), "version": 3} | self.more


class Exchanged:
    """An array of a GPU with DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream):
        assert stream == 1, "the default stream"
        carried = self.array.view(np.uint8) if self.array.dtype == bool else self.array
        capsule = carried.__dlpack__()
        contents = ctypes.pythonapi.PyCapsule_GetPointer
        contents.restype, contents.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        place = contents(capsule, b"dltensor")
        ctypes.c_int32.from_address(place + 8).value = 2
        if self.array.dtype == bool:
            ctypes.c_uint8.from_address(place + 20).value = 6
        return capsule


def read(result):
    """What lies at a result."""
    face = result.__cuda_array_interface__
    dtype, count = np.dtype(face["typestr"]), int(np.prod(face["shape"]))
    memory = ctypes.string_at(face["data"][0], count * dtype.itemsize) if count else b""
    return np.frombuffer(memory, dtype).reshape(face["shape"])


def same(got, want, where):
    got = np.asarray(got)
    want = np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape), (where, got.dtype, got.shape, want.dtype, want.shape)
    assert got.tobytes() == want.tobytes(), where


def refused(module, kind, words, act):
    try:
        act()
    except getattr(module, kind) as error:
        assert all(word in str(error) for word in words), error
        return
    raise AssertionError(f"{kind} was expected: {words}")


def values(n):
    random = np.random.default_rng(n)
    x = (random.random(n) - 0.5).astype(np.float32)
    return {
        "x": x,
        "d": x.astype(np.float64) / 3,
        "h": x.astype(np.float16),
        "b": (x.view(np.uint32) >> 16).astype(np.uint16),
        "k": x > 0,
        "l": random.integers(-(2**62), 2**62, n),
        "by": 3.5,
        "places": random.integers(0, max(n, 1), 50).astype(np.uint32),
    }


cuda, c = ({name: load(folder, name) for name in ("kinds", "line_index")} for folder in sys.argv[1:3])
for n in SIZES:
    given = values(n)
    if n > 0:
        want = c["kinds"].run(**given)
        for kind in (lambda array: array, Face, Exchanged):
            made = {name: kind(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}
            got = cuda["kinds"].run(**made)
            for name, value in vars(want).items():
                result = getattr(got, name)
                same(result if kind(1) == 1 else read(result), value, (n, kind, name))
    text = np.frombuffer((b"one\ntwo\n\nthree\n" * (n // 15 + 1))[:n], np.uint8).astype(np.uint32)
    for name, value in vars(c["line_index"].run(text)).items():
        same(getattr(cuda["line_index"].run(text), name), value, (n, name))
        same(read(getattr(cuda["line_index"].run(Face(text)), name)), value, (n, name))

kinds, lines = cuda["kinds"], cuda["line_index"]
given = values(64)
later = {**given, "x": Face(values(65)["x"][1:])}
same(read(kinds.run(**later).sums), c["kinds"].run(**{**given, "x": values(65)["x"][1:].copy()}).sums, "an element later")
refused(kinds, "WrongTypeError", ["x must be", "float64"], lambda: kinds.run(**{**given, "x": Face(given["d"])}))
refused(kinds, "GroupwiseError", ["x is not contiguous"], lambda: kinds.run(**{**given, "x": Face(values(128)["x"][::2])}))
packed = np.zeros(64, [("x", np.float32), ("other", np.int16)])["x"]
refused(kinds, "GroupwiseError", ["x is not contiguous"], lambda: kinds.run(**{**given, "x": Face(packed)}))
refused(kinds, "WrongTypeError", ["x", "mask"], lambda: kinds.run(**{**given, "x": Face(given["x"], mask=Face(given["k"]))}))
same(read(kinds.run(**{**given, "x": Face(given["x"], stream=2)}).sums), c["kinds"].run(**given).sums, "queued in another stream")
refused(kinds, "GroupwiseError", ["d has 63"], lambda: kinds.run(**{**given, "d": Exchanged(given["d"][1:].copy())}))
refused(kinds, "WrongTypeError", ["stream"], lambda: kinds.run(**given, stream="first"))
refused(kinds, "WrongTypeError", ["l must be", "list"], lambda: kinds.run(**{**given, "l": [1]}))
same(lines.run(text, stream=0).line, c["line_index"].run(text).line, "a stream")
sys.modules["torch"] = None  # not installed
refused(kinds, "DeviceError", ["kinds", "PyTorch", "pip install"], kinds.torch_operator)
del sys.modules["torch"]
# Code is stored, and is that of the text.
kept = list(Path(kinds._cache()).glob("*.cubin"))
assert len(kept) == 2, kept
