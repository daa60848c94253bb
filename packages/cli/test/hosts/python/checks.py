"""Checks of modules besides the results of runs: kinds of arrays, errors, libraries and queues."""

import array
import ctypes
import functools
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyopencl
import pyopencl.array
from tensors import Tensor, bfloat16

TEXT = np.frombuffer(b"one\ntwo\nthree\n", np.uint8)


@functools.lru_cache(maxsize=1)
def queue():
    """A queue of the context in which modules run."""
    return pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))


@contextmanager
def refused(module, kind, *words):
    try:
        yield
    except getattr(module, kind) as error:
        assert isinstance(error, module.GroupwiseError) and isinstance(error, ValueError)
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError(f"{kind} was expected")


@contextmanager
def environment(**values):
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def check(c, opencl):
    for module in (c, opencl):
        check_arrays(module)
        check_refusals(module)
        check_shapes(module("tiles"))
    check_bfloat16(c("halves"))
    check_in_place(c("in-place"))
    check_library(c("line-index"), c("in-place"))
    check_queue(opencl)


def check_arrays(module):
    """Any array is taken; results are NumPy's if no library of arrays is involved."""
    lines = module("line-index")
    want = lines.run(TEXT)
    assert type(want.lines) is np.uint32 and want.lines == 3
    memory = (ctypes.c_uint8 * TEXT.size).from_buffer_copy(TEXT)
    for text in (TEXT.tobytes(), bytearray(TEXT), memoryview(TEXT), array.array("B", TEXT.tobytes()), memory):
        assert np.array_equal(lines.run(text=text).line, want.line), type(text)
    most = module("weighted").run(array.array("f", [1, 5, 2]), np.ones(3, np.float32), scale=1).most
    assert type(most) is np.float32 and most == 5


def check_refusals(module):
    lines, weighted = module("line-index"), module("weighted")
    assert issubclass(lines.WrongTypeError, TypeError)
    spaced, bytes16 = np.zeros(8, np.uint8)[::2], np.zeros(9, np.uint8)[1:]
    for kind, text, word in (
        ("WrongTypeError", [1, 2], "list"),
        ("WrongTypeError", "text", "str"),
        ("WrongTypeError", None, "NoneType"),
        ("WrongTypeError", TEXT.astype(np.int8), "int8"),
        ("WrongTypeError", TEXT.view(">u2"), ">u2"),
        ("WrongTypeError", Tensor(TEXT, device=2), "not on the CPU"),
        ("WrongTypeError", np.ma.masked_equal(TEXT, 10), "mask"),
        ("GroupwiseError", spaced, "contiguous"),
        ("GroupwiseError", TEXT[:, None], "2 dimensions"),
    ):
        with refused(lines, kind, "line-index", "text", word):
            lines.run(text)
    x = np.ones(3, np.float32)
    with refused(weighted, "GroupwiseError", "w has 2 elements for 3 items"):
        weighted.run(x, x[:2], scale=1)
    with refused(weighted, "WrongTypeError", "scale", "'1'"):
        weighted.run(x, x, scale="1")
    with refused(weighted, "GroupwiseError", "contiguous"):
        weighted.run(bytes16.view(np.float32), np.ones(2, np.float32), scale=1)
    with refused(weighted, "GroupwiseError", "scale is too large"):
        weighted.run(x, x, scale=10**400)
    assert np.isinf(weighted.run(x, x, scale=1e300).sums).all()
    longs = module("longs")
    with refused(longs, "GroupwiseError", "by", str(2**63)):
        longs.run(np.zeros(1, np.int64), np.zeros(1, np.uint64), by=2**63, **{"and_": 0})
    rows = module("kept")
    with refused(rows, "ScatterError", "outside of kept"):
        rows.run(np.full(5, 200, np.int16), most=2)
    assert issubclass(rows.ScatterError, IndexError)


