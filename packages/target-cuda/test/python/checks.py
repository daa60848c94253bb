"""Modules for CUDA over libraries of its names on the CPU, beside modules for C of the same pipelines: checks.py CUDA C."""

import contextlib
import ctypes
import gc
import importlib.util
import sys
import types
import weakref
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
    """An array of a GPU with DLPack, which its user wants on a stream; 1 is the default stream."""

    def __init__(self, array, device=0, stream=1):
        self.array, self.device, self.stream = array, device, stream

    def __dlpack_device__(self):
        return (2, self.device)

    def __dlpack__(self, stream):
        assert stream == self.stream, (stream, self.stream)
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
assert len(kept) == 3, kept
same(read(kinds.run(**{**given, "x": Exchanged(given["x"], 2)}).sums), c["kinds"].run(**given).sums, "a GPU that is newer than the compiler")
assert len(list(Path(kinds._cache()).glob("*.ptx"))) == 1


# Libraries of arrays, as far as modules know them.
class Stream:
    def __init__(self, number):
        self.cuda_stream, self.waited = number, []

    def wait_stream(self, other):
        self.waited.append(other.cuda_stream)


class Tensor:
    """A tensor of PyTorch on a GPU."""

    requires_grad, layout, exchanges, recorded = False, "strided", 0, []

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, f"torch.{array.dtype}"

    data_ptr = lambda self: self.array.ctypes.data
    is_contiguous = lambda self: self.array.flags.c_contiguous
    record_stream = lambda self, stream: Tensor.recorded.append((id(self), stream.cuda_stream))
    view = lambda self, dtype: Tensor(self.array.view(dtype.rpartition(".")[2]))
    reshape = lambda self, shape: Tensor(self.array.reshape(shape))
    __getitem__ = lambda self, part: Tensor(self.array[part])
    __dlpack_device__ = lambda self: (2, 0)

    def __dlpack__(self, stream):
        Tensor.exchanges += 1
        return Exchanged(self.array).__dlpack__(1)


Tensor.__module__ = "torch"
torch = types.ModuleType("torch")
for name in ("uint8", "bfloat16", "bool", *{str(np.asarray(one).dtype) for one in values(1).values()}):
    setattr(torch, name, f"torch.{name}")
torch.Tensor, torch.strided, torch.external = Tensor, "strided", []
torch.empty = lambda size, dtype, device: Tensor(np.empty(size, np.uint8))


def external(number):
    torch.external.append(Stream(number))
    return torch.external[-1]


torch.cuda = types.SimpleNamespace(
    current_stream=lambda ordinal: Stream(0),
    current_device=lambda: 0,
    device=lambda ordinal: contextlib.nullcontext(),
    stream=lambda stream: contextlib.nullcontext(),
    ExternalStream=external,
)
sys.modules["torch"] = torch

calls = []


def counted(name, function):
    def act(*arguments):
        calls.append(name)
        return function(*arguments)

    return act


functions = kinds._driver()
functions["cuCtxPushCurrent_v2"](kinds._unit(0).context)
functions.update({name: counted(name, function) for name, function in functions.items()})

