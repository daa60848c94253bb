/** A standalone ES module: the kernel, and a function that checks its arguments and allocates arrays. */
import {
  type Artifact,
  type Binding,
  type EmitOptions,
  type Manifest,
  type Plan,
  printManifest,
} from "@groupwise/core";
import {
  CFamily,
  CONSTANTS_HERE,
  manifestOf,
  marked,
  memoryOf,
  spellNames,
  Text,
  unitsOf,
  wordsIn,
} from "@groupwise/core/kernel";
import {
  type EntryCall,
  formula,
  GENERATOR,
  hostType,
  isReservedInModule,
  moduleHelpers,
  OWN_ARRAYS,
  printEntry,
  printFormula,
  printModuleHead,
  printModuleTypes,
  withKernelCall,
} from "@groupwise/core/target";
import { arrayOf, DIALECT, moreResult } from "./spelling.ts";
import { VIEWS } from "./views.ts";

const TARGET = "js";

export function emitJs(plan: Plan, options: EmitOptions): Artifact {
  const name = plan.checked.pipeline.name;
  const command = options.command ?? `groupwise emit ${name}.json --target ${TARGET}`;
  const parts = {
    generator: GENERATOR,
    command,
    target: TARGET,
    file: `${name}.mjs`,
    requires: [],
    flags: {},
    arrays: OWN_ARRAYS,
  };
  const manifest = withKernelCall(manifestOf(plan, parts));
  return {
    manifest,
    files: [
      { path: `${name}.mjs`, text: printModule(plan, manifest) },
      { path: `${name}.d.mts`, text: printModuleTypes(manifest, (text) => declareKernel(text, manifest)) },
      { path: `${name}.mjs.json`, text: printManifest(manifest) },
    ],
  };
}

/** The order of the kernel's arguments: launch scalars, then arrays. */
export function argumentsOf(manifest: Manifest): string[] {
  return [...manifest.params, ...manifest.bindings].map(({ name }) => name);
}

/** Typed arrays, which the loops read and write in place. */
const CALL: EntryCall = {
  copies: false,
  print(text, scalars, arrays) {
    for (const { binding, array, length } of arrays)
      if (length !== undefined) text.line(`const ${marked(binding.name)} = new ${array}(${length});`);
    const views = arrays.map(({ binding }) => {
      const name = marked(binding.name);
      return unitsOf(binding) === 2 ? `wordsOf(${name})` : name;
    });
    text.line(`kernel(${[...scalars, ...views].join(", ")});`);
  },
};

/** The declaration of the loops. */
function declareKernel(text: Text, manifest: Manifest): void {
  const scalars = manifest.params.map((p) => `${marked(p.name)}: ${hostType(p.type)}`);
  const arrays = manifest.bindings.map((b) => `${marked(b.name)}: ${arrayOf(memoryOf(b))}`);
  text.line("/** The loops only: the caller provides every array, and none is checked. */");
  text.line(`export function kernel(${[...scalars, ...arrays].join(", ")}): void;`);
}

function printModule(plan: Plan, manifest: Manifest): string {
  const module = plan.module;
  const text = new Text();
  const printer = new CFamily(DIALECT);
  const width = Math.max(1, ...module.functions.map((fn) => fn.width));
  if (width > 1) {
    text.line();
    text.line("// Additional results of functions that have several.");
    for (let i = 1; i < width; i++) text.line(`let ${moreResult(i)} = 0;`);
  }
  text.line(CONSTANTS_HERE);
  for (const fn of module.functions) {
    text.line();
    printer.fn(text, fn, `function ${fn.name}(${fn.params.map((p) => printer.name(p.name)).join(", ")}) {`);
  }
  text.line();
  const body = module.kernels.flatMap((kernel) => kernel.body); // one kernel, or nothing to do
  text.line("/**");
  text.line(" * The loops only: the caller provides every array, and none is checked.");
  for (const binding of manifest.bindings)
    text.line(` * @param ${printer.name(binding.name)} ${describe(binding)}`);
  text.line(" */");
  const params = argumentsOf(manifest).map((name) => printer.name(name));
  text.block(`export function kernel(${params.join(", ")}) {`, () => printer.block(text, body));
  text.line();
  printEntry(text, manifest, CALL);
  const head = new Text();
  printModuleHead(head, manifest);
  const words = wordsIn(text.toString());
  const code = spellNames(
    text.toString(),
    isReservedInModule,
    words,
    (name, value) => `const ${name} = ${value};`,
  );
  return [head, ...moduleHelpers(words, VIEWS), code, "\n", ...moduleHelpers(words)].join("");
}

const describe = (binding: Binding): string => {
  const elements = printFormula(formula("mul", binding.elements, unitsOf(binding)));
  const words = unitsOf(binding) === 2 ? ", the low and the high word of each element" : "";
  const zero = binding.cleared ? ", all zero before the call" : "";
  const first = binding.inPlace === undefined ? "" : `, which holds ${binding.inPlace} before the call`;
  return `${binding.role}, ${arrayOf(memoryOf(binding))} of ${elements}${words}${zero}${first}`;
};
