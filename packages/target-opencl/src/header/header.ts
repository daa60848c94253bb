/** One OpenCL C header with every work-group function, for kernels that people write themselves. */
import { errorOf, GENERATOR, OP_NAMES, opExists, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import {
  CFamily,
  commentText,
  type Dialect,
  type Fn,
  type GroupFn,
  LIBRARY_FUNCTIONS,
  type Library,
  type LibraryFunction,
  libraryOf,
  Text,
} from "@groupwise/core/kernel";
import { openclCapabilities } from "../capabilities.ts";
import { functionHead } from "../emit.ts";
import { DIALECT, elementType, valueType, vectorOf } from "../spelling.ts";
import { guide, type HeaderNames, overloads, preamble, standardNames, votes } from "./parts.ts";

/** Choices for a header; nothing is needed. */
export interface OpenClHeaderOptions {
  /** What names begin with; `gw_` when not given. */
  readonly prefix?: string;
  /** The largest work-group, 8192 when not given. A work-item holds two values for each doubling. */
  readonly maxWorkGroupSize?: number;
  /** The command that makes it again, for a comment. */
  readonly command?: string;
}

/** The condition under which a type is there; the others always are. */
const GUARDS: Readonly<Partial<Record<Scalar, string>>> = {
  i64: "HAS_LONG",
  u64: "HAS_LONG",
  f16: "HAS_HALF",
  f64: "HAS_DOUBLE",
};

/** Operators that devices may have themselves, by what they promise them with. */
const NATIVE: Readonly<Record<string, string>> = {
  add: "NATIVE_COLLECTIVES",
  min: "NATIVE_COLLECTIVES",
  max: "NATIVE_COLLECTIVES",
  mul: "NATIVE_ARITHMETIC",
  and: "NATIVE_ARITHMETIC",
  or: "NATIVE_ARITHMETIC",
  xor: "NATIVE_ARITHMETIC",
};

const PREFIX = /^[A-Za-z](?:_?[A-Za-z0-9])*_?$/;

/**
 * The text of the header: every function and element type that OpenCL C has. Deterministic.
 * @throws GroupwiseError `bad-name` for a prefix that begins no name
 */
export function openclHeader(options: OpenClHeaderOptions = {}): string {
  const { prefix = "gw_", maxWorkGroupSize = 8192, command = "groupwise header --target opencl" } = options;
  if (!PREFIX.test(prefix) || prefix.length > 32)
    throw errorOf("bad-name", { name: prefix, what: "a prefix" });
  const names: HeaderNames = { prefix, macro: prefix.toUpperCase() };
  // Each type is the language's own, behind the condition under which it is there.
  const capabilities = openclCapabilities({ fp64: true, fp16: true });
  const library = libraryOf(LIBRARY_FUNCTIONS.filter(isWanted), capabilities, {
    workGroupSize: maxWorkGroupSize,
    sizeKnown: false,
    taken: ["scratch"],
    name: (fn) => nameOf(prefix, fn),
    helper: (name) => `${prefix}${name}`,
  });
  const text = new Text();
  const put = (lines: readonly string[]): void => {
    for (const line of lines) text.line(line);
  };
  put(guide(names, GENERATOR, command));
  text.line(`#ifndef GROUPWISE_HEADER_${prefix}H`);
  text.line(`#define GROUPWISE_HEADER_${prefix}H`);
  text.line();
  put(preamble(names, maxWorkGroupSize));
  const printed = new Printer(text, names, library);
  printed.functions(undefined);
  for (const type of SCALAR_NAMES) {
    const guard = GUARDS[type];
    text.line();
    text.line(`// ${type === "bool" ? "votes" : valueType(type)}`);
    if (guard) text.line(`#ifdef ${names.macro}${guard}`);
    printed.functions(type);
    if (type === "bool") put(votes(names));
    else put(overloads(names, valueType(type), opsOf(type).map(underscored)));
    if (guard) text.line("#endif");
  }
  put(standardNames(names));
  text.line();
  text.line("#endif");
  return text.toString();
}

/** Scans come in pairs, so that each type and operator has its butterfly once; bools have votes alone. */
const isWanted = ({ kind, type }: LibraryFunction): boolean =>
  kind !== "scan-inclusive" && kind !== "scan-exclusive" && (type !== "bool" || isVote(kind));
const isVote = (kind: LibraryFunction["kind"]): boolean => kind === "all" || kind === "any";
const opsOf = (type: Scalar): readonly string[] => OP_NAMES.filter((op) => opExists(op, type));
const underscored = (name: string): string => name.replaceAll("-", "_");

const nameOf = (prefix: string, { kind, op, type }: LibraryFunction): string =>
  prefix + underscored([kind, op, valueType(type)].filter(Boolean).join("-"));

class Printer {
  private readonly text: Text;
  private readonly names: HeaderNames;
  private readonly library: Library;
  private readonly family: CFamily;

  constructor(text: Text, names: HeaderNames, library: Library) {
    this.text = text;
    this.names = names;
    this.library = library;
    const places: Readonly<Record<string, string>> = {
      "local-id": `${names.prefix}local_linear_id()`,
      "group-size": `${names.prefix}local_size()`,
    };
    const builtin: Dialect["builtin"] = (name) => places[name] ?? DIALECT.builtin(name);
    this.family = new CFamily({ ...DIALECT, builtin });
  }

  /** The functions of an element type; those that no type is named in where it is undefined. */
  functions(type: Scalar | undefined): void {
    for (const fn of this.library.functions.filter((other) => typeOf(other) === type)) {
      this.text.line();
      this.family.fn(this.text, fn, `${this.names.macro}FN ${functionHead(fn, this.family)}`);
    }
    if (type === undefined) return;
    for (const fn of this.library.groups.filter((group) => group.params[0]?.type === type)) this.group(fn);
  }

  private group(fn: GroupFn): void {
    const { text, family, names } = this;
    const [x, ...rest] = fn.params.map((p) => `const ${valueType(p.type)} ${family.name(p.name)}`);
    const params = [x, "__local void* scratch", ...rest].join(", ");
    const type = valueType(fn.returns);
    const native = nativeGuard(fn, names);
    const device = fn.name.replace(names.prefix, "work_group_").replace(/_[a-z]+$/, "");
    text.line();
    for (const line of fn.doc) text.line(`// ${commentText(line)}`);
    const head = `${names.macro}FN ${vectorOf(fn.returns, fn.width)} ${family.name(fn.name)}(${params}) {`;
    text.block(head, () => {
      if (native && fn.width === 1) this.native(native, `${device}(x)`);
      if (isFloat(fn.returns)) text.line("#pragma OPENCL FP_CONTRACT OFF");
      for (const array of fn.shared) {
        const element = elementType(array.type);
        text.line(`__local ${element}* ${family.name(array.name)} = (__local ${element}*)scratch;`);
      }
      family.block(text, fn.body);
      if (native && fn.width === 1) text.line("#endif");
    });
    ["exclusive", "inclusive"].slice(0, fn.width === 2 ? 2 : 0).forEach((kind, part) => {
      const scan = (name: string): string => name.replace("scans_", `scan_${kind}_`);
      text.block(`${names.macro}FN ${type} ${scan(fn.name)}(${params}) {`, () => {
        if (native) this.native(native, `${scan(device)}(x)`);
        text.line(`return ${fn.name}(x, scratch).${"xy"[part]};`);
        if (native) text.line("#endif");
      });
    });
  }

  /** The device's own function, where it promises it; else what follows. */
  private native(guard: string, call: string): void {
    this.text.line(`#ifdef ${guard}`);
    this.text.line("(void)scratch;");
    this.text.line(`return ${call};`);
    this.text.line("#else");
  }
}

const isFloat = (type: Scalar): boolean => type === "f16" || type === "f32" || type === "f64";

/** The only element type that a helper's name ends in, as in `min_f32`. */
const typeOf = (fn: Fn): Scalar | undefined =>
  SCALAR_NAMES.find((type) => fn.name.endsWith(`_${type}`) && GUARDS[type] !== undefined);

/** Integers alone: their results do not depend on who computes them. */
function nativeGuard(fn: GroupFn, { prefix, macro }: HeaderNames): string | undefined {
  const name = fn.name.slice(prefix.length);
  const [, op = ""] = /^(?:reduce|scans)_([a-z]+)_u?(?:int|long)$/.exec(name) ?? [];
  return NATIVE[op] && macro + NATIVE[op];
}
