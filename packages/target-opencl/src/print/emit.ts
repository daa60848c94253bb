/** One .cl file with all kernels of a pipeline, and its manifest. */
import {
  type Artifact,
  type EmitOptions,
  type Manifest,
  type Pass,
  type Plan,
  printManifest,
} from "@groupwise/core";
import {
  allExprs,
  argumentsOfKernel,
  assumedBy,
  atomicArrays,
  blocksOf,
  CFamily,
  CONSTANTS_HERE,
  commentText,
  type Expr,
  exprsOf,
  fixed,
  headOf,
  type Kernel,
  type Module,
  manifestOf,
  outline,
  partsOf,
  printFunctions,
  type Stmt,
  shareArrays,
  spellNames,
  statementsOf,
  type Taken,
  Text,
  takenBy,
  typesIn,
  usesSubgroups,
} from "@groupwise/core/kernel";
import { countOf, GENERATOR, GROUP_FEATURES, type GroupFeature } from "@groupwise/core/target";
import { printAtomics } from "./atomics.ts";
import { dialectFor, FUNCTIONS } from "./functions.ts";
import { OPENCL_FEATURES } from "./group-features.ts";
import { isReserved } from "./keywords.ts";
import { printReductions, REDUX, reductionsIn } from "./lane-reductions.ts";
import { EXTENSIONS, elementType, IN_CHUNKS } from "./spelling.ts";
import { printWarps, shuffledIn, votesIn } from "./warps.ts";

const TARGET = "opencl";
/** Bytes: the largest vector of the language, which a sub-buffer is aligned to on every device. */
const LEAST_ALIGNMENT = 128;
const DIVIDE = "-cl-fp32-correctly-rounded-divide-sqrt";

export function emitOpenCl(plan: Plan, options: EmitOptions): Artifact {
  const name = plan.checked.pipeline.name;
  const native = dividesFloats(plan.module);
  const groupFeatures = groupFeaturesOf(plan.module);
  const hasShuffles = usesSubgroups(plan.module);
  const more = native ? [DIVIDE] : [];
  const extensions = extensionsOf(plan.module);
  const manifest = manifestOf(plan, {
    generator: GENERATOR,
    command: options.command ?? `groupwise emit ${name} --target ${TARGET}`,
    target: TARGET,
    file: `${name}.cl`,
    requires: [
      ...(native ? ["correctly-rounded-divide"] : []),
      ...extensions.map(({ feature }) => feature),
      ...(hasShuffles ? ["subgroups"] : []),
    ],
    assumes: assumedBy(plan.module, plan.capabilities),
    flags: {
      buildOptions: ["-cl-std=CL1.2", ...more].join(" "),
      ...((groupFeatures.length > 0 || hasShuffles) && {
        buildOptionsCL2: ["-cl-std=CL2.0", ...more].join(" "),
        buildOptionsCL3: ["-cl-std=CL3.0", ...more].join(" "),
      }),
      ...(reductionsIn(plan.module).length > 0 && { buildOptionsRedux: REDUX.option }),
      divide: native ? "native" : "exact",
      ...sizesOf(plan),
    },
    arrays: { alignment: LEAST_ALIGNMENT, unit: 1 },
  });
  return {
    manifest,
    files: [
      { path: `${name}.cl`, text: printProgram(plan, manifest) },
      { path: `${name}.cl.json`, text: printManifest(manifest) },
    ],
  };
}

/** The sizes that a device or a user chose. Those of look-back are the passes' own: each may have another. */
function sizesOf({ strategy, capabilities: { chunks, tile } }: Plan): Readonly<Record<string, string>> {
  if (strategy === "chunks" && chunks)
    return { chunks: `at most ${chunks.most}, of at least ${chunks.least} items` };
  if (strategy === "look-back") return {};
  return { tile: `${tile.workGroupSize} x ${tile.itemsPerWorkItem}` };
}