def check_shapes(tiles):
    """Arrays of several dimensions give the range, and outputs with an element for each item have their shape."""
    x = np.arange(12 * 10, dtype=np.int32).reshape(10, 12)
    shaped, flat = tiles.run(x), tiles.run(x.reshape(-1), size=(12, 10))
    assert shaped.place.shape == (10, 12) and flat.place.shape == (120,)
    assert np.array_equal(shaped.place.reshape(-1), flat.place) and np.array_equal(shaped.sums, flat.sums)
    assert shaped.sums.shape == (6,)
    with refused(tiles, "GroupwiseError", "size must be 2"):
        tiles.run(x.reshape(-1))
    with refused(tiles, "GroupwiseError", "(10, 12)", "(12, 10)"):
        tiles.run(x, size=(10, 12))


def check_bfloat16(halves):
    x, y = np.ones(3, np.float16), np.array([0x3F80, 0x4000, 0x4040], np.uint16)
    bits = halves.run(x, y, by=1.0)
    assert bits.doubled.dtype == np.uint16 and bits.doubled.tolist() == [0x4000, 0x4080, 0x40C0]
    typed = halves.run(Tensor(x), Tensor(y, bfloat16), by=1.0).doubled
    assert typed.dtype == bfloat16 and np.array_equal(typed.array, bits.doubled)


def check_in_place(sums):
    """An input stays as it is, although the output has its array in the emitted code."""
    x = np.ones(5, np.float32)
    assert sums.run(x).y.tolist() == [1, 2, 3, 4, 5] and x.tolist() == [1] * 5
    assert sums.run(x[:0]).y.shape == (0,)


def check_library(lines, in_place):
    """The compiler runs once for a text; a library may be given."""
    with tempfile.TemporaryDirectory() as folder, environment(XDG_CACHE_HOME=folder):
        lines.load()
        kept = list(Path(folder).glob("groupwise-python/*.so"))
        assert len(kept) == 1 and kept[0].parent.stat().st_mode & 0o77 == 0
        with environment(CC="cc -w"):
            lines.load()
        assert len(list(kept[0].parent.iterdir())) == 2
        made = kept[0].stat().st_mtime_ns
        lines.load()
        assert kept[0].stat().st_mtime_ns == made
        kept[0].unlink()  # what is loaded must stay as it is
        kept[0].write_bytes(b"damaged")
        lines.load()
        known = set(kept[0].parent.iterdir())
        assert len(known) == 2
        in_place.load()
        (other,) = set(kept[0].parent.iterdir()) - known
        lines.load(kept[0])
        with environment(**{lines.LIBRARY_VARIABLE: str(kept[0])}, CC="no-such-compiler"):
            lines.load()
        assert lines.run(TEXT).lines == 3
        kept[0].parent.chmod(0o777)
        before = set(kept[0].parent.iterdir())
        with environment(CC="cc -pipe"):
            lines.load()
        assert set(kept[0].parent.iterdir()) == before
        with refused(lines, "DeviceError", "no C compiler", "no-such-compiler"), environment(CC="no-such-compiler"):
            lines.load()
        with refused(lines, "DeviceError", "false failed"), environment(CC="false"):
            lines.load()
        with refused(lines, "DeviceError", "cannot be loaded"):
            lines.load(Path(folder) / "none.so")
        with refused(lines, "DeviceError", "gw_line_index_kernel"):
            lines.load(other)


def check_queue(opencl):
    lines, weighted = opencl("line-index"), opencl("weighted")
    text = pyopencl.array.to_device(queue(), TEXT)
    results = lines.run(text)
    assert results.line.queue is text.queue and results.lines.shape == ()
    assert np.array_equal(lines.run(TEXT, queue=queue()).line, results.line.get())
    # A part of an array, and a result that is an input of the next run.
    assert np.array_equal(lines.run(text[4:]).line.get(), lines.run(TEXT[4:].copy()).line)
    assert lines.run(text[:0]).line.shape == (0,)
    ones = pyopencl.array.to_device(queue(), np.ones(3000, np.float32))
    sums = weighted.run(weighted.run(ones, ones, scale=1).sums, np.ones(3000, np.float32), scale=2).sums
    assert sums.get()[-1] == 3000 * 3001
    unordered = pyopencl.CommandQueue(
        queue().context, properties=pyopencl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    )
    assert np.array_equal(lines.run(text, queue=unordered).line.get(), results.line.get())
    other = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
    with refused(lines, "WrongTypeError", "text", "context"):
        lines.run(text, queue=other)
    with refused(lines, "GroupwiseError", "contiguous"):
        lines.run(text[::2])
