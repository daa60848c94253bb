/** The Python that modules of all backends share: errors, and a run over an interface that each backend implements as `_Device`. */

/** Errors of callers. */
export const ERRORS = `
class GroupwiseError(ValueError):
    """A run that cannot be done: the message has the pipeline, what is wrong, and why."""

    def __str__(self) -> str:
        return f"{_PIPELINE}: {super().__str__()}"


class WrongTypeError(GroupwiseError, TypeError):
    """A value of another type than the pipeline takes, or an array on another device."""


class ScatterError(GroupwiseError, IndexError):
    """An item was written outside of an output, so the outputs have no meaning."""


class DeviceError(GroupwiseError, RuntimeError):
    """A device or compiler is missing, lacks something, or failed."""
`;

/** Tables of a pipeline, and a run. */
export const RUN = `
class _Array(NamedTuple):
    name: str
    role: str  # input, table, output, scratch or status
    type: str  # of the pipeline
    dtype: str  # of the caller
    memory: str  # the same, or another in which the device holds it
    shape: str  # of an output: scalar, items or flat
    elements: _Size
    cleared: bool = False  # it must hold zeros before a run
    scatter: bool = False  # items compute their places in it
    hidden: bool = False  # an output that only another's length is
    needs_items: bool = False
    source: str = ""  # the input whose values an output holds before a run
    length: str = ""  # the output that is the number of valid elements


class _Taken(NamedTuple):
    shape: Tuple[int, ...]
    memory: Any


def _require(holds: Any, reason: str) -> None:
    if not holds:
        raise GroupwiseError(reason)


def _run(arrays: Dict[str, Any], params: Dict[str, Any], size: Any, offset: Any, device: _Device) -> Any:
    given = {array.source or array.name: array for array in _ARRAYS if array.role in _GIVEN or array.source}
    taken = {name: device.take(array, name, arrays[name]) for name, array in given.items()}
    ranged = {name: taken[name].shape for name, array in given.items() if array.role != "table"}
    v, shape = _range(ranged, size, offset)
    for name, array in given.items():
        if array.role == "table":
            (v[f"length {name}"],) = taken[name].shape
            _require(v[f"length {name}"] <= _MAX_ITEMS, f"the table {name} is too long")
    p = {name: _scalar(name, params[name], dtype) for name, dtype in _PARAMS.items()}
    v.update({f"param {name}": int(p[name]) for name, dtype in _PARAMS.items() if dtype == "uint32"})
    for name in _DIVISORS:
        divisor = v[f"param {name}"]
        holds = divisor > 0 and v["n"] % divisor == 0
        _require(holds, f"{name} is {divisor}, which does not divide {v['n']} items")
    _check_sizes(v)
    memory: Dict[str, Any] = {}
    for array in _ARRAYS:
        if array.role in _GIVEN:
            memory[array.name] = taken[array.name].memory
        elif array.source:
            memory[array.name] = device.copy(array, taken[array.source].memory)
        else:
            memory[array.name] = device.make(array, max(array.elements(v), 1))
    device.execute(memory, {name: np.dtype(dtype).type(f(v, p)) for name, (dtype, f) in _SCALARS.items()}, v)
    _check_status(device, memory, v)
    results: List[Any] = []
    for array in _ARRAYS:
        if array.role == "output" and not array.hidden:
            count = array.elements(v)
            if array.length:
                (length,) = (one for one in _ARRAYS if one.name == array.length)
                count = min(count, int(device.read(length, memory[array.length], 1)[0]))
            shapes: Dict[str, Tuple[int, ...]] = {"scalar": (), "items": shape, "flat": (count,)}
            results.append(device.result(array, memory[array.name], shapes[array.shape]))
    return Results(*results)


_GIVEN = ("input", "table")


def _range(shapes: Dict[str, Tuple[int, ...]], size: Any, offset: Any) -> Tuple[Dict[str, int], Tuple[int, ...]]:
    """Numbers of a run by their names in formulas, and the shape of outputs with an element for each item."""
    shape = next((shape for shape in shapes.values() if len(shape) == _DIMENSIONS), None)
    if size is None and shape is not None:
        size = shape[::-1]
    sides = _sides("size", size)
    n = math.prod(sides)
    for name, given in shapes.items():
        if math.prod(given) != n:
            raise GroupwiseError(f"{name} has {math.prod(given)} elements for {n} items")
        if len(given) != 1 and given != sides[::-1]:
            raise GroupwiseError(f"{name} has the shape {given}, but the range has {sides[::-1]}")
    if n > _MAX_ITEMS:
        raise GroupwiseError(f"{n} items are too many: at most {_MAX_ITEMS}")
    offsets = (0,) * _DIMENSIONS if offset is None else _sides("offset", offset)
    for side, first in zip(sides, offsets):
        _require(first + max(side, 1) <= 2**32, "the last global id is past 2^32")
    v = {"n": n}
    v.update(zip(("size_x", "size_y", "size_z"), sides))
    v.update(zip(("offset_x", "offset_y", "offset_z"), offsets))
    return v, shape or ((n,) if shapes else sides[::-1])


def _sides(what: str, value: Any) -> Tuple[int, ...]:
    sides: Tuple[Any, ...] = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    try:
        fits = len(sides) == _DIMENSIONS and min(map(operator.index, sides)) >= 0
    except TypeError:
        fits = False
    if not fits:
        raise GroupwiseError(f"{what} must be {_DIMENSIONS} whole number(s), dimension 0 first, not {value!r}")
    return tuple(map(operator.index, sides))


def _scalar(name: str, value: Any, dtype: str) -> Any:
    """A parameter as a scalar of NumPy."""
    kind = np.dtype(dtype).kind
    wanted = {"b": (bool, np.bool_), "f": (int, float, np.integer, np.floating)}.get(kind, (int, np.integer))
    if not isinstance(value, wanted) or (kind != "b" and isinstance(value, bool)):
        raise WrongTypeError(f"{name} must be a value of {dtype}, not {value!r}")
    if kind in "iu":
        fits = np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
        _require(fits, f"{name} must be a value of {dtype}, not {value!r}")
    try:
        with np.errstate(over="ignore"):
            return np.array(value, dtype)[()]
    except OverflowError:
        raise GroupwiseError(f"{name} is too large for {dtype}") from None


def _word(value: Any, word: int) -> Any:
    """32 bits of a scalar, the low ones first."""
    return np.frombuffer(value.tobytes().ljust(8, b"\\0"), "<u4")[word]


def _check_sizes(v: _Numbers) -> None:
    """Kernels compute capacities in 32 bits, so that every part of one must be in 32 bits."""
    for array in _ARRAYS:
        if v["n"] == 0 and array.needs_items:
            raise GroupwiseError(f"{array.name} needs an item, but the range is empty")
    for name, (most, parts) in _CAPACITIES.items():
        try:
            sizes = parts(v)
        except ZeroDivisionError:
            sizes = (-1,)
        fits = all(0 <= size < 2**32 for size in sizes) and sizes[-1] <= most
        _require(fits, f"{name} cannot have this capacity")


def _check_status(device: _Device, memory: Dict[str, Any], v: _Numbers) -> None:
    for array in _ARRAYS:
        if array.role == "status":
            words = device.read(array, memory[array.name], array.elements(v))
            scatters = [one.name for one in _ARRAYS if one.scatter]
            outside = [name for i, name in enumerate(scatters) if int(words[i // 32]) >> (i % 32) & 1]
            if outside:
                raise ScatterError(f"an item was written outside of {', '.join(outside)}")
`;