/** The features that the text requests from its compiler. */
const groupFeaturesOf = (module: Module): GroupFeature[] => {
  const asked = statementsOf(module).flatMap((stmt) => (stmt.kind === "choice" ? [stmt.feature] : []));
  return GROUP_FEATURES.filter((feature) => asked.includes(feature));
};
/** The extensions of the types that the text names. */
function extensionsOf(module: Module): typeof EXTENSIONS {
  const types = typesIn(module);
  return EXTENSIONS.filter(({ type }) => types.has(type));
}

function dividesFloats(module: Module): boolean {
  const isDivision = (e: Expr): boolean => e.kind === "binary" && e.op === "div" && e.type === "f32";
  return module.kernels.some((kernel) => allExprs(kernel.body).some(isDivision));
}

function printProgram(plan: Plan, manifest: Manifest): string {
  const text = new Text();
  // Drivers of CPUs call functions for conversions that saturate.
  const whole = shareArrays(plan.module, "array-parameters");
  const module = outline(whole);
  const taken = takenBy(module);
  const printer = new CFamily({ ...dialectFor(taken), ...(plan.strategy === "chunks" && IN_CHUNKS) });
  header(text, manifest);
  text.line();
  text.line(
    "// A product and a sum must not become one operation: the results would differ between devices.",
  );
  text.line("#pragma OPENCL FP_CONTRACT OFF");
  for (const { name } of extensionsOf(plan.module)) text.line(`#pragma OPENCL EXTENSION ${name} : enable`);
  features(text, plan.module, manifest);
  text.line(CONSTANTS_HERE);
  printFunctions(text, module, { whole, taken, printer }, FUNCTIONS);
  for (const [i, kernel] of module.kernels.entries()) {
    text.line();
    const pass = manifest.passes[i] as Pass;
    printKernel(text, printer, kernel, { module, taken, pass, whole: whole.kernels[i] as Kernel });
  }
  return spellNames(text.toString(), isReserved, undefined, (name, value) => `#define ${name} ${value}`);
}

function features(text: Text, module: Module, manifest: Manifest): void {
  if (manifest.requires.includes("subgroups")) {
    text.line();
    text.line("#ifdef cl_khr_subgroups");
    text.line("#pragma OPENCL EXTENSION cl_khr_subgroups : enable");
    text.line("#endif");
    text.line();
    printWarps(text, shuffledIn(module), votesIn(module));
    printReductions(text, reductionsIn(module));
  }
  printAtomics(text, module);
  const asked = groupFeaturesOf(module);
  if (asked.length === 0) return;
  text.line();
  text.line(
    "// The language's own work-group functions are used if the compiler guarantees them, unless the build",
  );
  text.line("// option -DGROUPWISE_PORTABLE is given. The results are the same.");
  text.line("#ifndef GROUPWISE_PORTABLE");
  for (const feature of asked) {
    const { promises, macro } = OPENCL_FEATURES[feature];
    text.line(`#if ${promises.join(" || ")}`);
    text.line(`#define ${macro}`);
    text.line("#endif");
  }
  text.line("#endif");
}

function header(text: Text, manifest: Manifest): void {
  const { flags } = manifest;
  for (const line of headOf(manifest)) text.line(`// ${commentText(line)}`);
  text.line(`// OpenCL C 1.2. Build options: ${flags.buildOptions}`);
  if (flags.buildOptionsCL3 !== undefined)
    text.line(
      "// -cl-std=CL3.0 or CL2.0 instead enables functions of newer versions, on devices that support them.",
    );
  if (flags.buildOptionsRedux !== undefined)
    text.line(
      `// For NVIDIA devices of compute capability ${REDUX.since}.0 or higher, add ${REDUX.option}: it takes less time.`,
    );
  text.line("// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.");
  const tiles = flags.tile === undefined ? [] : [`Tiles: ${flags.tile} items`];
  const sizes = flags.chunks === undefined ? tiles : [`Chunks: ${flags.chunks}`];
  text.line(`// ${[...sizes, `Division of floats: ${flags.divide}`].join(". ")}.`);
  text.line(`// Passes, one after the other; a pass without work-groups is skipped:`);
  for (const pass of manifest.passes) {
    text.line(
      `//   ${pass.entryPoint}: ${countOf(pass.groups, "work-group")} of ${countOf(pass.workGroupSize, "work-item")}`,
    );
  }
}

