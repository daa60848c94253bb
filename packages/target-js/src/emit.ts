/** A standalone ES module: the kernel, and a function that allocates its arrays and checks what it is given. */
import {
  type Artifact,
  type Binding,
  type EmitOptions,
  type Formula,
  type FormulaOp,
  type FormulaScalar,
  type FormulaVariable,
  formula,
  GENERATOR,
  inputsOf,
  type Manifest,
  mostElements,
  type Plan,
  partsOfFormula,
  printFormula,
  printManifest,
  type Scalar,
  SIDES,
  tablesOf,
  userParams,
} from "@groupwise/core";
import {
  allExprs,
  bare,
  CFamily,
  commentText,
  type Expr,
  type Kernel,
  type LaunchParam,
  manifestOf,
  memoryOf,
  Text,
  unitsOf,
} from "@groupwise/core/kernel";
import { arrayOf, DIALECT, hostArray, hostType, moreResult } from "./spelling.ts";

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
  };
  const manifest = manifestOf(plan, parts);
  return {
    manifest,
    files: [
      { path: `${name}.mjs`, text: printModule(plan, manifest) },
      { path: `${name}.d.mts`, text: printTypes(manifest) },
      { path: `${name}.mjs.json`, text: printManifest(manifest) },
    ],
  };
}

/** The order of the kernel's arguments: launch scalars, then arrays. */
export function argumentsOf(manifest: Manifest): string[] {
  return [...manifest.params, ...manifest.bindings].map(({ name }) => name);
}

function printModule(plan: Plan, manifest: Manifest): string {
  const { module } = plan;
  const text = new Text();
  header(text, manifest);
  const printer = new CFamily(DIALECT);
  const used = exprsOf(plan);
  if (used.some((e) => e.kind === "word" || e.kind === "join")) {
    text.line();
    text.line("// One double and its words; which of them is the low one is the machine's.");
    text.line("const doubleView = new Float64Array([1]);");
    text.line("const wordsView = new Uint32Array(doubleView.buffer);");
    text.line("const lowWord = wordsView[0] === 0 ? 0 : 1;");
    for (const [name, index] of [
      ["lowWordOf", "lowWord"],
      ["highWordOf", "1 - lowWord"],
    ] as const) {
      text.block(`function ${name}(double) {`, () => {
        text.line("doubleView[0] = double;");
        text.line(`return wordsView[${index}];`);
      });
    }
    text.block("function doubleOf(low, high) {", () => {
      text.line("wordsView[lowWord] = low;");
      text.line("wordsView[1 - lowWord] = high;");
      text.line("return doubleView[0];");
    });
  }
  if (used.some((e) => e.kind === "bitcast")) {
    text.line();
    text.line("// One float and its bits.");
    text.line("const floatView = new Float32Array(1);");
    text.line("const bitsView = new Uint32Array(floatView.buffer);");
    text.block("function bitsOf(float) {", () => {
      text.line("floatView[0] = float;");
      text.line("return bitsView[0];");
    });
    text.block("function floatOf(bits) {", () => {
      text.line("bitsView[0] = bits;");
      text.line("return floatView[0];");
    });
  }
  const width = Math.max(1, ...module.functions.map((fn) => fn.width));
  if (width > 1) {
    text.line();
    text.line("// Where functions leave their results but the first.");
    for (let i = 1; i < width; i++) text.line(`let ${moreResult(i)} = 0;`);
  }
  for (const fn of module.functions) {
    text.line();
    printer.fn(text, fn, `function ${fn.name}(${fn.params.map((p) => printer.name(p.name)).join(", ")}) {`);
  }
  text.line();
  const [kernel] = module.kernels as [Kernel];
  text.line("/**");
  text.line(" * The loops alone: every array is the caller's, none is checked.");
  for (const binding of manifest.bindings) text.line(` * @param ${binding.name} ${describe(binding)}`);
  text.line(" */");
  text.block(`export function kernel(${argumentsOf(manifest).join(", ")}) {`, () =>
    printer.block(text, kernel.body),
  );
  text.line();
  printEntry(text, manifest);
  return text.toString();
}

function header(text: Text, manifest: Manifest): void {
  text.line(`// ${manifest.pipeline}: made by ${manifest.generator}. Do not edit; make it again with`);
  text.line(`//   ${commentText(manifest.command)}`);
}

const exprsOf = ({ module: { kernels, functions } }: Plan): Expr[] =>
  [...kernels, ...functions].flatMap(({ body }) => [...allExprs(body)]);

/** Two words an element. */
const isInWords = (binding: Binding): boolean => unitsOf(binding) === 2;

