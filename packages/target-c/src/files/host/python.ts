/** A module of Python that compiles the emitted file and calls it by ctypes. */
import type { CallArgument, Manifest, SourceFile } from "@groupwise/core";
import { PYTHON_CACHE, type PythonBackend, pythonModule, tupleInPython } from "@groupwise/core/target";
import { kernelOf, symbolOf } from "../../print/names.ts";

const CODE = `
class _Device(_Host):
    """The process itself: arrays are NumPy's."""

    def copy(self, array: _Array, memory: NDArray[Any]) -> NDArray[Any]:
        return memory.copy() if memory.size else self.make(array, 1)

    def make(self, array: _Array, elements: int) -> NDArray[Any]:
        return (np.zeros if array.cleared else np.empty)(elements, array.memory)

    def execute(self, memory: Mapping[str, NDArray[Any]], scalars: Mapping[str, Any], v: _Numbers) -> None:
        if not _loaded:
            load()
        # Kernels may read the first element of an empty array, and then ignore it.
        one = np.zeros(8, np.uint8)
        arrays = {name: (array if array.size else one).ctypes.data for name, array in memory.items()}
        _loaded[_FUNCTION](*(arrays[name] if is_array else scalars[name].item() for name, is_array in _ARGUMENTS))

    def read(self, array: _Array, memory: NDArray[Any], count: int) -> NDArray[Any]:
        return memory[:count]


_loaded: Dict[str, Any] = {}  # the function, once it is there
_lock = threading.Lock()


def load(library: Union[str, "os.PathLike[str]", None] = None) -> None:
    """Loads the compiled C, which otherwise the first run does.

    Args:
        library: the file of a shared library that was compiled from the .c file beside this module. By default it is
            the one that the environment variable named in LIBRARY_VARIABLE names. If that is not set, the C compiler
            ($CC, cc, clang or gcc) makes one, which is stored in the folder of caches of this user.

    Raises:
        DeviceError: there is no C compiler, it failed, or the library does not have the function.
    """
    with _lock:
        path = library or os.environ.get(LIBRARY_VARIABLE)
        made = _opened(os.path.abspath(path)) if path else _compiled()
        try:
            function = getattr(made, _FUNCTION)
        except AttributeError as error:
            raise DeviceError(f"the library {path} does not have the function {_FUNCTION}") from error
        function.restype = None
        function.argtypes = _ARGUMENT_TYPES
        _loaded[_FUNCTION] = function


def _opened(path: Union[str, Path]) -> Any:
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise DeviceError(f"the library cannot be loaded: {error}") from error


def _compiler() -> List[str]:
    names = [os.environ["CC"]] if os.environ.get("CC") else ["cc", "clang", "gcc"]
    for words in map(shlex.split, names):
        if words and shutil.which(words[0]):
            return words
    raise DeviceError(f"there is no C compiler ({', '.join(names)}); install one, such as gcc, or set CC")


def _output(command: Sequence[str]) -> str:
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if ran.returncode != 0:
        raise DeviceError(f"{command[0]} failed: {(ran.stderr or ran.stdout).strip()[-2000:]}")
    return ran.stdout


def _compiled() -> Any:
    """The library: the one in the cache if it was made from the same text by the same compiler."""
    sources = [Path(__file__).with_name(name) for name in _SOURCES]
    compiler = _compiler()
    command = [*compiler, *_OPTIONS]
    try:
        texts = [source.read_bytes() for source in sources]
    except OSError as error:
        raise DeviceError(f"the emitted file {error.filename} must be beside the module: {error}") from error
    named = [*command, _output([*compiler, "--version"]), platform.machine()]
    key = hashlib.sha256(b"\\0".join([*map(str.encode, named), *texts])).hexdigest()
    folder = _cache()
    kept = None if folder is None else folder / f"{key}.so"
    if kept is not None and kept.exists():
        try:
            return ctypes.CDLL(str(kept))
        except OSError:
            pass  # it is damaged: it is made anew
    with tempfile.TemporaryDirectory(dir=folder) as made:
        library = Path(made) / "library.so"
        _output([*command, *(str(source) for source in sources if source.suffix == ".c"), "-o", str(library)])
        if kept is None:
            return _opened(library)
        os.replace(library, kept)
    return _opened(kept)
`;

const CTYPES: Readonly<Record<string, string>> = {
  i32: "ctypes.c_int32",
  u32: "ctypes.c_uint32",
  i64: "ctypes.c_int64",
  u64: "ctypes.c_uint64",
  u16: "ctypes.c_uint16",
  f32: "ctypes.c_float",
  f64: "ctypes.c_double",
  bool: "ctypes.c_bool",
  size: "ctypes.c_size_t",
};

const ctypeOf = (argument: CallArgument): string =>
  "array" in argument ? "ctypes.c_void_p" : (CTYPES[argument.scalar] as string);

/** Options of the emitted file, and those that make a library that Python loads. */
const optionsOf = ({ flags }: Manifest): readonly string[] => [
  ...String(flags.buildOptions).split(" "),
  ...["-O2", "-fPIC", "-shared"],
];

function backendOf(manifest: Manifest, files: readonly SourceFile[]): PythonBackend {
  // It takes the status too, which says which scatter was outside.
  const call = manifest.calls?.find((one) => one.function === kernelOf(manifest));
  const given = call?.arguments ?? [];
  const variable = `GROUPWISE_${symbolOf(manifest).slice("gw_".length).toUpperCase()}_LIBRARY`;
  const sources = files.map(({ path }) => path).filter((path) => /^gw_[^.]*\.[ch]$/.test(path));
  return {
    about: [
      "emitted C on arrays of NumPy, PyTorch, and all others on the CPU that have DLPack,",
      "__array_interface__ or a buffer. The first run compiles the .c file beside this module and stores the library.",
    ],
    imports: "ctypes hashlib os platform shlex shutil subprocess tempfile threading".split(" "),
    libraries: [],
    options: [],
    names: ["LIBRARY_VARIABLE", "load"],
    bound: "_Exchangeable",
    code: [CODE, PYTHON_CACHE],
    tables: [
      `LIBRARY_VARIABLE = ${JSON.stringify(variable)}`,
      `_FUNCTION = ${JSON.stringify(kernelOf(manifest))}`,
      `_SOURCES = ${tupleInPython(sources.map((path) => JSON.stringify(path)))}`,
      `_OPTIONS = ${tupleInPython(optionsOf(manifest).map((option) => JSON.stringify(option)))}`,
      `_ARGUMENTS: Tuple[Tuple[str, bool], ...] = ${tupleInPython(
        given.map((one) => `(${JSON.stringify(one.name)}, ${"array" in one ? "True" : "False"})`),
      )}`,
      `_ARGUMENT_TYPES: List[Any] = [${given.map(ctypeOf).join(", ")}]`,
    ],
  };
}

/** The text of `<name>.py`. */
export const printPython = (manifest: Manifest, files: readonly SourceFile[], command: string): SourceFile =>
  pythonModule(manifest, command, backendOf(manifest, files));