/** What the text of a kernel needs beside it. */
interface Surroundings {
  readonly module: Module;
  /** What the functions take. */
  readonly taken: ReadonlyMap<string, Taken>;
  readonly pass: Pass;
  /** The kernel with the statements of routines in place. */
  readonly whole: Kernel;
}

function printKernel(text: Text, printer: CFamily, kernel: Kernel, around: Surroundings): void {
  const { module, taken, pass, whole } = around;
  const printing = { printer, spelling: FUNCTIONS, unaliased: "restrict " };
  const rows = argumentsOfKernel(module, whole, pass, printing);
  for (const line of kernel.doc) text.line(`// ${commentText(line)}`);
  text.line(`__kernel __attribute__((reqd_work_group_size(${kernel.workGroupSize}, 1, 1)))`);
  text.line(`void ${fixed(kernel.name)}(`);
  text.indent(() => {
    rows.forEach(({ declared, about }, i) => {
      text.line(`${declared}${i < rows.length - 1 ? "," : ")"} // ${about}`);
    });
  });
  text.block("{", () => {
    const conditions = conditionsOf(kernel, taken);
    const atomics = atomicArrays({ kernels: [whole] }, "work-group");
    const declare = (condition: string | undefined): void => {
      for (const { name, type, length } of kernel.shared.filter(
        (a) => conditions.get(a.name) === condition,
      )) {
        const qualified = atomics.has(name) ? "volatile __local" : "__local";
        text.line(`${qualified} ${elementType(type)} ${printer.name(name)}[${length}];`);
      }
    };
    declare(undefined);
    // Compilers warn of what the language's own functions leave unused.
    for (const condition of new Set(conditions.values())) {
      text.bare(`#if ${condition}`);
      declare(condition);
      text.bare("#endif");
    }
    printer.block(text, kernel.body);
  });
}

/** `#if` conditions under which a work-group array is used; none for those that always are. */
function conditionsOf(kernel: Kernel, taken: ReadonlyMap<string, Taken>): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  const visit = (stmts: readonly Stmt[], path: readonly string[]): void => {
    for (const stmt of stmts) {
      const uses = exprsOf(stmt).flatMap((expr) => [...usedIn(expr, taken)]);
      if ((stmt.kind === "store" || stmt.kind === "atomic") && stmt.space === "work-group")
        uses.push(stmt.array);
      if (stmt.kind === "call") uses.push(...sharedOf(stmt.fn, taken));
      for (const array of uses) found.set(array, (found.get(array) ?? new Set()).add(path.join(" && ")));
      if (stmt.kind === "choice" && stmt.feature !== "vectors") {
        const has = `defined(${OPENCL_FEATURES[stmt.feature].macro})`;
        visit(stmt.native, [...path, has]);
        visit(stmt.portable, [...path, `!${has}`]);
      } else for (const inner of blocksOf(stmt)) visit(inner, path);
    }
  };
  visit(kernel.body, []);
  const inParts = [...found].filter(([, paths]) => !paths.has(""));
  const nested = (path: string): string => (path.includes("&&") ? `(${path})` : path);
  return new Map(
    inParts.map(([array, paths]) => [
      array,
      [...paths].map(paths.size > 1 ? nested : (path) => path).join(" || "),
    ]),
  );
}

/** The work-group arrays of an expression. */
function* usedIn(expr: Expr, taken: ReadonlyMap<string, Taken>): Generator<string> {
  if (expr.kind === "load" && expr.space === "work-group") yield expr.array;
  if (expr.kind === "call") yield* sharedOf(expr.fn, taken);
  for (const part of partsOf(expr)) yield* usedIn(part, taken);
}

const sharedOf = (fn: string, taken: ReadonlyMap<string, Taken>): readonly string[] =>
  (taken.get(fn)?.shared ?? []).map(({ name }) => name);
