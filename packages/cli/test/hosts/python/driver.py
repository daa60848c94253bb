"""Runs the jobs of a file with the modules beside the emitted files, then the checks of modules: driver.py JOBS C OPENCL."""

import importlib.util
import inspect
import struct
import sys
from pathlib import Path

import checks
import numpy as np
import tensors

FORMATS = {"bool": "?", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e", "f32": "f", "f64": "d"}
DTYPES = {"bf16": "u2", "bool": "?"}
modules = {}


def load(folder, pipeline):
    """The module of a pipeline in a folder, once."""
    name = pipeline.replace("-", "_")
    (path,) = [path for path in (folder / f"{name}.py", folder / f"{name}_.py") if path.exists()]
    if path not in modules:
        spec = importlib.util.spec_from_file_location(f"{folder.name}.{path.stem}", path)
        modules[path] = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(modules[path])
    return modules[path]


def run(module, values, **options):
    """The results of a run by the names of the pipeline."""
    known = inspect.signature(module.run).parameters
    results = module.run(
        **{f"{name}_" if f"{name}_" in known else name: value for name, value in values.items()}, **options
    )
    return {name[:-1] if name.endswith("_") else name: value for name, value in vars(results).items()}


def others(module, values):
    """The same values as arrays of another library, and what makes arrays of NumPy of its results."""
    if hasattr(module, "load"):
        made = {name: tensors.Tensor(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}
        return made, lambda result, like: (isinstance(result, tensors.Tensor), result.array)
    from pyopencl import array

    queue = checks.queue()

    def on_device(value):
        # A bool is a number of 32 bits there.
        return array.to_device(queue, value.astype("u4") if value.dtype == bool else value)

    made = {name: on_device(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}
    return made, lambda result, like: (isinstance(result, array.Array), result.get().astype(like.dtype))


def run_job(module, values, options, out):
    if not hasattr(module, "load"):
        options = {**options, "queue": checks.queue()}
    results = run(module, values, **options)
    for name, value in results.items():
        np.asarray(value).tofile(out / name)
    made, back = others(module, values)
    if any(isinstance(value, np.ndarray) for value in values.values()):
        for name, value in run(module, made, **options).items():
            is_kept, array = back(value, np.asarray(results[name]))
            assert is_kept, (name, type(value))
            assert array.shape == np.shape(results[name]), (name, array.shape)
            assert array.tobytes() == np.asarray(results[name]).tobytes(), name


if __name__ == "__main__":
    values, options = {}, {}
    for line in Path(sys.argv[1]).read_text().splitlines():
        word, *rest = line.split()
        if word == "job":
            pipeline, values, options = rest[0], {}, {}
        elif word == "array":
            values[rest[0]] = np.fromfile(rest[2], DTYPES.get(rest[1]) or f"{rest[1][0]}{int(rest[1][1:]) // 8}")
        elif word == "number":
            bits = int(rest[2]).to_bytes(8, "little")
            (values[rest[0]],) = struct.unpack_from("<" + FORMATS[rest[1]], bits)
        elif word in ("size", "offset"):
            options[word] = tuple(map(int, rest))
        elif word == "run":
            module, out = load(Path(rest[1]).parent, pipeline), Path(rest[2])
            try:
                run_job(module, values, options, out)
            except (module.GroupwiseError, TypeError) as error:
                (out / "error").write_text(str(error))
    checks.check(*(lambda name, folder=Path(folder): load(folder, name) for folder in sys.argv[2:4]))
