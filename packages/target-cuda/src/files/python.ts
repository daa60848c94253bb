/** A module of Python that compiles the emitted file by NVRTC and runs it on arrays of a GPU, by ctypes. */
import type { Manifest, SourceFile } from "@groupwise/core";
import {
  argumentInPython,
  inputsOf,
  PYTHON_CACHE,
  PYTHON_PASS,
  type PythonBackend,
  passesInPython,
  pythonModule,
  tablesOf,
  tupleInPython,
  userParams,
} from "@groupwise/core/target";

/** The libraries of CUDA, and a device with the kernels of the pipeline. */
const DEVICE = `
def _opened(what: str, names: Sequence[str]) -> Any:
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    raise DeviceError(f"{what} cannot be loaded (tried {', '.join(names)})")


@functools.lru_cache(maxsize=1)
def _driver() -> Any:
    library = _opened("the driver of an NVIDIA GPU", ("libcuda.so.1", "nvcuda.dll"))
    status = library.cuInit(0)
    if status != 0:
        raise DeviceError(f"cuInit returned {status}: there is no GPU, or its driver does not run")
    return library


@functools.lru_cache(maxsize=1)
def _compiler() -> Any:
    names = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "nvrtc64_130_0.dll", "nvrtc64_120_0.dll"]
    # Packages such as nvidia-cuda-nvrtc have it in a folder of their own.
    for folder in sys.path:
        names += sorted(map(str, Path(folder or ".").glob("nvidia/*/lib/libnvrtc.so.*")), reverse=True)
    names.append(f"{os.environ.get('CUDA_PATH', '/usr/local/cuda')}/lib64/libnvrtc.so")
    return _opened("NVRTC, the compiler of CUDA", names)


def _call(name: str, *arguments: Any) -> None:
    status = getattr(_driver(), name)(*arguments)
    if status != 0:
        text = ctypes.c_char_p()
        _driver().cuGetErrorName(status, ctypes.byref(text))
        raise DeviceError(f"{name} returned {(text.value or str(status).encode()).decode()}")


def _attribute(number: int, device: ctypes.c_int) -> int:
    value = ctypes.c_int()
    _call("cuDeviceGetAttribute", ctypes.byref(value), number, device)
    return value.value


class _Unit:
    """A GPU with its primary context, which libraries of arrays use, and the kernels of the pipeline."""

    def __init__(self, ordinal: int) -> None:
        device = ctypes.c_int()
        _call("cuDeviceGet", ctypes.byref(device), ordinal)
        self.context = ctypes.c_void_p()
        _call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.ordinal = ordinal
        # Numbers of cuda.h: the compute capability.
        self.architecture = 10 * _attribute(75, device) + _attribute(76, device)
        code = _code(self.architecture)
        module, self.kernels = ctypes.c_void_p(), {}
        self.call("cuModuleLoadData", ctypes.byref(module), code)
        for row in _PASSES:
            self.kernels[row.kernel] = ctypes.c_void_p()
            self.call("cuModuleGetFunction", ctypes.byref(self.kernels[row.kernel]), module, row.kernel.encode())

    def call(self, name: str, *arguments: Any) -> None:
        """A call in the context of the GPU, which is current already in most threads."""
        current = ctypes.c_void_p()
        _call("cuCtxGetCurrent", ctypes.byref(current))
        if current.value == self.context.value:
            _call(name, *arguments)
            return
        _call("cuCtxPushCurrent_v2", self.context)
        try:
            _call(name, *arguments)
        finally:
            _call("cuCtxPopCurrent_v2", ctypes.byref(current))


_units: Dict[int, _Unit] = {}
_lock = threading.Lock()


def _unit(ordinal: int) -> _Unit:
    with _lock:
        if ordinal not in _units:
            _units[ordinal] = _Unit(ordinal)
        return _units[ordinal]


def _code(architecture: int) -> bytes:
    """Code for a GPU: the one in the cache if it was made from the same text by the same compiler."""
    source = Path(__file__).with_name(_SOURCE)
    try:
        text = source.read_bytes()
    except OSError as error:
        raise DeviceError(f"the emitted file {source} must be beside the module: {error}") from error
    major, minor = ctypes.c_int(), ctypes.c_int()
    _compiler().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    named = f"nvrtc {major.value}.{minor.value} sm_{architecture} {' '.join(_OPTIONS)}".encode()
    folder = _cache()
    kept = None if folder is None else folder / f"{hashlib.sha256(named + text).hexdigest()}.cubin"
    if kept is not None and kept.exists():
        return kept.read_bytes()
    code = _compiled(text, architecture)
    if kept is not None:
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as made:
            made.write(code)
        os.replace(made.name, kept)
    return code


def _compiled(text: bytes, architecture: int) -> bytes:
    nvrtc, program = _compiler(), ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, _SOURCE.encode(), 0, None, None)

    def output(name: str) -> bytes:
        size = ctypes.c_size_t()
        getattr(nvrtc, f"{name}Size")(program, ctypes.byref(size))
        made = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, name)(program, made)
        return made.raw

    options = [*_OPTIONS, f"--gpu-architecture=sm_{architecture}"]
    try:
        status = nvrtc.nvrtcCompileProgram(
            program, len(options), (ctypes.c_char_p * len(options))(*map(str.encode, options))
        )
        if status != 0:
            log = output("nvrtcGetProgramLog").rstrip(b"\\0").decode(errors="replace").strip()
            raise DeviceError(f"NVRTC does not compile {_SOURCE}: {log or f'status {status}'}")
        return output("nvrtcGetCUBIN")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
`;