const describe = (binding: Binding): string => {
  const elements = printFormula(formula("mul", binding.elements, unitsOf(binding)));
  const words = isInWords(binding) ? ", the low and the high word of each element" : "";
  const zero = binding.cleared ? ", all zero before the call" : "";
  const first = binding.inPlace === undefined ? "" : `, which holds ${binding.inPlace} before the call`;
  return `${binding.role}, ${arrayOf(memoryOf(binding))} of ${elements}${words}${zero}${first}`;
};

/** The identifier of a pipeline's function: `line-index` is `lineIndex`. */
function functionName(pipeline: string): string {
  return `${pipeline.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())}Pipeline`;
}

function printEntry(text: Text, manifest: Manifest): void {
  const inputs = inputsOf(manifest);
  const tables = tablesOf(manifest);
  const users = userParams(manifest);
  text.line("/**");
  text.line(" * Runs the pipeline.");
  const ofTables = tables.length > 0 ? ", one of any length for each table" : "";
  text.line(` * @param values an array for each input${ofTables}, a value for each parameter`);
  for (const line of aboutOptions(manifest)) text.line(` * ${line}`);
  text.line(" * @throws TypeError, RangeError where they do not fit");
  text.line(" */");
  text.block(`export default function ${functionName(manifest.pipeline)}(values, options = {}) {`, () => {
    const { n, nameOf } = printRange(text, manifest);
    for (const { name, binding } of inputs) {
      const copied = binding.inPlace === undefined ? "" : ".slice()";
      const array = `requireArray(values, "${name}", ${hostArray(binding.type)}, ${n})${copied}`;
      text.line(`const ${binding.name} = ${array};`);
    }
    for (const { name, type } of tables) {
      text.line(`const ${name} = requireTable(values, "${name}", ${hostArray(type)}, ${manifest.maxItems});`);
    }
    for (const { name, table } of manifest.params.filter(({ role }) => role === "table-length"))
      text.line(`const ${name} = ${table}.length;`);
    for (const user of users) {
      text.line(
        `const ${user.name} = requireNumber(values, "${user.name}", "${hostType(user.type)}", (x) => ${CONVERT[user.type]});`,
      );
    }
    const needy = manifest.bindings.find((b) => b.needsItems);
    if (needy)
      text.line(`if (${n} === 0) throw new RangeError("there is no item to broadcast for ${needy.name}");`);
    for (const { name, elements } of manifest.bindings.filter((b) => b.role === "output" && b.cleared)) {
      if (elements === "n") continue;
      const parts = [...partsOfFormula(elements)].filter((part) => typeof part === "object").reverse();
      const listed = parts.map((part) => bare(jsFormula(part, nameOf)));
      text.line(`requireSizes("${name}", ${[...listed, `${mostElements(manifest, elements)}`].join(", ")});`);
    }
    const given = new Set([...inputs.map(({ binding }) => binding), ...tables]);
    for (const binding of manifest.bindings.filter((b) => !given.has(b))) {
      text.line(
        `const ${binding.name} = new ${hostArray(binding.type)}(${jsFormula(binding.elements, nameOf)});`,
      );
    }
    const launch = [...manifest.params.map(launchValue), ...manifest.bindings.map(viewOf)];
    text.line(`kernel(${launch.join(", ")});`);
    const scatters = manifest.bindings.filter((b) => b.role === "output" && b.cleared);
    const status = manifest.bindings.find((b) => b.role === "status");
    scatters.forEach((binding, i) => {
      const bit = `${status?.name}[${Math.floor(i / 32)}] & ${2 ** (i % 32)}`;
      text.line(`if (${bit}) throw new RangeError("a scatter wrote outside of ${binding.name}");`);
    });
    const outputs = manifest.bindings.filter((b) => b.role === "output" && !b.hidden);
    text.line(`return { ${outputs.map(result).join(", ")} };`);
  });
  text.line();
  if (inputs.length > 0) {
    text.block("function requireArray(values, name, type, length) {", () => {
      text.line("const array = values[name];");
      text.line(
        "if (!(array instanceof type)) throw new TypeError(`$" + "{name} must be a $" + "{type.name}`);",
      );
      text.line(
        "if (array.length !== length) throw new RangeError(`$" +
          "{name} has $" +
          "{array.length} elements, not $" +
          "{length}`);",
      );
      text.line("return array;");
    });
  }
  if (tables.length > 0) {
    text.block("function requireTable(values, name, type, most) {", () => {
      text.line("const array = values[name];");
      text.line(
        "if (!(array instanceof type)) throw new TypeError(`$" + "{name} must be a $" + "{type.name}`);",
      );
      text.line("if (array.length > most) throw new RangeError(`$" + "{name} is too long`);");
      text.line("return array;");
    });
  }
  if (manifest.bindings.some((b) => b.role === "output" && b.cleared && typeof b.elements === "object")) {
    text.line(
      "// Kernels compute these in 32 bits: what would not fit there is no size. The last is the most.",
    );
    text.block("function requireSizes(name, ...sizes) {", () => {
      text.line("const most = sizes.pop();");
      text.line("const isSize = (x) => x >= 0 && x < 2 ** 32;");
      text.line("if (sizes.every(isSize) && sizes.at(-1) <= most) return;");
      text.line("throw new RangeError(`$" + "{name} cannot have a capacity of $" + '{sizes.join(", ")}`);');
    });
  }
  if (manifest.bindings.some(isInWords)) {
    text.line("// The same bytes as 32-bit words, the low one first.");
    text.block("function wordsOf(array) {", () => {
      text.line("if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)");
      text.line('  throw new Error("64-bit integers are taken apart on little-endian machines only");');
      text.line("return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);");
    });
  }
  if (users.some(({ type }) => type === "f16")) {
    text.line("// The 16 bits of the nearest half, ties to even: beside a large number a sum is rounded so.");
    text.block("function halfBits(x) {", () => {
      text.line("const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;");
      text.line("const size = Math.abs(x);");
      text.line("if (!(size < 65520)) return Number.isNaN(x) ? 0x7e00 : sign | 0x7c00;");
      text.line("let power = 2 ** -14;");
      text.line("let bits = sign;");
      text.block("while (2 * power <= size) {", () => {
        text.line("power *= 2;");
        text.line("bits += 1024;");
      });
      text.line("const large = 1.5 * 2 ** 42 * power;");
      text.line("return bits + (size + large - large) / (power / 1024);");
    });
  }
  if (users.length > 0) {
    text.block("function requireNumber(values, name, type, convert) {", () => {
      text.line("const value = values[name];");
      text.line("if (typeof value !== type) throw new TypeError(`$" + "{name} must be a $" + "{type}`);");
      text.line("return convert(value);");
    });
  }
}

