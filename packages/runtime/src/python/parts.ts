/** The Python that some backends share: the passes of a queue, and a folder that keeps what was compiled. */
import { bare } from "@groupwise/ir/base/formula.js";
import type { Manifest, Pass } from "../plan/manifest.ts";
import { formulaInPython } from "./formula.ts";
import { literal, rowsOf, tupleInPython } from "./tables.ts";

/** A pass, as `passesInPython` has them. It needs `NamedTuple` and `Tuple`. */
export const PYTHON_PASS = `
class _Pass(NamedTuple):
    kernel: str
    size: int  # work-items of a work-group
    groups: _Size
    scalars: Tuple[str, ...]
    arrays: Tuple[str, ...]
`;

const namesOf = (names: readonly string[]): string => tupleInPython(names.map(literal));

function passOf({ entryPoint, workGroupSize, groups, params, bindings }: Pass): string {
  const arrays = bindings.map(({ name }) => name);
  const size = `lambda v: ${bare(formulaInPython(groups))}`;
  return `_Pass("${entryPoint}", ${workGroupSize}, ${size}, ${namesOf(params)}, ${namesOf(arrays)})`;
}

/** The table of the passes. */
export const passesInPython = ({ passes }: Manifest): readonly string[] =>
  rowsOf("_PASSES: Tuple[_Pass, ...]", passes.map(passOf), "()");

/** `_cache`, a folder for compiled code. It needs `os`. */
export const PYTHON_CACHE = `
def _cache() -> Optional[Path]:
    """A folder that only this user can write to; None if there is none."""
    try:
        base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        folder = Path(base) / "groupwise-python"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except (OSError, RuntimeError):
        return None
    is_own = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and status.st_mode & 0o022 == 0)
    return folder if is_own and os.access(folder, os.W_OK) else None
`;
