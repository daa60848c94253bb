/** A module of Python that runs emitted files: what is the same for all backends, around the text of one. */
import { commentText } from "@groupwise/kernel/print/text.js";
import type { SourceFile } from "../api/target.ts";
import type { Manifest } from "../plan/manifest.ts";
import { ARRAYS, ERRORS, RUN } from "./common.ts";
import { callOf, type PythonOption, resultsLines, runLines } from "./functions.ts";
import { moduleOf } from "./names.ts";
import { tablesOfModule } from "./tables.ts";

export type { PythonOption } from "./functions.ts";

/** How a target's files run, in Python. */
export interface PythonBackend {
  /** The arrays that `run` takes and how it runs, for the module's docstring: lines of text without backslashes and quotes. */
  readonly about: readonly string[];
  /** Modules of Python that the code uses. */
  readonly imports: readonly string[];
  /** Libraries that the code and these libraries import. */
  readonly libraries: readonly string[];
  /** Further arguments of `run`, which are those of `_Device` after the list of arrays. */
  readonly options: readonly PythonOption[];
  /** The names that users of the module may import, besides the common ones. */
  readonly names: readonly string[];
  /**
   * The class `_Device`, which extends `_Host`: `copy`, `make`, `execute`, `read` and, unless memory is NumPy's, `take` and `result`.
   * Names that users do not import begin with an underscore.
   */
  readonly code: readonly string[];
  /** Values of the pipeline that the code uses. */
  readonly tables: readonly string[];
  /** The types of arrays besides NumPy's that `run` takes, as a bound of a variable. */
  readonly bound: string;
}

const TYPING =
  "TYPE_CHECKING Any Callable Dict Generic List Mapping NamedTuple Optional Protocol Sequence Tuple TypeVar Union overload";

/** The types of arrays in hints. */
const hintsOf = ({ bound }: PythonBackend): string => `
if TYPE_CHECKING:
    import array

    from numpy.typing import NDArray

    _Buffer = Union[bytes, bytearray, memoryview, array.array[Any]]


class _Exchangeable(Protocol):
    """An array with DLPack, such as a tensor of PyTorch."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> Any: ...


_Numbers = Mapping[str, int]
_Size = Callable[[_Numbers], int]
_Given = TypeVar("_Given", bound="${bound}")
`;

const linesOf = (text: string): readonly string[] => text.trim().split("\n");

/**
 * The file `<name>.py`, which users import.
 * @param command that makes the file again
 * @category Authors
 */
export function pythonModule(manifest: Manifest, command: string, backend: PythonBackend): SourceFile {
  const name = moduleOf(manifest.pipeline, backend.libraries);
  const sections = [
    linesOf(hintsOf(backend)),
    linesOf(ERRORS),
    resultsLines(manifest),
    runLines(manifest, backend.options),
    linesOf(RUN),
    linesOf(ARRAYS),
    ...backend.code.map(linesOf),
    [...tablesOfModule(manifest), ...backend.tables],
  ];
  const body = sections.map((lines) => lines.join("\n")).join("\n\n\n");
  const typing = TYPING.split(" ").filter((word) => new RegExp(`\\b${word}\\b`).test(body));
  const imports = [...COMMON_IMPORTS, ...backend.imports].sort().map((one) => `import ${one}`);
  const names = [...COMMON_NAMES, ...backend.names].sort();
  const head = [
    `"""${manifest.pipeline}: ${backend.about[0]}`,
    ...backend.about.slice(1),
    "",
    `    import ${name}`,
    `    results = ${name}.run(${callOf(manifest, backend.options)})`,
    '"""',
    "",
    `# Made by ${manifest.generator}. Do not edit; regenerate it with`,
    `#   ${commentText(command)}`,
    "from __future__ import annotations",
    "",
    ...imports,
    "from dataclasses import dataclass",
    "from pathlib import Path",
    "from typing import (",
    ...typing.map((one) => `    ${one},`),
    ")",
    "",
    "import numpy as np",
    "",
    `__all__ = [${names.map((one) => JSON.stringify(one)).join(", ")}]`,
  ];
  return { path: `${name}.py`, text: `${head.join("\n")}\n\n${body}\n` };
}

const COMMON_IMPORTS = ["math", "operator", "sys"];
const COMMON_NAMES = ["DeviceError", "GroupwiseError", "Results", "ScatterError", "WrongTypeError", "run"];
