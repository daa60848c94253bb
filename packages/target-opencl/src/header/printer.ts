/** Libraries of work-group functions as OpenCL C, each function with its scratch as an argument. */
import type { Op } from "@groupwise/core";
import {
  CFamily,
  commentText,
  type Dialect,
  type GroupFn,
  type Library,
  spellNames,
  Text,
} from "@groupwise/core/kernel";
import { isFloat } from "@groupwise/core/target";
import { functionHead } from "../print/emit.ts";
import { isReserved } from "../print/keywords.ts";
import { DIALECT, elementType, valueType, vectorOf } from "../print/spelling.ts";
import type { Calls, HeaderNames } from "./names.ts";

/** Operators that devices may have themselves on integers, by what they promise them with. */
const NATIVE: Readonly<Record<Op, string | undefined>> = {
  "logical-and": undefined,
  "logical-or": undefined,
  "logical-xor": undefined,
  add: "NATIVE_COLLECTIVES",
  min: "NATIVE_COLLECTIVES",
  max: "NATIVE_COLLECTIVES",
  mul: "NATIVE_ARITHMETIC",
  and: "NATIVE_ARITHMETIC",
  or: "NATIVE_ARITHMETIC",
  xor: "NATIVE_ARITHMETIC",
};

export class Printer {
  private readonly text: Text;
  private readonly names: HeaderNames;
  private readonly family: CFamily;

  constructor(text: Text, names: HeaderNames) {
    this.text = text;
    this.names = names;
    const places: Readonly<Record<string, string>> = {
      "local-id": `${names.prefix}local_linear_id()`,
      "group-size": `${names.prefix}local_size()`,
    };
    const builtin: Dialect["builtin"] = (name) => places[name] ?? DIALECT.builtin(name);
    this.family = new CFamily({ ...DIALECT, builtin });
  }

  /** A library's functions, those that others call first; of a pair of scans those that are among the calls. */
  library({ functions, groups }: Library, calls: Calls = []): void {
    for (const fn of functions)
      this.alone((text) =>
        this.family.fn(text, fn, `${this.names.macro}FN ${functionHead(fn, this.family)}`),
      );
    for (const fn of groups) this.alone((text) => this.group(text, fn, calls));
  }

  /** A function's names are its own: no word of other functions stands in their way. */
  private alone(print: (text: Text) => void): void {
    const text = new Text();
    print(text);
    this.text.line();
    for (const line of spellNames(text.toString(), isReserved).trimEnd().split("\n")) this.text.line(line);
  }

  private group(text: Text, fn: GroupFn, calls: Calls): void {
    const { family, names } = this;
    const [x, ...rest] = fn.params.map((p) => `const ${valueType(p.type)} ${family.name(p.name)}`);
    const given = family.name("x");
    const params = [x, "__local void* scratch", ...rest].join(", ");
    const type = valueType(fn.returns);
    const native = nativeGuard(fn, names);
    const device = fn.name.replace(names.prefix, "work_group_").replace(/_[a-z]+$/, "");
    for (const line of fn.doc) text.line(`// ${commentText(line)}`);
    const head = `${names.macro}FN ${vectorOf(fn.returns, fn.width)} ${fn.name}(${params}) {`;
    text.block(head, () => {
      if (native && fn.width === 1) this.native(text, native, `${device}(${given})`);
      if (isFloat(fn.returns)) text.line("#pragma OPENCL FP_CONTRACT OFF");
      // The words of a value stand in two arrays, each of which has room for the same number of elements.
      fn.shared.forEach(({ type: of, name }, i) => {
        const element = elementType(of);
        const at = ` + ${names.macro}SCRATCH(${names.prefix}local_size())`.repeat(i);
        text.line(`__local ${element}* ${family.name(name)} = (__local ${element}*)scratch${at};`);
      });
      family.block(text, fn.body);
      if (native && fn.width === 1) text.line("#endif");
    });
    ["exclusive", "inclusive"].slice(0, fn.width === 2 ? 2 : 0).forEach((kind, part) => {
      const scan = (name: string): string => name.replace("scans_", `scan_${kind}_`);
      if (!calls.some((call) => scan(fn.name).startsWith(`${names.prefix}${call}_`))) return;
      text.block(`${names.macro}FN ${type} ${scan(fn.name)}(${params}) {`, () => {
        if (native) this.native(text, native, `${scan(device)}(${given})`);
        text.line(`return ${fn.name}(${given}, scratch).${"xy"[part]};`);
        if (native) text.line("#endif");
      });
    });
  }

  /** The device's own function, where it promises it; else what follows. */
  private native(text: Text, guard: string, call: string): void {
    text.line(`#ifdef ${guard}`);
    text.line("(void)scratch;");
    text.line(`return ${call};`);
    text.line("#else");
  }
}

/** Integers alone: their results do not depend on who computes them. */
function nativeGuard(fn: GroupFn, { prefix, macro }: HeaderNames): string | undefined {
  const name = fn.name.slice(prefix.length);
  const [, op = ""] = /^(?:reduce|scans)_([a-z]+)_u?(?:int|long)$/.exec(name) ?? [];
  const native = NATIVE[op as Op];
  return native && macro + native;
}