/** Arrays of a GPU, of any library. */
const ARRAYS = `
class _DlTensor(ctypes.Structure):
    """DLTensor of DLPack."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


_KINDS = {0: "i", 1: "u", 2: "f", 4: "u", 6: "b"}  # of DLPack: integers, floats, bfloat16 and bools
_ON_GPU = (2, 13)  # of DLPack: memory of CUDA, and managed memory
_contents: Any = ctypes.pythonapi.PyCapsule_GetPointer
_contents.restype, _contents.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


class _View(NamedTuple):
    """An array in memory of a GPU."""

    pointer: int
    shape: Tuple[int, ...]
    dtype: Any
    is_plain: bool
    is_bfloat16: bool
    owner: Any

    @property
    def ndim(self) -> int:
        return len(self.shape)


def _is_on_gpu(value: Any) -> bool:
    if hasattr(value, "__dlpack_device__"):
        return tuple(value.__dlpack_device__())[0] in _ON_GPU
    return hasattr(value, "__cuda_array_interface__")


def _ordinal(value: Any) -> Optional[int]:
    """The number of the GPU that has the memory of an array; None if the array is empty and does not say."""
    if hasattr(value, "__dlpack_device__"):
        return int(tuple(value.__dlpack_device__())[1])
    number = ctypes.c_int()
    pointer = value.__cuda_array_interface__["data"][0]
    if not pointer:
        return None
    _call("cuPointerGetAttribute", ctypes.byref(number), 9, ctypes.c_uint64(pointer))  # its device's ordinal
    return number.value


def _view(value: Any, name: str, device: _Device) -> _View:
    """What lies where, once the stream has it. Libraries have 1 for the default stream, which is 0 in CUDA."""
    try:
        if not hasattr(value, "__dlpack__"):
            face = value.__cuda_array_interface__
            given, sides, strides = np.dtype(face["typestr"]), tuple(face["shape"]), face.get("strides")
            if face.get("mask") is not None:
                raise TypeError("it has a mask, which would be ignored")
            # Its library may have queued work on it in another stream.
            if face.get("stream") not in (None, device.stream or 1):
                device.unit.call("cuStreamSynchronize", ctypes.c_void_p(face["stream"]))
            return _View(face["data"][0], sides, given, _is_plain(sides, strides, given.itemsize), False, value)
        capsule = value.__dlpack__(stream=device.stream or 1)
    except Exception as error:
        raise WrongTypeError(f"{name}, a {type(value).__name__}, cannot be read: {error}") from error
    tensor = _DlTensor.from_address(_contents(capsule, b"dltensor"))
    shape = tuple(tensor.shape[: tensor.ndim])
    steps = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else None
    if tensor.lanes != 1 or tensor.code not in _KINDS:
        raise WrongTypeError(f"{name} has elements of the kind {tensor.code} of DLPack")
    kind = _KINDS[tensor.code]
    dtype: Any = np.dtype("bool" if kind == "b" else f"{kind}{tensor.bits // 8}")
    pointer = (tensor.data or 0) + tensor.offset
    # The capsule holds the memory, and is not consumed.
    return _View(pointer, shape, dtype, _is_plain(shape, steps), tensor.code == 4, capsule)


def _is_plain(shape: Tuple[int, ...], steps: Optional[Tuple[int, ...]], unit: int = 1) -> bool:
    wanted = unit
    if 0 in shape:
        return True
    for side, step in zip(shape[::-1], (steps or ())[::-1]):
        if side > 1 and step != wanted:
            return False
        wanted *= side
    return True


class _Memory:
    """Memory of the GPU that no library of arrays owns. It is released when its stream reaches that place."""

    def __init__(self, unit: _Unit, stream: int, size: int) -> None:
        self.unit, self.stream, self.size = unit, stream, size
        self.pointer = ctypes.c_uint64()
        unit.call("cuMemAllocAsync", ctypes.byref(self.pointer), ctypes.c_size_t(size), ctypes.c_void_p(stream))

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # At the end of the process, the driver releases it.
        if self.pointer.value and not is_finalizing():
            self.unit.call("cuMemFreeAsync", self.pointer, ctypes.c_void_p(self.stream))


class _Held(NamedTuple):
    """Memory of a run: an array of bytes of the library, or of this module."""

    pointer: int
    size: int
    owner: Any


class _Result:
    """A result for libraries that take __cuda_array_interface__. All work on it is done."""

    def __init__(self, held: _Held, shape: Tuple[int, ...], dtype: str) -> None:
        self._held = held
        data = (held.pointer if math.prod(shape) else 0, False)
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": np.dtype(dtype).str,
            "data": data,
            "version": 3,
        }


class _Torch:
    """PyTorch as the owner of memory of a run."""

    def __init__(self, library: Any, unit: _Unit, stream: Any) -> None:
        current = library.cuda.current_stream(unit.ordinal).cuda_stream
        self.library, self.unit = library, unit
        self.stream = current if stream is None else _stream(stream)
        self.is_current = current == self.stream and library.cuda.current_device() == unit.ordinal

    def empty(self, size: int) -> _Held:
        library = self.library
        if self.is_current:
            made = library.empty(size, dtype=library.uint8, device="cuda")
        else:
            with library.cuda.device(self.unit.ordinal), library.cuda.stream(library.cuda.ExternalStream(self.stream)):
                made = library.empty(size, dtype=library.uint8, device="cuda")
        return _Held(made.data_ptr(), size, made)

    def shaped(self, device: _Device, array: _Array, memory: _Held, shape: Tuple[int, ...]) -> Any:
        is_bfloat16 = array.type == "bf16" and device.bfloat16 is not None
        dtype = device.bfloat16 if is_bfloat16 else getattr(self.library, array.dtype)
        return memory.owner[: _bytes(array, shape)].view(dtype).reshape(shape)


class _Cupy:
    """CuPy as the owner of memory of a run."""

    def __init__(self, library: Any, unit: _Unit, stream: Any) -> None:
        current = library.cuda.get_current_stream()
        self.library, self.unit = library, unit
        self.stream = _stream(current if stream is None else stream)
        self.is_current = current.ptr == self.stream and library.cuda.Device().id == unit.ordinal

    def empty(self, size: int) -> _Held:
        library = self.library
        if self.is_current:
            made = library.empty(size, "u1")
        else:
            with library.cuda.Device(self.unit.ordinal), library.cuda.ExternalStream(self.stream):
                made = library.empty(size, "u1")
        return _Held(made.data.ptr, size, made)

    def shaped(self, device: _Device, array: _Array, memory: _Held, shape: Tuple[int, ...]) -> Any:
        return memory.owner[: _bytes(array, shape)].view(array.dtype).reshape(shape)


class _Other:
    """This module as the owner of memory: results are arrays of Numba, or objects with __cuda_array_interface__."""

    def __init__(self, library: Any, unit: _Unit, stream: Any) -> None:
        self.library, self.unit = library, unit
        self.stream = _stream(0 if stream is None else stream)

    def empty(self, size: int) -> _Held:
        memory = _Memory(self.unit, self.stream, size)
        return _Held(memory.pointer.value, size, memory)

    def shaped(self, device: _Device, array: _Array, memory: _Held, shape: Tuple[int, ...]) -> Any:
        device.queue("cuStreamSynchronize")
        made = _Result(memory, shape, array.dtype)
        return importlib.import_module("numba.cuda").as_cuda_array(made) if self.library == "numba" else made


_OWNERS: Dict[str, Any] = {"torch": _Torch, "cupy": _Cupy}


def _bytes(array: _Array, shape: Tuple[int, ...]) -> int:
    return math.prod(shape) * np.dtype(array.memory).itemsize


class _Device(_Host):
    """A stream of a GPU. Results stay on it if an array of the caller is there."""

    def __init__(self, values: Sequence[Any], stream: Any) -> None:
        here = [value for value in values if _is_on_gpu(value)]
        super().__init__([] if here else values)
        self.keeps = bool(here)
        numbers = {number for number in map(_ordinal, here) if number is not None} or {0}
        if len(numbers) > 1:
            raise WrongTypeError(f"the arrays are on several GPUs: {sorted(numbers)}")
        self.unit = _unit(*numbers)
        name = type(here[0]).__module__.partition(".")[0] if here else ""
        library = sys.modules[name] if name in _OWNERS else name
        self.owner = _OWNERS.get(name, _Other)(library, self.unit, stream)
        self.stream: int = self.owner.stream

    def buffer(self, size: int) -> _Held:
        held: _Held = self.owner.empty(max(size, 16))
        return held

    def queue(self, name: str, *arguments: Any) -> None:
        self.unit.call(name, *arguments, ctypes.c_void_p(self.stream))

    def take(self, array: _Array, name: str, value: Any) -> _Taken:
        if not _is_on_gpu(value):
            shape, given = super().take(array, name, value)
            held = self.buffer(given.nbytes)
            if given.size:
                data = ctypes.c_void_p(given.ctypes.data)
                self.queue("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(held.pointer), data, ctypes.c_size_t(given.nbytes))
            return _Taken(shape, held)
        view = _view(value, name, self)
        if array.type == "bf16" and view.is_bfloat16:
            self.bfloat16 = getattr(self.owner.library, "bfloat16", None)
        elif view.is_bfloat16:
            raise WrongTypeError(f"{name} must be an array of {array.dtype}, not bfloat16")
        self.fit(array, name, view, array.dtype, view.is_plain)
        held = _Held(view.pointer, math.prod(view.shape) * view.dtype.itemsize, view.owner)
        # Kernels read 16 bytes at once.
        return _Taken(view.shape, held if held.size and held.pointer % 16 == 0 else self.copied(held))

    def copied(self, source: _Held) -> _Held:
        made = self.buffer(source.size)
        if source.size:
            pointers = (ctypes.c_uint64(made.pointer), ctypes.c_uint64(source.pointer))
            self.queue("cuMemcpyDtoDAsync_v2", *pointers, ctypes.c_size_t(source.size))
        return made

    def copy(self, array: _Array, memory: _Held) -> _Held:
        return self.copied(memory)

    def make(self, array: _Array, elements: int) -> _Held:
        made = self.buffer(elements * np.dtype(array.memory).itemsize)
        if array.cleared:
            self.queue("cuMemsetD8Async", ctypes.c_uint64(made.pointer), ctypes.c_ubyte(0), ctypes.c_size_t(made.size))
        return made

    def execute(self, memory: Mapping[str, _Held], scalars: Mapping[str, Any], v: _Numbers) -> None:
        for row in _PASSES:
            groups = row.groups(v)
            if groups <= 0:
                continue
            given = [np.array([scalars[name]]) for name in row.scalars]
            given += [np.array([memory[name].pointer], np.uint64) for name in row.arrays]
            places = (ctypes.c_void_p * len(given))(*(one.ctypes.data for one in given))
            sides = map(ctypes.c_uint, (groups, 1, 1, row.size, 1, 1, 0))
            stream = ctypes.c_void_p(self.stream)
            self.unit.call("cuLaunchKernel", self.unit.kernels[row.kernel], *sides, stream, places, None)

    def read(self, array: _Array, memory: _Held, count: int) -> NDArray[Any]:
        made = np.empty(count, array.memory)
        if count > 0:
            data, pointer = ctypes.c_void_p(made.ctypes.data), ctypes.c_uint64(memory.pointer)
            self.queue("cuMemcpyDtoHAsync_v2", data, pointer, ctypes.c_size_t(made.nbytes))
            self.queue("cuStreamSynchronize")
        return made

    def result(self, array: _Array, memory: Any, shape: Tuple[int, ...]) -> Any:
        if not self.keeps:
            return super().result(array, self.read(array, memory, math.prod(shape)), shape)
        return self.owner.shaped(self, array, memory, shape)


def _stream(value: Any) -> int:
    """The number of a stream of CUDA, or of an object of PyTorch, CuPy or Numba."""
    for name in ("cuda_stream", "ptr", "handle"):
        value = getattr(value, name, value)
    number = getattr(value, "value", value) or 0
    if not isinstance(number, int):
        raise WrongTypeError(f"stream must be a stream of CUDA, not {type(value).__name__}")
    return number
`;

