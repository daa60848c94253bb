/** How the visitor's file is checked: by the build, which collects the declarations, and by the worker. */
import type { CompilerOptions, ModuleKind, ModuleResolutionKind, ScriptTarget } from "typescript";

/** The visitor's file in the worker. */
export const PATH = "/pipeline.ts";

/** Numbers of TypeScript's enumerations, so that the page needs no copy of it. The sandbox has no document: no DOM. */
export const OPTIONS: CompilerOptions = {
  target: 10 satisfies ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts"],
  module: 99 satisfies ModuleKind.ESNext,
  moduleResolution: 100 satisfies ModuleResolutionKind.Bundler,
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  preserveSymlinks: true,
  skipLibCheck: true,
  noEmit: true,
};