/** What an emitted function's options mean. */
function aboutOptions(manifest: Manifest): string[] {
  const { workGroupSize, params } = manifest;
  const isLine = workGroupSize.length === 1;
  const tellsLength = inputsOf(manifest).length > 0 ? "; the inputs' length where it is absent" : "";
  const size = isLine
    ? `n: the number of items${tellsLength}`
    : `globalSize: the number of items in each of the ${workGroupSize.length} dimensions`;
  const offset = params.some((p) => p.role === "offset")
    ? ["globalOffset: what global ids count from in each dimension; zeros where it is absent"]
    : [];
  return [size, ...offset].map((line) => `@param options ${line}`);
}

/** The statements that find a run's range, and how they name what formulas are made of. */
function printRange(
  text: Text,
  manifest: Manifest,
): { n: string; nameOf: (variable: FormulaVariable | FormulaScalar) => string } {
  const { params, workGroupSize, maxItems } = manifest;
  const named = (role: LaunchParam["role"]): LaunchParam[] => params.filter((p) => p.role === role);
  const [length] = named("length") as [LaunchParam];
  const n = length.name;
  const sides = named("size");
  const isCount = (x: string): string => `!Number.isSafeInteger(${x}) || ${x} < 0`;
  if (sides.length === 0) {
    const [first] = inputsOf(manifest);
    text.line(`const ${n} = options.n${first ? ` ?? values.${first.name}?.length` : ""};`);
    text.line(`if (${isCount(n)} || ${n} > ${maxItems}) throw new RangeError("n is not a number of items");`);
  } else {
    text.line(`const [${sides.map((p) => p.name).join(", ")}] = options.globalSize ?? [];`);
    text.line(`const ${n} = ${sides.map((p) => p.name).join(" * ")};`);
    text.line(
      `if (options.globalSize?.length !== ${sides.length} || ${sides.map((p) => isCount(p.name)).join(" || ")} || ${n} > ${maxItems}) throw new RangeError("globalSize does not hold ${sides.length} numbers of items");`,
    );
  }
  for (const { name, dimension = 0 } of named("offset")) {
    const side = sides[dimension]?.name ?? n;
    text.line(`const ${name} = options.globalOffset?.[${dimension}] ?? 0;`);
    text.line(
      `if (${isCount(name)} || ${name} + ${side} > ${2 ** 32}) throw new RangeError("globalOffset leads past 2^32 in dimension ${dimension}");`,
    );
  }
  const nameOf = (variable: FormulaVariable | FormulaScalar): string =>
    typeof variable === "object"
      ? "param" in variable
        ? variable.param
        : `${variable.length}.length`
      : variable === "n" || workGroupSize.length === 1
        ? n
        : (sides[SIDES.indexOf(variable)]?.name ?? "1");
  return { n, nameOf };
}

