/** Libraries of work-group functions as OpenCL C, each function with its scratch as an argument. */
import {
  CFamily,
  commentText,
  type Dialect,
  functionHead,
  type Library,
  type LibraryGroup,
  spellNames,
  Text,
} from "@groupwise/core/kernel";
import { isFloat, isLogical } from "@groupwise/core/target";
import { FUNCTIONS } from "../../print/functions.ts";
import { OPENCL_FEATURES } from "../../print/group-features.ts";
import { isReserved } from "../../print/keywords.ts";
import { DIALECT, elementType, valueType, vectorOf } from "../../print/spelling.ts";
import { callOf, type HeaderNames, type LibraryCalls, PAIR } from "./names.ts";

/** What a header calls the type of a library's functions, and which of a pair of scans it holds. */
export interface WantedHeader {
  readonly suffix: string;
  readonly calls: LibraryCalls;
}

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
    // PoCL copies what follows a loop with a barrier that may run no round, and PoCL 7.1 does not see through min and max.
    this.family = new CFamily({ ...DIALECT, builtin, testsLast: true });
  }

  /** Prints helper functions. */
  functions(functions: Library["functions"]): void {
    for (const fn of functions)
      this.alone((text) =>
        this.family.fn(text, fn, `${this.names.macro}FN ${functionHead(fn, this.family, FUNCTIONS)}`),
      );
  }

  /** Functions of the work-group; of a pair of scans those that are wanted. */
  groups(groups: readonly LibraryGroup[], wanted: WantedHeader): void {
    for (const fn of groups) this.alone((text) => this.group(text, fn, wanted));
  }

  /** A function's names are its own: words of other functions do not matter. */
  private alone(print: (text: Text) => void): void {
    const text = new Text();
    print(text);
    this.text.line();
    for (const line of spellNames(text.toString(), isReserved).trimEnd().split("\n")) this.text.line(line);
  }

  private group(text: Text, fn: LibraryGroup, wanted: WantedHeader): void {
    const { family, names } = this;
    const isPair = fn.of.kind === "scans";
    for (const line of fn.doc) text.line(`// ${commentText(line)}`);
    const head = `${names.macro}FN ${vectorOf(fn.returns, fn.width)} ${fn.name}(${this.params(fn)}) {`;
    text.block(head, () => {
      const isNative = !isPair && this.native(text, fn);
      if (isFloat(fn.returns)) text.line("#pragma OPENCL FP_CONTRACT OFF");
      // The words of a value are in two arrays, each of which has room for the same number of elements.
      fn.shared.forEach(({ type: of, name }, i) => {
        const element = elementType(of);
        const at = ` + ${names.macro}SCRATCH(${names.prefix}local_size())`.repeat(i);
        text.line(`__local ${element}* ${family.name(name)} = (__local ${element}*)scratch${at};`);
      });
      family.block(text, fn.body);
      if (isNative) text.line("#endif");
    });
    if (isPair) this.pair(text, fn, wanted);
  }

  /** The scans of a pair as functions of their own. */
  private pair(text: Text, fn: LibraryGroup, { suffix, calls }: WantedHeader): void {
    const { family, names } = this;
    for (const [part, kind] of PAIR.entries()) {
      const call = callOf({ ...fn.of, kind });
      if (!calls.includes(call)) continue;
      const head = `${names.macro}FN ${valueType(fn.returns)} ${names.prefix}${call}_${suffix}(${this.params(fn)}) {`;
      text.block(head, () => {
        const isNative = this.native(text, { ...fn, of: { ...fn.of, kind } });
        text.line(`return ${fn.name}(${family.name("x")}, scratch).${"xy"[part]};`);
        if (isNative) text.line("#endif");
      });
    }
  }

  private params(fn: LibraryGroup): string {
    const [x, ...rest] = fn.params.map((p) => `const ${valueType(p.type)} ${this.family.name(p.name)}`);
    return [x, "__local void* scratch", ...rest].join(", ");
  }

  /** Prints a call of the device's own function, if it guarantees one, before the other code. Returns true if there may be one. */
  private native(text: Text, { of, feature }: LibraryGroup): boolean {
    // The standard's logical operators take any ints, these functions 0 and 1 alone.
    if (!feature || !of.op || isLogical(of.op)) return false;
    text.line(`#ifdef ${this.names.macro}${OPENCL_FEATURES[feature].headerMacro}`);
    text.line("(void)scratch;");
    text.line(`return work_group_${callOf(of)}(${this.family.name("x")});`);
    text.line("#else");
    return true;
  }
}
