/** An emitted module that a caller imported, as a program with checked values. */
import type { LoadedProgram } from "../api/runtime.ts";
import { checkedSides } from "../checks/range.ts";
import { ArrayProgram, type ArrayProgramParts } from "./array-program.ts";

export function loadedProgram(parts: ArrayProgramParts): LoadedProgram {
  const { manifest } = parts;
  const program = new ArrayProgram(parts);
  return {
    manifest,
    run: async (values, options) => {
      program.owned.check();
      return program.runArrays(values, options);
    },
    scratchBytes: (sides) => program.scratchBytes(checkedSides(manifest, sides)),
    dispose: () => program.owned.dispose(),
  };
}