/** Arrays of the process, of any library that exchanges arrays: a base of every backend. */
export const ARRAYS = `
# Types that cross between libraries as others of the same size.
_CARRIERS = {"bool": "uint8", "bfloat16": "int16"}


def _namespace(value: Any) -> Any:
    """The library of an array, which the caller has imported."""
    if hasattr(value, "__array_namespace__"):
        return value.__array_namespace__()
    modules = [sys.modules.get(kind.__module__.partition(".")[0]) for kind in type(value).__mro__]
    return next((module for module in modules if hasattr(module, "from_dlpack")), None)


def _array_of(value: Any, name: str, dtype: str) -> NDArray[Any]:
    """Anything with DLPack, __array_interface__ or a buffer as an array of NumPy, without a copy."""
    if isinstance(value, np.ma.MaskedArray):
        raise WrongTypeError(f"{name} has a mask, which would be ignored; pass an array without one")
    if isinstance(value, np.ndarray):
        return value
    try:
        if hasattr(value, "__dlpack__"):
            if tuple(value.__dlpack_device__())[0] != 1:
                place = getattr(value, "device", "another device")
                raise WrongTypeError(f"{name} is on {place}, not on the CPU; move it there first")
            kind = str(value.dtype).rpartition(".")[2]
            if kind not in _CARRIERS:
                return np.from_dlpack(value)
            carried = np.from_dlpack(value.view(getattr(_namespace(value), _CARRIERS[kind])))
            return carried.view(np.uint16 if kind == "bfloat16" else np.bool_)
    except GroupwiseError:
        raise
    except Exception as error:
        raise WrongTypeError(f"{name}, a {type(value).__name__}, cannot be read: {error}") from error
    try:
        return np.asarray(value if hasattr(value, "__array_interface__") else memoryview(value))
    except TypeError:
        reason = f"{name} must be an array of {dtype}, not {type(value).__name__}; numpy.array makes one"
        raise WrongTypeError(reason) from None


class _Host:
    """Arrays of the process. Results are of the library of the first array."""

    def __init__(self, values: Sequence[Any]) -> None:
        first = values[0] if values else None
        is_numpy = isinstance(first, np.ndarray) or not hasattr(first, "__dlpack__")
        self.library = None if is_numpy else _namespace(first)
        self.bfloat16: Any = None  # the type of results in place of bits

    def fit(self, array: _Array, name: str, value: Any, dtype: str, is_plain: bool) -> None:
        """Checks the type and the form of an array."""
        if value.dtype != np.dtype(dtype):
            raise WrongTypeError(f"{name} must be an array of {dtype}, not {value.dtype}")
        most = 1 if array.role == "table" else _DIMENSIONS
        if value.ndim not in (1, most):
            raise GroupwiseError(f"{name} has {value.ndim} dimensions, not {most}; reshape it")
        if not is_plain:
            raise GroupwiseError(f"{name} is not contiguous; pass a contiguous copy of it")

    def take(self, array: _Array, name: str, value: Any) -> _Taken:
        """An input or table as it lies in memory, without a copy if that is how it was given."""
        given = _array_of(value, name, array.dtype)
        if array.type == "bf16" and str(getattr(value, "dtype", "")).endswith("bfloat16"):
            self.bfloat16 = given.dtype if self.library is None else self.library.bfloat16
            given = given.view(np.uint16)
        self.fit(array, name, given, array.dtype, given.flags.c_contiguous and given.flags.aligned)
        return _Taken(given.shape, given if array.memory == array.dtype else given.astype(array.memory))

    def result(self, array: _Array, memory: NDArray[Any], shape: Tuple[int, ...]) -> Any:
        """An output in the library of the inputs."""
        count = math.prod(shape)
        # A short part of a long array would keep all of it.
        is_short = count < memory.size // 2
        made = memory[:count].astype(array.dtype, copy=is_short).reshape(shape)
        kind = "bfloat16" if array.type == "bf16" and self.bfloat16 is not None else array.dtype
        own: Any = getattr(self.library, "bool", None) or getattr(self.library, "bool_", None)
        own = self.bfloat16 if kind == "bfloat16" else own
        if self.library is None:
            typed: NDArray[Any] = made.view(own) if kind == "bfloat16" else made
            return typed if typed.ndim > 0 else typed[()]
        try:
            if kind not in _CARRIERS:
                return self.library.from_dlpack(made)
            return self.library.from_dlpack(made.view(_CARRIERS[kind])).view(own)
        except Exception as error:
            raise WrongTypeError(f"{array.name} cannot become an array of the inputs' library: {error}") from error
`;
