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


# Arguments of functions of the driver: pointers, numbers of 32 bits and sizes.
_SIGNATURES = {
    "cuCtxGetCurrent": "p",
    "cuCtxPushCurrent_v2": "p",
    "cuCtxPopCurrent_v2": "p",
    "cuDeviceGet": "pi",
    "cuDeviceGetAttribute": "pii",
    "cuDevicePrimaryCtxRetain": "pi",
    "cuEventCreate": "pu",
    "cuEventDestroy_v2": "p",
    "cuEventQuery": "p",
    "cuEventRecord": "pp",
    "cuGetErrorName": "ip",
    "cuInit": "u",
    "cuLaunchKernel": "puuuuuuuppp",
    "cuMemAllocAsync": "pzp",
    "cuMemFreeAsync": "pp",
    "cuMemcpyDtoDAsync_v2": "ppzp",
    "cuMemcpyDtoHAsync_v2": "ppzp",
    "cuMemcpyHtoDAsync_v2": "ppzp",
    "cuMemsetD8Async": "pBzp",
    "cuModuleGetFunction": "ppp",
    "cuModuleLoadData": "pp",
    "cuPointerGetAttribute": "pip",
    "cuStreamIsCapturing": "pp",
    "cuStreamSynchronize": "p",
}
_KINDS_OF_ARGUMENTS = {
    "p": ctypes.c_void_p,
    "i": ctypes.c_int,
    "u": ctypes.c_uint,
    "B": ctypes.c_ubyte,
    "z": ctypes.c_size_t,
}


@functools.lru_cache(maxsize=1)
def _driver() -> Dict[str, Any]:
    """The functions of the driver, which take numbers."""
    library = _opened("the driver of an NVIDIA GPU", ("libcuda.so.1", "nvcuda.dll"))
    functions = {name: getattr(library, name) for name in _SIGNATURES}
    for name, function in functions.items():
        function.argtypes = [_KINDS_OF_ARGUMENTS[kind] for kind in _SIGNATURES[name]]
    status = functions["cuInit"](0)
    if status != 0:
        raise DeviceError(f"cuInit returned {status}: there is no GPU, or its driver does not run")
    return functions


@functools.lru_cache(maxsize=1)
def _compiler() -> Any:
    names = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "nvrtc64_130_0.dll", "nvrtc64_120_0.dll"]
    # Packages such as nvidia-cuda-nvrtc have it in a folder of their own.
    for folder in sys.path:
        names += sorted(map(str, Path(folder or ".").glob("nvidia/*/lib/libnvrtc.so.*")), reverse=True)
    names.append(f"{os.environ.get('CUDA_PATH', '/usr/local/cuda')}/lib64/libnvrtc.so")
    return _opened("NVRTC, the compiler of CUDA", names)


def _call(name: str, *arguments: Any) -> None:
    status = _driver()[name](*arguments)
    if status != 0:
        text = ctypes.c_char_p()
        _driver()["cuGetErrorName"](status, ctypes.byref(text))
        raise DeviceError(f"{name} returned {(text.value or str(status).encode()).decode()}")


def _attribute(number: int, device: int) -> int:
    value = ctypes.c_int()
    _call("cuDeviceGetAttribute", ctypes.byref(value), number, device)
    return value.value


