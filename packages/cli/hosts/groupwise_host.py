"""Runs files that `groupwise emit` wrote: OpenCL C through pyopencl, C through ctypes, both with numpy.

    import numpy, groupwise_host
    program = groupwise_host.load("out/line-index.cl.json")  # or "out/gw_line-index.c.json"
    results = program.run({"text": numpy.frombuffer(b"one\ntwo\n", numpy.uint8)})
    print(results["starts"])

The manifest, a .json file, lists arrays, scalars and passes; `groupwise schema manifest` describes it.
Arguments that do not fit raise HostError before anything runs.
"""

import ctypes
import json
import math
import operator
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

import numpy as np

# The types of a manifest: those of arrays of the caller, and those in memory. Of a bf16 the bits are passed.
DTYPES = {
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "bf16": np.uint16,
    "i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bool": np.bool_,
}  # fmt: skip
# The types of arguments of C functions.
CTYPES = {
    "i32": ctypes.c_int32, "u32": ctypes.c_uint32, "i64": ctypes.c_int64, "u64": ctypes.c_uint64,
    "u16": ctypes.c_uint16, "f32": ctypes.c_float, "f64": ctypes.c_double, "bool": ctypes.c_bool,
    "size": ctypes.c_size_t,
}  # fmt: skip
OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "min": min, "max": max,
    "floor-div": operator.floordiv, "ceil-div": lambda a, b: -(-a // b),
}  # fmt: skip


class HostError(Exception):
    """A run, a manifest or a device that does not fit; the message says why."""


def load(path, *, queue=None, library=None):
    """The program of a manifest.

    queue: a pyopencl.CommandQueue for OpenCL C; by default one is made with pyopencl.create_some_context.
    library: the file of the compiled C; by default the C compiler, $CC or cc, makes a temporary one.
    """
    path = Path(path)
    manifest = json.loads(path.read_text(encoding="utf-8"))
    if manifest.get("format") != "groupwise-manifest" or manifest.get("version") != 2:
        raise HostError(f"{path} is not a manifest of version 2")
    if manifest["target"] == "opencl":
        return Program(manifest, OpenCL(manifest, path.parent, queue))
    if manifest["target"] == "c":
        return Program(manifest, C(manifest, path.parent, library))
    raise HostError(f"{path} is of the target {manifest['target']}; this host runs opencl and c")


class Program:
    """A pipeline on a device. `manifest` is the parsed manifest."""

    def __init__(self, manifest, device):
        self.manifest = manifest
        self.device = device

    def run(self, values, size=None, offset=None):
        """Runs the pipeline and returns a dict with an array for each output.

        values: an array for each input and table, a number or bool for each parameter, by name.
        size: the number of items, or a tuple with that of each dimension, dimension 0 first. A range of one
            dimension is by default as long as the inputs.
        offset: the first global id, or a tuple with that of each dimension; by default 0.
        """
        run = Run(self.manifest, values, size, offset)
        self.device.execute(run)
        return run.results()