/** The operator of PyTorch. */
const OPERATOR = `
@functools.lru_cache(maxsize=1)
def torch_operator() -> Any:
    """The pipeline as an operator of PyTorch, which torch.compile takes.

    Returns:
        A function of the inputs, tables and parameters in the order of the declaration. Its result is the tensor of
        the output, or a tuple of them in the order of the declaration.

    Raises:
        DeviceError: PyTorch is not installed, or too old.
    """
    try:
        torch: Any = importlib.import_module("torch")
        library = torch.library
        custom_op = library.custom_op
    except (ImportError, AttributeError) as error:
        raise DeviceError(f"an operator of PyTorch needs PyTorch 2.4 or newer ({error}); pip install torch") from error
    given = [array for array in _ARRAYS if array.role in _GIVEN or array.source]
    names = [array.source or array.name for array in given]
    outputs = [array for array in _ARRAYS if array.role == "output" and not array.hidden]

    def packed(results: Sequence[Any]) -> Any:
        return results[0] if len(results) == 1 else tuple(results)

    def act(*values: Any) -> Any:
        arrays = dict(zip(_ORDER, values))
        params = {name: arrays.pop(name) for name in _PARAMS}
        results = _run(arrays, params, None, None, _Device(list(arrays.values()), None))
        return packed([getattr(results, name) for name in Results.__annotations__])

    def shapes(*values: Any) -> Any:
        """Tensors of the right sizes, without values."""
        known = dict(zip(_ORDER, values))
        ranged = {name: tuple(known[name].shape) for name, array in zip(names, given) if array.role != "table"}
        v, shape = _range(ranged, None, None)
        v.update({f"length {name}": known[name].shape[0] for name in names if name not in ranged})
        v.update({f"param {name}": known[name] for name, dtype in _PARAMS.items() if dtype == "uint32"})
        like = known[names[0]]
        made = []
        for array in outputs:
            count = library.get_ctx().new_dynamic_size() if array.length else array.elements(v)
            sides: Dict[str, Tuple[Any, ...]] = {"scalar": (), "items": shape, "flat": (count,)}
            is_same = array.type == "bf16" and like.dtype == torch.bfloat16
            dtype = torch.bfloat16 if is_same else getattr(torch, array.dtype)
            made.append(like.new_empty(sides[array.shape], dtype=dtype))
        return packed(made)

    operator_name = f"groupwise::{_PIPELINE.replace('-', '_')}"
    made = custom_op(operator_name, act, mutates_args=(), schema=_SCHEMA)
    made.register_fake(shapes)
    return made
`;