class _Unit:
    """A GPU with its primary context, which libraries of arrays use, and the kernels of the pipeline."""

    def __init__(self, ordinal: int) -> None:
        device, context = ctypes.c_int(), ctypes.c_void_p()
        _call("cuDeviceGet", ctypes.byref(device), ordinal)
        _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device.value)
        self.context = context.value
        self.ordinal = ordinal
        # Numbers of cuda.h: the compute capability.
        self.architecture = 10 * _attribute(75, device.value) + _attribute(76, device.value)
        self.forms: Dict[bool, List[Any]] = {}
        self.lent: List[Tuple[int, Sequence[Any]]] = []

    def kernels(self, is_aligned: bool) -> List[Any]:
        """The kernels of the passes, for arrays that begin at multiples of 16 bytes, or anywhere."""
        with _lock:
            if is_aligned not in self.forms:
                module, kernels = ctypes.c_void_p(), []
                code = _code(self.architecture, _OPTIONS if is_aligned else (*_OPTIONS, "-DGROUPWISE_UNALIGNED"))
                self.call(("cuModuleLoadData", ctypes.byref(module), code))
                for row in _PASSES:
                    kernel = ctypes.c_void_p()
                    self.call(("cuModuleGetFunction", ctypes.byref(kernel), module, row.kernel.encode()))
                    kernels.append(kernel.value)
                self.forms[is_aligned] = kernels
            return self.forms[is_aligned]

    def call(self, *calls: Tuple[Any, ...]) -> None:
        """Calls in the context of the GPU, which is current already in most threads."""
        current = ctypes.c_void_p()
        _call("cuCtxGetCurrent", ctypes.byref(current))
        is_other = current.value != self.context
        if is_other:
            _call("cuCtxPushCurrent_v2", self.context)
        try:
            for one in calls:
                _call(*one)
        finally:
            if is_other:
                _call("cuCtxPopCurrent_v2", ctypes.byref(current))


    def lend(self, stream: int, arrays: Sequence[Any]) -> None:
        """Keeps arrays until a stream has passed: their libraries give the memory of what is deleted to other streams at once."""
        is_capturing, event = ctypes.c_int(), ctypes.c_void_p()
        self.call(("cuStreamIsCapturing", stream, ctypes.byref(is_capturing)))
        # Arrays of a graph are the caller's to keep, and questions would end its capture.
        if is_capturing.value:
            return
        with _lock:
            # Numbers of cuda.h: an event is not over yet; an event that records no time.
            over = {event for event, _ in self.lent if _driver()["cuEventQuery"](event) != 600}
            calls: List[Tuple[Any, ...]] = [("cuEventDestroy_v2", one) for one in over]
            if arrays:
                calls += [("cuEventCreate", ctypes.byref(event), 2), ("cuEventRecord", event, stream)]
            self.call(*calls)
            self.lent = [one for one in self.lent if one[0] not in over]
            if arrays:
                self.lent.append((event.value or 0, arrays))


_units: Dict[int, _Unit] = {}
_lock = threading.RLock()


def _unit(ordinal: int) -> _Unit:
    with _lock:
        if ordinal not in _units:
            _units[ordinal] = _Unit(ordinal)
        return _units[ordinal]


def _code(architecture: int, options: Sequence[str]) -> bytes:
    """Code for a GPU: the one in the cache if it was made from the same text by the same compiler."""
    source = Path(__file__).with_name(_SOURCE)
    try:
        text = source.read_bytes()
    except OSError as error:
        raise DeviceError(f"the emitted file {source} must be beside the module: {error}") from error
    nvrtc, major, minor, count = _compiler(), ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    known = (ctypes.c_int * max(count.value, 1))(architecture)
    nvrtc.nvrtcGetSupportedArchs(known)
    # A driver compiles PTX for a GPU that is newer than the compiler.
    newest = max([number for number in known if number <= architecture], default=architecture)
    kind = "cubin" if newest == architecture else "ptx"
    options = [*options, f"--gpu-architecture={'sm' if kind == 'cubin' else 'compute'}_{newest}"]
    named = f"nvrtc {major.value}.{minor.value} {' '.join(options)}".encode()
    folder = _cache()
    kept = None if folder is None else folder / f"{hashlib.sha256(named + text).hexdigest()}.{kind}"
    if kept is not None and kept.exists():
        return kept.read_bytes()
    code = _compiled(text, options, kind)
    if kept is not None:
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as made:
            made.write(code)
        os.replace(made.name, kept)
    return code


def _compiled(text: bytes, options: Sequence[str], kind: str) -> bytes:
    nvrtc, program = _compiler(), ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, _SOURCE.encode(), 0, None, None)

    def output(name: str) -> bytes:
        size = ctypes.c_size_t()
        getattr(nvrtc, f"{name}Size")(program, ctypes.byref(size))
        made = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, name)(program, made)
        return made.raw

    try:
        status = nvrtc.nvrtcCompileProgram(
            program, len(options), (ctypes.c_char_p * len(options))(*map(str.encode, options))
        )
        if status != 0:
            log = output("nvrtcGetProgramLog").rstrip(b"\\0").decode(errors="replace").strip()
            raise DeviceError(f"NVRTC does not compile {_SOURCE}: {log or f'status {status}'}")
        return output(f"nvrtcGet{kind.upper()}")
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


