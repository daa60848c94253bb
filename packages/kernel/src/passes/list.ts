/** The passes between lowering and printing, in order. */
import type { Module } from "../language/module.ts";
import { verify } from "../language/verify.ts";
import { foldConstants } from "./base/fold.ts";
import type { ModulePass } from "./base/pass.ts";
import { testBits } from "./bit-tests.ts";
import { checkAccesses } from "./check-accesses.ts";
import { defineFunctions } from "./define.ts";
import { divideKernels } from "./divide-kernels.ts";
import { expand } from "./expand.ts";
import { linkFunctions } from "./functions.ts";
import { guardModule } from "./guard.ts";
import { removeIdle } from "./idle.ts";
import { mergeArrays } from "./in-place.ts";
import { hideLeastFloats } from "./least-floats.ts";
import { bfloatBits } from "./narrow/bfloat.ts";
import { packElements } from "./narrow/pack.ts";
import { prune } from "./prune.ts";
import { useRanges } from "./ranges.ts";
import { unmixRows } from "./rows.ts";
import { shareScratch } from "./share-scratch.ts";
import { sink } from "./sink.ts";
import { splitArrays } from "./split.ts";
import { keepSubnormals } from "./subnormals.ts";
import { legaliseTypes } from "./types/types.ts";

/** The passes to exact operations of the implementation; libraries of functions use only these. */
export const EXPANSION: readonly ModulePass[] = [
  { name: "fold", run: foldConstants },
  { name: "ranges", run: useRanges },
  { name: "bit-tests", run: testBits },
  { name: "least-floats", run: hideLeastFloats },
  { name: "expand", run: expand },
  { name: "prune", run: prune },
  { name: "guard", run: guardModule },
  { name: "subnormals", run: keepSubnormals },
  { name: "sink", run: sink },
  { name: "functions", run: linkFunctions },
];

const VERIFY: ModulePass = {
  name: "verify",
  run: (module: Module): Module => {
    verify(module);
    return module;
  },
};

/** All passes of a lowered module. */
export const PASSES: readonly ModulePass[] = [
  { name: "rows", run: unmixRows },
  { name: "define", run: defineFunctions },
  { name: "types", run: legaliseTypes },
  { name: "bfloat", run: bfloatBits },
  ...EXPANSION,
  { name: "idle", run: removeIdle },
  { name: "in-place", run: mergeArrays },
  { name: "check-accesses", run: checkAccesses },
  { name: "pack", run: packElements },
  { name: "share", run: shareScratch },
  { name: "divide", run: divideKernels },
  VERIFY,
];

/** Passes after `PASSES`, if arrays are longer than one binding. */
export const SPLIT_PASSES: readonly ModulePass[] = [{ name: "split", run: splitArrays }, VERIFY];