tensors = {name: Tensor(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}
arrays = [value for value in tensors.values() if isinstance(value, Tensor)]
for turn in (0, 1):
    calls.clear(), setattr(Tensor, "exchanges", 0)
    got = kinds.run(**tensors)
    for name, value in vars(c["kinds"].run(**given)).items():
        same(getattr(got, name).array, value, ("torch", name))
# One question for the context, one clearing of scratch, and the launches; nothing is exchanged once the types are known.
launches = calls.count("cuLaunchKernel")
assert 0 < launches <= len(kinds._PASSES) and len(calls) <= launches + 2, calls
assert Tensor.exchanges == 0 and not Tensor.recorded
kinds.run(**tensors, stream=7)
assert sorted(Tensor.recorded) == sorted((id(one), 7) for one in arrays), Tensor.recorded
assert [stream.waited for stream in torch.external] == [[0]]
class Given(Tensor):
    requires_grad = True
    def __dlpack__(self, stream):
        raise BufferError("it requires a gradient")
refused(kinds, "WrongTypeError", ["x", "gradient"], lambda: kinds.run(**{**tensors, "x": Given(given["x"])}))


class Named:
    """A stream of CuPy, which is entered to make memory in it."""

    current = []

    def __init__(self, number, maker="Stream"):
        self.ptr, self.maker = number, maker

    def __enter__(self):
        Named.current.append(self)

    def __exit__(self, *_):
        Named.current.pop()

    from_external = classmethod(lambda cls, named: cls(named.__cuda_stream__()[1], "from_external"))


class Block:
    """An array of CuPy, whose memory goes back to the stream in which it was made as soon as nothing has the array."""

    made, ended = [], []
    flags = property(lambda self: self.array.flags)
    dtype, shape = property(lambda self: self.array.dtype), property(lambda self: self.array.shape)
    data = property(lambda self: types.SimpleNamespace(ptr=self.array.ctypes.data))
    view = lambda self, dtype: Block(self.array.view(dtype), False)
    reshape = lambda self, shape: Block(self.array.reshape(shape), False)
    __getitem__ = lambda self, part: Block(self.array[part], False)
    __dlpack_device__ = lambda self: (2, 0)
    __dlpack__ = lambda self, stream: Exchanged(self.array, 0, stream).__dlpack__(stream)

    def __init__(self, array, is_new=True):
        self.array = array
        if is_new:
            Block.made.append(Named.current[-1].ptr)
            weakref.finalize(array, Block.ended.append, Named.current[-1].ptr)


Block.__module__ = "cupy"
cupy = sys.modules["cupy"] = types.ModuleType("cupy")
cupy.ndarray, cupy.empty = Block, lambda size, dtype: Block(np.empty(size, dtype))
cupy.cuda = types.SimpleNamespace(
    Stream=Named,
    ExternalStream=lambda number: Named(number, "ExternalStream"),
    get_current_stream=lambda: Named.current[-1],
    Device=lambda number=0: type("Device", (contextlib.nullcontext,), {"id": number})(),
)


def on_cupy(given):
    return {name: Block(value.copy()) if isinstance(value, np.ndarray) else value for name, value in given.items()}


inputs = len(arrays)
with Named(0):
    # In the current stream nothing is kept, and no more is asked than in that of PyTorch.
    calls.clear()
    got = kinds.run(**on_cupy(given))
    for name, value in vars(c["kinds"].run(**given)).items():
        same(getattr(got, name).array, value, ("cupy", name))
    assert len(calls) <= launches + 2 and not kinds._unit(0).lent, calls
    assert len(Block.ended) == len(Block.made) - len(vars(got)), "inputs and scratch"
    del got
    # In another stream inputs and memory of the run are kept until that stream has passed.
    is_over = functions["cuEventQuery"]
    functions["cuEventQuery"] = lambda event: 600
    Block.made.clear(), Block.ended.clear()
    got = kinds.run(**on_cupy(given), stream=7)
    for name, value in vars(c["kinds"].run(**given)).items():
        same(getattr(got, name).array, value, ("cupy", name))
    assert Block.made[:inputs] == [0] * inputs and set(Block.made[inputs:]) == {7}, Block.made
    del got
    kinds.run(**on_cupy(given))
    assert 7 not in Block.ended and Block.ended.count(0) == Block.made.count(0) - inputs, Block.ended
    functions["cuEventQuery"] = is_over
    kinds.run(**on_cupy(given))
    assert sorted(Block.ended) == sorted(Block.made) and not kinds._unit(0).lent, Block.ended
    # A graph that is being captured is asked nothing, and keeps nothing here.
    functions["cuStreamIsCapturing"] = lambda stream, answer: setattr(answer._obj, "value", 1) or 0
    calls.clear()
    kinds.run(**on_cupy(given), stream=types.SimpleNamespace(__cuda_stream__=lambda: (0, 7)))
    assert not [name for name in calls if "Event" in name] and not kinds._unit(0).lent, calls
    assert kinds._external(cupy.cuda, 7).maker == "from_external"
    del Named.from_external
    assert kinds._external(cupy.cuda, 7).maker == "ExternalStream"


class Buffer:
    """An array of JAX, which takes capsules of DLPack and keeps nothing else."""

    def __init__(self, capsule):
        self.place = kinds._contents(capsule, b"dltensor")
        rename = ctypes.pythonapi.PyCapsule_SetName
        rename.argtypes = (ctypes.py_object, ctypes.c_char_p)
        rename(capsule, b"used_dltensor")
        self.managed = kinds._Managed.from_address(self.place)

    def read(self):
        tensor = self.managed.tensor
        kind = np.dtype("bool" if tensor.code == 6 else f"{'iufxu'[tensor.code]}{tensor.bits // 8}")
        shape = tuple(tensor.shape[: tensor.ndim])
        return np.frombuffer(ctypes.string_at(tensor.data, int(np.prod(shape)) * kind.itemsize), kind).reshape(shape)

    def release(self):
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.managed.deleter)(self.place)


jax = sys.modules["jax.numpy"] = types.ModuleType("jax.numpy")
jax.from_dlpack = lambda value: Buffer(value.__dlpack__(stream=1)) if value.__dlpack_device__() == (2, 0) else None
Array = type("Array", (Exchanged,), {"__module__": "jaxlib"})
calls.clear()
got = vars(kinds.run(**{name: Array(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}))
gc.collect()
# Scratch is released, and results are not.
freed = calls.count("cuMemFreeAsync")
assert calls.count("cuMemAllocAsync") - freed == len(got) == len(kinds._exported), calls
for name, value in vars(c["kinds"].run(**given)).items():
    same(got[name].read(), value, ("jax", name))
    got[name].release()
assert not kinds._exported and calls.count("cuMemFreeAsync") == freed + len(got)
result = kinds.run(**{**given, "x": Face(given["x"])}).sums
capsule = result.__dlpack__()
assert len(kinds._exported) == 1
del capsule
assert not kinds._exported