def _of_python(name: str, *types: Any) -> Any:
    """A function of Python's own interface, by the types of its result and arguments."""
    return ctypes.PYFUNCTYPE(*types)((name, ctypes.pythonapi))


_contents = _of_python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)


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


def _place(value: Any) -> Optional[int]:
    """The number of the GPU that has the memory of an array; -1 if the array is empty and does not say; None: another device."""
    if hasattr(value, "__dlpack_device__"):
        kind, number = value.__dlpack_device__()
        return int(number) if kind in _ON_GPU else None
    face = getattr(value, "__cuda_array_interface__", None)
    if face is None:
        return None
    found = ctypes.c_int(-1)
    if face["data"][0]:
        _call("cuPointerGetAttribute", ctypes.byref(found), 9, face["data"][0])  # its device's ordinal
    return found.value


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
                device.unit.call(("cuStreamSynchronize", face["stream"]))
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
        self.unit, self.stream = unit, stream
        made = ctypes.c_void_p()
        unit.call(("cuMemAllocAsync", ctypes.byref(made), size, stream))
        self.pointer: int = made.value or 0

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # At the end of the process, the driver releases it.
        if getattr(self, "pointer", 0) and not is_finalizing():
            self.unit.call(("cuMemFreeAsync", self.pointer, self.stream))


class _Held:
    """Memory of a run: an array of bytes of the library, or of this module."""

    __slots__ = ("pointer", "size", "owner")

    def __init__(self, pointer: int, size: int, owner: Any) -> None:
        self.pointer, self.size, self.owner = pointer, size, owner


class _Managed(ctypes.Structure):
    """DLManagedTensor of DLPack."""

    _fields_ = [("tensor", _DlTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


# Results that another library has, by the addresses of their DLManagedTensor, until it releases them.
_exported: Dict[int, Any] = {}
_released: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda address: _exported.pop(address, None) and None)
_capsule = _of_python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
# Of a capsule that ends, which is no object any more.
_is_unused = _of_python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_unused_contents = _of_python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_NAME = ctypes.create_string_buffer(b"dltensor")  # a capsule keeps the pointer


def _unused(capsule: int) -> None:
    """Nobody took what is in a capsule."""
    if _is_unused(capsule, b"dltensor"):
        _exported.pop(_unused_contents(capsule, b"dltensor"), None)


_dropped: Any = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_unused)


class _Result:
    """A result for libraries that take DLPack or __cuda_array_interface__. All work on it is done."""

    def __init__(self, unit: _Unit, held: _Held, shape: Tuple[int, ...], dtype: str, is_bfloat16: bool) -> None:
        self._held, self._place, self._is_bfloat16 = held, (2, unit.ordinal), is_bfloat16
        data = (held.pointer if math.prod(shape) else 0, False)
        self.__cuda_array_interface__: Dict[str, Any] = {
            "shape": shape,
            "typestr": np.dtype(dtype).str,
            "data": data,
            "version": 3,
        }

    def __dlpack_device__(self) -> Tuple[int, int]:
        return self._place

    def __dlpack__(self, **_: Any) -> Any:
        face = self.__cuda_array_interface__
        dtype, sides = np.dtype(face["typestr"]), face["shape"]
        code = 4 if self._is_bfloat16 else next(code for code, kind in _KINDS.items() if kind == dtype.kind)
        shape = (ctypes.c_int64 * max(len(sides), 1))(*sides)
        made = _Managed(deleter=ctypes.cast(_released, ctypes.c_void_p))
        made.tensor = _DlTensor(face["data"][0], *self._place, len(sides), code, 8 * dtype.itemsize, 1, shape)
        address = ctypes.addressof(made)
        _exported[address] = (made, shape, self._held)
        return _capsule(address, ctypes.addressof(_NAME), ctypes.cast(_dropped, ctypes.c_void_p))


_dtypes: Dict[Any, Any] = {}  # of PyTorch as those of NumPy