const result = (binding: Binding): string =>
  binding.lengthFrom ? `${binding.name}: ${binding.name}.slice(0, ${binding.lengthFrom}[0])` : binding.name;

/** The nearest value of a type. */
const CONVERT: Readonly<Record<Scalar, string>> = {
  i32: "x | 0",
  u32: "x >>> 0",
  i64: "BigInt.asIntN(64, x)",
  u64: "BigInt.asUintN(64, x)",
  f16: "halfBits(x)",
  f32: "Math.fround(x)",
  f64: "x",
  bool: "x",
};

/** A launch scalar, out of the variable that holds the parameter. */
function launchValue({ name, from }: LaunchParam): string {
  // Of a half the bits are what was converted to.
  if (!from || from.type === "f16") return name;
  return `Number(BigInt.asUintN(32, ${from.name}${from.word === 0 ? "" : " >> 32n"}))`;
}

/** What kernels see of an array of the host. */
const viewOf = (binding: Binding): string => (isInWords(binding) ? `wordsOf(${binding.name})` : binding.name);

/** A size as an expression. @param name what a variable of formulas is called there */
export function jsFormula(f: Formula, name: (variable: FormulaVariable | FormulaScalar) => string): string {
  if (typeof f === "number") return String(f);
  if (typeof f === "string" || !("op" in f)) return name(f);
  const [a, b] = f.args.map((arg) => jsFormula(arg, name)) as [string, string];
  return FORMULAS[f.op](a, b);
}

const FORMULAS: Readonly<Record<FormulaOp, (a: string, b: string) => string>> = {
  add: (a, b) => `(${a} + ${b})`,
  sub: (a, b) => `(${a} - ${b})`,
  mul: (a, b) => `(${a} * ${b})`,
  "floor-div": (a, b) => `Math.floor(${a} / ${b})`,
  "ceil-div": (a, b) => `Math.ceil(${a} / ${b})`,
  min: (a, b) => `Math.min(${a}, ${b})`,
  max: (a, b) => `Math.max(${a}, ${b})`,
};

function printTypes(manifest: Manifest): string {
  const text = new Text();
  header(text, manifest);
  const inputs = inputsOf(manifest);
  const outputs = manifest.bindings.filter((b) => b.role === "output" && !b.hidden);
  const users = userParams(manifest);
  text.block("export interface Values {", () => {
    for (const { name, binding } of inputs) text.line(`readonly ${name}: ${hostArray(binding.type)};`);
    for (const b of tablesOf(manifest))
      text.line(`/** of any length */ readonly ${b.name}: ${hostArray(b.type)};`);
    for (const p of users) text.line(`readonly ${p.name}: ${hostType(p.type)};`);
  });
  text.block("export interface Outputs {", () => {
    for (const b of outputs) {
      text.line(
        `/** ${b.lengthFrom ? `as many elements as ${b.lengthFrom} tells` : `${printFormula(b.elements)} elements`} */`,
      );
      text.line(`readonly ${b.name}: ${hostArray(b.type)};`);
    }
  });
  const isLine = manifest.workGroupSize.length === 1;
  const offset = manifest.params.some((p) => p.role === "offset")
    ? "; readonly globalOffset?: readonly number[]"
    : "";
  const [about, size] = isLine
    ? ["over n items: the length of the inputs, or `options.n`", "options?: { readonly n?: number"]
    : ["over `options.globalSize` items", "options: { readonly globalSize: readonly number[]"];
  text.line(`/** Runs the pipeline ${about}. */`);
  text.line(
    `export default function ${functionName(manifest.pipeline)}(values: Values, ${size}${offset} }): Outputs;`,
  );
  const scalars = manifest.params.map((p) => `${p.name}: ${hostType(p.type)}`);
  const arrays = manifest.bindings.map((b) => `${b.name}: ${arrayOf(memoryOf(b))}`);
  text.line("/** The loops alone: every array is the caller's, none is checked. */");
  text.line(`export function kernel(${[...scalars, ...arrays].join(", ")}): void;`);
  return text.toString();
}