class Run:
    """One run: its checked arguments, and its arrays as bytes in `memory`, by name."""

    def __init__(self, manifest, values, size, offset):
        self.manifest = manifest
        bindings = manifest["bindings"]
        inputs = {b.get("inPlace", b["name"]): b for b in bindings if b["role"] == "input" or "inPlace" in b}
        tables = {b["name"]: b for b in bindings if b["role"] == "table"}
        users = [p.get("from", p) for p in manifest["params"] if p["role"] == "user"]
        types = {p["name"]: p["type"] for p in users}
        expected = [*inputs, *tables, *types]
        for name in values:
            self.require(name in expected, f"there is no {name}; expected: {', '.join(expected)}")
        for name in expected:
            self.require(name in values, f"{name} is missing")
        arrays = {name: self.array(name, b, values[name]) for name, b in {**inputs, **tables}.items()}
        params = {name: self.scalar(name, type, values[name]) for name, type in types.items()}
        self.set_range({name: len(arrays[name]) for name in inputs}, size, offset)
        for name in tables:
            self.require(len(arrays[name]) <= manifest["maxItems"], f"the table {name} is too long")
            self.variables["length", name] = len(arrays[name])
        self.variables.update({("param", name): int(x) for name, x in params.items() if types[name] == "u32"})
        self.scalars = {p["name"]: self.launched(p, params) for p in manifest["params"]}
        self.check_sizes()
        self.memory = {b["name"]: np.zeros(self.value(b["bytes"]), np.uint8) for b in bindings}
        for name, binding in {**inputs, **tables}.items():
            given = np.frombuffer(to_memory(binding, arrays[name]).tobytes(), np.uint8)
            self.memory[binding["name"]][: len(given)] = given

    def require(self, holds, problem):
        if not holds:
            raise HostError(f"{self.manifest['pipeline']}: {problem}")

    def array(self, name, binding, value):
        dtype = np.dtype(DTYPES[binding["type"]])
        fits = isinstance(value, np.ndarray) and value.dtype == dtype
        got = getattr(value, "dtype", type(value).__name__)
        self.require(fits, f"{name} must be a numpy array of {dtype}, not {got}")
        return value.reshape(-1)

    def scalar(self, name, type, value):
        dtype = np.dtype(DTYPES[type])
        wanted = {"b": (bool, np.bool_), "i": (int, np.integer), "u": (int, np.integer)}.get(
            dtype.kind, (int, float, np.integer, np.floating)
        )
        fits = isinstance(value, wanted) and (dtype.kind == "b" or not isinstance(value, bool))
        if fits and dtype.kind in "iu":
            fits = np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
        self.require(fits, f"the parameter {name} must be a value of {type}, not {value!r}")
        with np.errstate(over="ignore"):  # as in other hosts, too large a number is infinite
            return np.array(value, dtype)[()]

    def set_range(self, lengths, size, offset):
        """Finds and checks the range: n, and the sides by their names in formulas."""
        dimensions = len(self.manifest["workGroupSize"])
        if size is None and dimensions == 1 and lengths:
            size = next(iter(lengths.values()))
        self.require(size is not None, f"pass size: {dimensions} number(s) of items")
        sides = size if isinstance(size, tuple) else (size,)
        offsets = (0,) * dimensions if offset is None else offset if isinstance(offset, tuple) else (offset,)
        for what, list in (("size", sides), ("offset", offsets)):
            fits = len(list) == dimensions and all(isinstance(x, (int, np.integer)) and x >= 0 for x in list)
            self.require(fits, f"{what} must be {dimensions} whole number(s), not {list}")
        n = math.prod(map(int, sides))
        for name, length in lengths.items():
            self.require(length == n, f"{name} has {length} elements for {n} items")
        self.require(n <= self.manifest["maxItems"], f"{n} items are too many")
        for side, first in zip(sides, offsets):
            self.require(first + max(side, 1) <= 2**32, "the last global id is past 2^32")
        self.sides, self.offsets = [int(x) for x in sides], [int(x) for x in offsets]
        self.variables = {"n": n, **dict(zip(("size_x", "size_y", "size_z"), self.sides))}

    def launched(self, param, params):
        """The value of a scalar of the manifest, in its type in memory."""
        role, word = param["role"], param.get("from")
        if role == "user" and word:
            raw = params[word["name"]].tobytes().ljust(8, b"\0")
            value = np.frombuffer(raw, "<u4")[word["word"]]
        elif role == "user":
            value = params[param["name"]]
        elif role == "table-length":
            value = self.variables["length", param["table"]]
        else:
            at = param.get("dimension", 0)
            n, side, first = self.variables["n"], self.sides[at], self.offsets[at]
            value = {"length": n, "size": side, "offset": first, "zero": 0}[role]
        if param.get("divides"):
            n = self.variables["n"]
            problem = f"{param['name']} is {value}, which does not divide {n} items"
            self.require(value > 0 and n % value == 0, problem)
        return np.array(value, DTYPES[param["memory"]])[()]

    def check_sizes(self):
        """Kernels compute capacities in u32, so that every part of one must be in u32."""
        for b in self.manifest["bindings"]:
            is_empty = b.get("needsItems", False) and self.variables["n"] == 0
            self.require(not is_empty, f"{b['name']} needs an item, but the range is empty")
            if b.get("scatter"):
                sizes = [self.value(part) for part in parts_of(b["elements"])]
                fits = all(x is not None and 0 <= x < 2**32 for x in sizes)
                fits = fits and sizes[-1] <= self.manifest["maxItems"]
                self.require(fits, f"{b['name']} cannot have this capacity")

    def value(self, formula):
        """A formula of the manifest as a number; None if it divides by 0."""
        if isinstance(formula, int):
            return formula
        if isinstance(formula, str):
            return self.variables[formula]
        if "op" not in formula:
            return self.variables[next(iter(formula.items()))]
        a, b = (self.value(arg) for arg in formula["args"])
        if a is None or b is None or (b == 0 and "div" in formula["op"]):
            return None
        return OPERATORS[formula["op"]](a, b)

    def results(self):
        """The outputs after the passes, or the reason why they have no meaning."""
        bindings = self.manifest["bindings"]
        scatters = [b["name"] for b in bindings if b.get("scatter")]
        for b in bindings:
            if b["role"] == "status":
                bits = np.unpackbits(self.memory[b["name"]], bitorder="little")
                outside = [scatters[i] if i < len(scatters) else f"check {i}" for i in np.flatnonzero(bits)]
                self.require(not outside, f"an item was written outside of {', '.join(outside)}")
        outputs = {b["name"]: b for b in bindings if b["role"] == "output"}
        arrays = {n: from_memory(b, self.memory[n], self.value(b["elements"])) for n, b in outputs.items()}
        lengths = {n: arrays[b["lengthFrom"]][0] for n, b in outputs.items() if "lengthFrom" in b}
        return {n: arrays[n][: lengths.get(n)] for n, b in outputs.items() if not b.get("hidden")}