class _Torch:
    """PyTorch as the owner of memory of a run."""

    lends = False  # PyTorch knows the stream of what it makes

    def __init__(self, library: Any, unit: _Unit, stream: Any) -> None:
        cuda = library.cuda
        current = cuda.current_stream(unit.ordinal)
        self.library, self.unit = library, unit
        self.stream = current.cuda_stream if stream is None else _stream(stream)
        self.is_here = current.cuda_stream == self.stream
        self.is_current = self.is_here and cuda.current_device() == unit.ordinal
        if not self.is_current:
            with cuda.device(unit.ordinal):
                self.external = cuda.ExternalStream(self.stream)
        if not self.is_here:
            self.external.wait_stream(current)

    def view(self, value: Any, name: str, device: _Device) -> _View:
        library = self.library
        if not isinstance(value, library.Tensor) or value.requires_grad or value.layout != library.strided:
            return device.borrowed(value, name)
        is_bfloat16 = value.dtype == library.bfloat16
        dtype = np.dtype("uint16") if is_bfloat16 else _dtypes.get(value.dtype)
        if dtype is None:
            # Types of numbers are known from here on; others have a reason of PyTorch's own.
            dtype = _dtypes[value.dtype] = _view(value, name, device).dtype
        if not self.is_here:
            # PyTorch must not give its memory away before the stream has passed.
            value.record_stream(self.external)
        return _View(value.data_ptr(), tuple(value.shape), dtype, value.is_contiguous(), is_bfloat16, value)

    def empty(self, size: int) -> _Held:
        library = self.library
        if self.is_current:
            made = library.empty(size, dtype=library.uint8, device="cuda")
        else:
            with library.cuda.device(self.unit.ordinal), library.cuda.stream(self.external):
                made = library.empty(size, dtype=library.uint8, device="cuda")
        return _Held(made.data_ptr(), size, made)

    def shaped(self, device: _Device, array: _Array, memory: _Held, shape: Tuple[int, ...]) -> Any:
        is_bfloat16 = array.type == "bf16" and device.bfloat16 is not None
        dtype = device.bfloat16 if is_bfloat16 else getattr(self.library, array.dtype)
        return _cut(array, memory, shape).view(dtype).reshape(shape)


class _Cupy:
    """CuPy as the owner of memory of a run. What is deleted goes to the stream in which it was made, at once."""

    def __init__(self, library: Any, unit: _Unit, stream: Any) -> None:
        cuda = library.cuda
        self.library, self.unit = library, unit
        self.is_current = cuda.Device().id == unit.ordinal
        with contextlib.nullcontext() if self.is_current else cuda.Device(unit.ordinal):
            current = cuda.get_current_stream()
        self.stream = _stream(current if stream is None else stream)
        self.lends = current.ptr != self.stream
        self.external = _external(cuda, self.stream) if self.lends else contextlib.nullcontext()

    def view(self, value: Any, name: str, device: _Device) -> _View:
        is_known = not self.lends and isinstance(value, self.library.ndarray) and value.dtype.kind in "iufb"
        if not is_known:
            return device.borrowed(value, name)
        return _View(value.data.ptr, value.shape, value.dtype, value.flags.c_contiguous, False, value)

    def empty(self, size: int) -> _Held:
        library = self.library
        if self.is_current and not self.lends:
            made = library.empty(size, "u1")
        else:
            with library.cuda.Device(self.unit.ordinal), self.external:
                made = library.empty(size, "u1")
        return _Held(made.data.ptr, size, made)

    def shaped(self, device: _Device, array: _Array, memory: _Held, shape: Tuple[int, ...]) -> Any:
        return _cut(array, memory, shape).view(array.dtype).reshape(shape)


def _external(cuda: Any, stream: int) -> Any:
    """A stream as an object of CuPy, whose class for others is deprecated from 14 on."""

    class Named:
        def __cuda_stream__(self) -> Tuple[int, int]:
            return (0, stream)

    from_external = getattr(cuda.Stream, "from_external", None)
    return from_external(Named()) if from_external else cuda.ExternalStream(stream)


class _Other:
    """This module as the owner of memory: results are arrays of JAX or Numba, or objects that such libraries take."""

    lends = False  # results wait for the stream

    def __init__(self, library: Any, unit: _Unit, stream: Any) -> None:
        self.library, self.unit = library, unit
        self.stream = _stream(0 if stream is None else stream)

    def view(self, value: Any, name: str, device: _Device) -> _View:
        return _view(value, name, device)

    def empty(self, size: int) -> _Held:
        memory = _Memory(self.unit, self.stream, size)
        return _Held(memory.pointer, size, memory)

    def shaped(self, device: _Device, array: _Array, memory: _Held, shape: Tuple[int, ...]) -> Any:
        device.queue("cuStreamSynchronize")
        is_bfloat16 = array.type == "bf16" and device.bfloat16 is not None
        made = _Result(self.unit, memory, shape, array.dtype, is_bfloat16)
        # JAX keeps what DLPack gives, and not an object with __cuda_array_interface__.
        if hasattr(self.library, "from_dlpack"):
            return self.library.from_dlpack(made)
        return importlib.import_module("numba.cuda").as_cuda_array(made) if self.library == "numba" else made


