/** A module of Python that builds the emitted file and runs it by pyopencl. */
import type { Manifest, SourceFile } from "@groupwise/core";
import {
  PYTHON_PASS,
  type PythonBackend,
  passesInPython,
  pythonModule,
  tupleInPython,
} from "@groupwise/core/target";

const CODE = `
_cl: Any = importlib.import_module("pyopencl")
_cl_array: Any = importlib.import_module("pyopencl.array")
_memoize: Any = importlib.import_module("pyopencl.tools").first_arg_dependent_memoize


class _OnDevice(Protocol):
    """A pyopencl.array.Array."""

    @property
    def base_data(self) -> Any: ...

    @property
    def queue(self) -> Any: ...


class _Device(_Host):
    """A queue. Arrays are buffers; results stay on the device if an array of the caller is there."""

    def __init__(self, values: Sequence[Any], queue: Any) -> None:
        here = [value for value in values if isinstance(value, _cl_array.Array)]
        super().__init__([] if here else values)
        self.keeps = bool(here)
        queues = [queue, *(value.queue for value in here)]
        self.queue = next((one for one in queues if one is not None), None) or _default_queue()
        self.kernels = _kernels(self.queue.context)
        self.events: List[Any] = []  # what the next command waits for

    def take(self, array: _Array, name: str, value: Any) -> _Taken:
        if not isinstance(value, _cl_array.Array):
            shape, given = super().take(array, name, value)
            buffer = self.buffer(given.nbytes)
            if given.size:
                _cl.enqueue_copy(self.queue, buffer, given, is_blocking=True)
            return _Taken(shape, buffer)
        self.fit(array, name, value, array.memory, value.flags.c_contiguous)
        if value.context != self.queue.context:
            raise WrongTypeError(f"{name} is of another context than the queue")
        self.events += value.events
        if value.size == 0:
            return _Taken(value.shape, self.buffer(0))
        if value.offset:  # kernels take whole buffers
            return _Taken(value.shape, self.copied(value.base_data, value.nbytes, value.offset))
        return _Taken(value.shape, value.base_data)

    def buffer(self, size: int) -> Any:
        return _cl.Buffer(self.queue.context, _cl.mem_flags.READ_WRITE, size=_whole(size))

    def copied(self, source: Any, size: int, offset: int = 0) -> Any:
        made = self.buffer(size)
        given = {"src_offset": offset, "byte_count": size, "wait_for": self.events}
        self.events = [_cl.enqueue_copy(self.queue, made, source, **given)]
        return made

    def copy(self, array: _Array, memory: Any) -> Any:
        return self.copied(memory, memory.size)

    def make(self, array: _Array, elements: int) -> Any:
        made = self.buffer(elements * np.dtype(array.memory).itemsize)
        if array.cleared:
            zeros = np.zeros(16, np.uint8)
            self.events.append(_cl.enqueue_fill_buffer(self.queue, made, zeros, 0, made.size))
        return made

    def execute(self, memory: Mapping[str, Any], scalars: Mapping[str, Any], v: _Numbers) -> None:
        for row in _PASSES:
            groups = row.groups(v)
            if groups <= 0:
                continue
            given = [*(scalars[name] for name in row.scalars), *(memory[name] for name in row.arrays)]
            kernel = self.kernels[row.kernel]
            with _lock:  # a kernel stores its arguments
                for i, one in enumerate(given):
                    kernel.set_arg(i, one)
                sizes = ((groups * row.size,), (row.size,))
                event = _cl.enqueue_nd_range_kernel(self.queue, kernel, *sizes, wait_for=self.events)
            self.events = [event]

    def read(self, array: _Array, memory: Any, count: int) -> NDArray[Any]:
        made = np.empty(count, array.memory)
        if count > 0:
            _cl.enqueue_copy(self.queue, made, memory, wait_for=self.events, is_blocking=True)
        return made

    def result(self, array: _Array, memory: Any, shape: Tuple[int, ...]) -> Any:
        if not self.keeps:
            return super().result(array, self.read(array, memory, math.prod(shape)), shape)
        made = _cl_array.Array(self.queue, shape, np.dtype(array.memory), data=memory)
        for event in self.events:
            made.add_event(event)
        return made


_lock = threading.Lock()


def _whole(size: int) -> int:
    """Bytes that are filled 16 at a time, at least as many."""
    return max(-(-size // 16), 1) * 16


@functools.lru_cache(maxsize=1)
def _default_queue() -> Any:
    try:
        return _cl.CommandQueue(_cl.create_some_context(interactive=False))
    except _cl.Error as error:
        raise DeviceError(f"no device can be opened: {error}") from error


def _built(context: Any) -> Dict[str, Any]:
    """The kernels of a context by name."""
    for device in context.devices:
        has = {
            "fp64": "cl_khr_fp64" in device.extensions.split(),
            "fp16": "cl_khr_fp16" in device.extensions.split(),
            "correctly-rounded-divide": device.single_fp_config
            & _cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT,
        }
        # Whether work-items of a subgroup are consecutive only a test shows, which this module does not have.
        lacks = [name for name in _REQUIRES if not has.get(name)]
        if lacks:
            raise DeviceError(f"this module does not run {', '.join(lacks)} on {device.name}")
    source = Path(__file__).with_name(_SOURCE)
    try:
        text = source.read_text(encoding="utf-8")
        program = _cl.Program(context, text).build(options=list(_OPTIONS))
        return {row.kernel: _cl.Kernel(program, row.kernel) for row in _PASSES}
    except OSError as error:
        raise DeviceError(f"the emitted file {source} must be beside the module: {error}") from error
    except _cl.Error as error:
        raise DeviceError(f"the program cannot be built: {error}") from error


_kernels: Any = _memoize(_built)
`;

const QUEUE = {
  name: "queue",
  hint: "Any",
  initial: "None",
  about:
    "a pyopencl.CommandQueue; by default that of the first array on a device, or else one that pyopencl chooses, by PYOPENCL_CTX if it is set",
};

const names = (items: readonly string[]): string => tupleInPython(items.map((item) => JSON.stringify(item)));

/** The text of `<name>.py`. */
export function printPython(manifest: Manifest, command: string): SourceFile {
  const backend: PythonBackend = {
    about: [
      "emitted OpenCL C on arrays of pyopencl, which stay on the device, and on arrays of NumPy, PyTorch, and",
      "all others on the CPU that have DLPack, __array_interface__ or a buffer, which are copied there and back.",
    ],
    imports: ["functools", "importlib", "threading"],
    libraries: ["pyopencl", "pytools", "mako", "appdirs", "platformdirs", "siphash24", "six"],
    options: [QUEUE],
    names: [],
    bound: "Union[_Exchangeable, _OnDevice]",
    code: [PYTHON_PASS, CODE],
    tables: [
      `_SOURCE = ${JSON.stringify(`${manifest.pipeline}.cl`)}`,
      `_OPTIONS = ${names(String(manifest.flags.buildOptions).split(" "))}`,
      `_REQUIRES: Tuple[str, ...] = ${names(manifest.requires)}`,
      ...passesInPython(manifest),
    ],
  };
  return pythonModule(manifest, command, backend);
}