def parts_of(formula):
    """The parts of a formula in the order of evaluation, and the formula itself as the last."""
    for arg in formula.get("args", []) if isinstance(formula, dict) else []:
        yield from parts_of(arg)
    yield formula


def to_memory(binding, array):
    """An array of the caller as it lies in memory: a bool or f16 may be a number of another size there."""
    return array if array.itemsize == binding["bytesPerElement"] else array.astype(DTYPES[binding["memory"]])


def from_memory(binding, memory, elements):
    dtype, used = np.dtype(DTYPES[binding["type"]]), memory[: elements * binding["bytesPerElement"]]
    is_same = dtype.itemsize == binding["bytesPerElement"]
    return used.view(dtype) if is_same else used.view(DTYPES[binding["memory"]]).astype(dtype)


class OpenCL:
    """Runs kernels of OpenCL C on a queue."""

    def __init__(self, manifest, folder, queue):
        import pyopencl

        self.cl = pyopencl
        self.queue = queue or pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
        device = self.queue.device
        extensions = device.extensions.split()
        has = {
            "fp64": "cl_khr_fp64" in extensions,
            "fp16": "cl_khr_fp16" in extensions,
            "correctly-rounded-divide": device.single_fp_config
            & pyopencl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT,
        }
        # Whether work-items of a subgroup are consecutive only a test shows, which this host does not have.
        lacks = [name for name in manifest["requires"] if not has.get(name)]
        if lacks:
            problem = f"this host does not run {', '.join(lacks)} on {device.name}"
            raise HostError(f"{manifest['pipeline']}: {problem}")
        options = str(manifest["flags"]["buildOptions"]).split()
        programs = {}
        for file in {p["file"] for p in manifest["passes"]}:
            text = (folder / file).read_text(encoding="utf-8")
            programs[file] = pyopencl.Program(self.queue.context, text).build(options)
        self.kernels = [pyopencl.Kernel(programs[p["file"]], p["entryPoint"]) for p in manifest["passes"]]

    def execute(self, run):
        cl, buffers = self.cl, {}
        for b in run.manifest["bindings"]:
            flags, memory = cl.mem_flags.READ_WRITE, run.memory[b["name"]]
            holds = b["role"] in ("input", "table", "output") or b["cleared"]
            buffers[b["name"]] = (
                cl.Buffer(self.queue.context, flags | cl.mem_flags.COPY_HOST_PTR, hostbuf=memory)
                if holds
                else cl.Buffer(self.queue.context, flags, size=len(memory))
            )
        for kernel, p in zip(self.kernels, run.manifest["passes"]):
            groups, local = run.value(p["groups"]), p["workGroupSize"]
            if groups > 0:
                arrays = [buffers[use["name"]] for use in p["bindings"]]
                kernel.set_args(*(run.scalars[name] for name in p["params"]), *arrays)
                cl.enqueue_nd_range_kernel(self.queue, kernel, (groups * local,), (local,))
        for b in run.manifest["bindings"]:
            if b["role"] in ("output", "status"):
                cl.enqueue_copy(self.queue, run.memory[b["name"]], buffers[b["name"]])


class C:
    """Calls the function of emitted C whose scratch the host makes: it takes every array of the manifest."""

    def __init__(self, manifest, folder, library):
        self.call = next((c for c in manifest["calls"] if c["scratch"] == "host"), None)
        if self.call is None:
            raise HostError(f"{manifest['pipeline']}: it has no function whose scratch the host makes")
        with tempfile.TemporaryDirectory() as made:
            if library is None:
                library = Path(made) / "library.so"
                sources = sorted({str(folder / p["file"]) for p in manifest["passes"]})
                options = [*str(manifest["flags"]["buildOptions"]).split(), "-O2", "-fPIC", "-shared"]
                compiler = [*shlex.split(os.environ.get("CC", "cc")), *options]
                subprocess.run([*compiler, *sources, "-o", str(library)], check=True)
            self.function = getattr(ctypes.CDLL(os.path.abspath(library)), self.call["function"])
        self.function.restype = None

    def execute(self, run):
        def given(argument):
            if "array" in argument:
                return ctypes.c_void_p(run.memory[argument["name"]].ctypes.data)
            return CTYPES[argument["scalar"]](run.scalars[argument["name"]].item())

        self.function(*map(given, self.call["arguments"]))