_OWNERS: Dict[str, Any] = {"torch": _Torch, "cupy": _Cupy}
_MODULES = {"torch": "torch", "cupy": "cupy", "jaxlib": "jax.numpy", "jax": "jax.numpy"}


def _bytes(array: _Array, shape: Tuple[int, ...]) -> int:
    return math.prod(shape) * np.dtype(array.memory).itemsize


def _cut(array: _Array, memory: _Held, shape: Tuple[int, ...]) -> Any:
    """The bytes of a result."""
    size = _bytes(array, shape)
    return memory.owner if size == memory.size else memory.owner[:size]


class _Launches(threading.local):
    """Memory of the arguments of launches: of each pass the members of a struct, which the driver copies."""

    def __init__(self) -> None:
        self.passes = [_Launch(row) for row in _PASSES]


class _Launch:
    def __init__(self, row: _Pass) -> None:
        sizes = [np.dtype(_SCALARS[name][0]).itemsize for name in row.scalars] + [8] * len(row.arrays)
        self.members = struct.Struct("@" + "".join({1: "B", 2: "H", 4: "I", 8: "Q"}[size] for size in sizes))
        self.bytes = ctypes.create_string_buffer(max(self.members.size, 1))
        self.size = ctypes.c_size_t(self.members.size)
        # Of cuda.h: the bytes, their number, and the end.
        self.extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(self.bytes), 2, ctypes.addressof(self.size), 0)