const STREAM = {
  name: "stream",
  hint: "Any",
  initial: "None",
  about:
    "a stream of CUDA as a number, or of PyTorch, CuPy or Numba; by default the current one of the library of the arrays",
};

const names = (items: readonly string[]): string => tupleInPython(items.map((item) => JSON.stringify(item)));

/** The schema of the operator of PyTorch, and the names of its arguments in the pipeline. */
function operatorOf(manifest: Manifest): { readonly schema: string; readonly order: readonly string[] } {
  const arrays = [...inputsOf(manifest), ...tablesOf(manifest)].map(({ name }) => name);
  const typeOf = (type: string): string =>
    type === "bool" ? "bool" : type.startsWith("f") ? "float" : "int";
  const params = userParams(manifest);
  const given = [
    ...arrays.map((name) => `Tensor ${argumentInPython(name)}`),
    ...params.map(({ name, type }) => `${typeOf(type)} ${argumentInPython(name)}`),
  ];
  const outputs = manifest.bindings.filter(({ role, hidden }) => role === "output" && !hidden);
  const results = outputs.map(() => "Tensor").join(", ");
  const schema = `(${given.join(", ")}) -> ${outputs.length === 1 ? results : `(${results})`}`;
  return { schema, order: [...arrays, ...params.map(({ name }) => name)] };
}

/** The text of `<name>.py`. */
export function printPython(manifest: Manifest, command: string): SourceFile {
  const { schema, order } = operatorOf(manifest);
  const backend: PythonBackend = {
    about: [
      "emitted CUDA on arrays of PyTorch, CuPy, Numba and others, which stay on the GPU, and on arrays of the",
      "CPU, which are copied there and back. NVRTC compiles the .cu file beside this module, once for a kind of GPU.",
    ],
    imports: "ctypes functools hashlib importlib os tempfile threading".split(" "),
    libraries: [],
    options: [STREAM],
    names: ["torch_operator"],
    bound: "_Exchangeable",
    code: [PYTHON_PASS, PYTHON_CACHE, DEVICE, ARRAYS, OPERATOR],
    tables: [
      `_SOURCE = ${JSON.stringify(`${manifest.pipeline}.cu`)}`,
      `_OPTIONS = ${names(String(manifest.flags.buildOptions).split(" "))}`,
      `_SCHEMA = ${JSON.stringify(schema)}`,
      `_ORDER = ${names(order)}`,
      ...passesInPython(manifest),
    ],
  };
  return pythonModule(manifest, command, backend);
}