class _Device(_Host):
    """A stream of a GPU. Results stay on it if an array of the caller is there."""

    def __init__(self, values: Sequence[Any], stream: Any) -> None:
        places = [_place(value) for value in values]
        here = [value for value, place in zip(values, places) if place is not None]
        super().__init__([] if here else values)
        self.on_gpu = {id(value) for value in here}
        self.keeps = bool(here)
        numbers = {place for place in places if place is not None and place >= 0} or {0}
        if len(numbers) > 1:
            raise WrongTypeError(f"the arrays are on several GPUs: {sorted(numbers)}")
        self.unit = _unit(*numbers)
        name = type(here[0]).__module__.partition(".")[0] if here else ""
        library = sys.modules.get(_MODULES[name], name) if name in _MODULES else name
        self.owner = _OWNERS.get(name, _Other)(library, self.unit, stream)
        self.stream: int = self.owner.stream
        self.is_aligned = True
        self.scratch: List[Tuple[_Array, _Held]] = []
        self.commands: List[Tuple[Any, ...]] = []
        # Arrays whose libraries do not know that the stream uses them.
        self.lent: List[Any] = []

    def buffer(self, size: int) -> _Held:
        held: _Held = self.owner.empty(max(size, 16))
        if self.owner.lends:
            self.lent.append(held.owner)
        return held

    def borrowed(self, value: Any, name: str) -> _View:
        """An array of another library, or of another stream."""
        view = _view(value, name, self)
        self.lent.append(view.owner)
        return view

    def later(self, name: str, *arguments: Any) -> None:
        """Queues a call with the next ones."""
        self.commands.append((name, *arguments, self.stream))

    def queue(self, name: str, *arguments: Any) -> None:
        self.later(name, *arguments)
        commands, self.commands = self.commands, []
        self.unit.call(*commands)

    def take(self, array: _Array, name: str, value: Any) -> _Taken:
        if id(value) not in self.on_gpu:
            shape, given = super().take(array, name, value)
            held = self.buffer(given.nbytes)
            if given.size:
                self.queue("cuMemcpyHtoDAsync_v2", held.pointer, given.ctypes.data, given.nbytes)
            return _Taken(shape, held)
        view = self.owner.view(value, name, self)
        if array.type == "bf16" and view.is_bfloat16:
            self.bfloat16 = getattr(self.owner.library, "bfloat16", None)
        elif view.is_bfloat16:
            raise WrongTypeError(f"{name} must be an array of {array.dtype}, not bfloat16")
        self.fit(array, name, view, array.dtype, view.is_plain)
        held = _Held(view.pointer, math.prod(view.shape) * view.dtype.itemsize, view.owner)
        # Elements begin at multiples of their sizes.
        if held.size == 0 or held.pointer % view.dtype.itemsize != 0:
            return _Taken(view.shape, self.copied(held))
        # Kernels read 16 bytes at once, or elements.
        self.is_aligned = self.is_aligned and held.pointer % 16 == 0
        return _Taken(view.shape, held)

    def copied(self, source: _Held) -> _Held:
        made = self.buffer(source.size)
        if source.size:
            self.later("cuMemcpyDtoDAsync_v2", made.pointer, source.pointer, source.size)
        return made

    def copy(self, array: _Array, memory: _Held) -> _Held:
        return self.copied(memory)

    def make(self, array: _Array, elements: int) -> _Held:
        size = elements * np.dtype(array.memory).itemsize
        if array.role != "output":
            # One piece of memory has all of it.
            part = _Held(0, size, None)
            self.scratch.append((array, part))
            return part
        made = self.buffer(size)
        if array.cleared:
            self.later("cuMemsetD8Async", made.pointer, 0, size)
        return made

    def place_scratch(self) -> None:
        """Gives scratch its memory, which is kept by the first piece. What is cleared comes first."""
        self.scratch.sort(key=lambda one: not one[0].cleared)
        cleared = whole = 0
        for array, part in self.scratch:
            part.pointer = whole
            whole += -(-part.size // 256) * 256
            cleared = whole if array.cleared else cleared
        if self.scratch:
            base = self.buffer(whole)
            for _, part in self.scratch:
                part.pointer += base.pointer
                part.owner = base
            if cleared:
                self.later("cuMemsetD8Async", base.pointer, 0, cleared)

    def execute(self, memory: Mapping[str, _Held], scalars: Mapping[str, Any], v: _Numbers) -> None:
        self.place_scratch()
        words = {name: int.from_bytes(value.tobytes(), sys.byteorder) for name, value in scalars.items()}
        kernels = self.unit.kernels(self.is_aligned)
        for row, kernel, launch in zip(_PASSES, kernels, _launches.passes):
            groups = row.groups(v)
            if groups > 0:
                given = [words[name] for name in row.scalars] + [memory[name].pointer for name in row.arrays]
                launch.members.pack_into(launch.bytes, 0, *given)
                sides = (groups, 1, 1, row.size, 1, 1, 0)
                self.commands.append(("cuLaunchKernel", kernel, *sides, self.stream, None, launch.extra))
        commands, self.commands = self.commands, []
        self.unit.call(*commands)
        if self.lent or self.unit.lent:
            self.unit.lend(self.stream, self.lent)

    def read(self, array: _Array, memory: _Held, count: int) -> NDArray[Any]:
        made = np.empty(count, array.memory)
        if count > 0:
            self.later("cuMemcpyDtoHAsync_v2", made.ctypes.data, memory.pointer, made.nbytes)
            self.queue("cuStreamSynchronize")
        return made

    def result(self, array: _Array, memory: Any, shape: Tuple[int, ...]) -> Any:
        if not self.keeps:
            return super().result(array, self.read(array, memory, math.prod(shape)), shape)
        return self.owner.shaped(self, array, memory, shape)


def _stream(value: Any) -> int:
    """The number of a stream of CUDA, or of an object of PyTorch, CuPy, Numba or cuda.core."""
    if hasattr(value, "__cuda_stream__"):
        value = value.__cuda_stream__()[1]
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
    "a stream of CUDA as a number, or of PyTorch, CuPy, Numba or cuda.core; by default the current one of the library of the arrays",
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
      "emitted CUDA on arrays of PyTorch, CuPy, JAX, Numba and others, which stay on the GPU, and on arrays of the",
      "CPU, which are copied there and back. NVRTC compiles the .cu file beside this module, once for a kind of GPU.",
    ],
    imports: "contextlib ctypes functools hashlib importlib os struct tempfile threading".split(" "),
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
      "_launches = _Launches()",
    ],
  };
  return pythonModule(manifest, command, backend);
}
