// Pages printed from the tables of the code.
import { TARGET_NAMES, TARGETS } from "@groupwise/cli/targets";
import { OP_NAMES, SCALAR_NAMES } from "@groupwise/core";
import {
  BINARY,
  FUNCTION_ROWS,
  isSupported,
  NARROW,
  NARROW_NAMES,
  OPS,
  opExists,
  SCALARS,
  UNARY,
} from "@groupwise/core/target";
import { code, page, table } from "./markdown.mjs";

const LANGUAGES = TARGET_NAMES.map((name) => TARGETS[name].target);
const KINDS = { int: "signed integers", uint: "unsigned integers", float: "floats", bool: "bool" };

const kinds = (on) => on.map((kind) => KINDS[kind]).join(", ");
const value = (x) => (Object.is(x, -0) ? "-0" : String(x));

export function typesPage() {
  const rows = SCALAR_NAMES.map((name) => {
    const { kind, bits, array, hostBytes, deviceBytes, lowest, highest } = SCALARS[name];
    return [
      code(name),
      KINDS[kind],
      bits,
      `${array.name}, ${hostBytes}`,
      deviceBytes,
      value(lowest),
      value(highest),
    ];
  });
  const head = ["type", "kind", "bits", "host array, bytes an element", "device bytes", "lowest", "highest"];
  return page(
    "Element types",
    "the table `SCALARS`",
    "On the host 64-bit integers are bigint, an f16 is its 16 bits, and a bool is a byte that is 0 or 1. " +
      "The [support matrix](./support.md) lists the types of each target.",
    table(head, rows),
    "## Of arrays alone",
    "Inputs, tables, outputs and scatters may hold [narrower elements](./arrays.md), whose values have one of the types above.",
    table(["type", "values", "bits", "host array, bytes an element", "lowest", "highest"], narrowRows()),
  );
}

const narrowRows = () =>
  NARROW_NAMES.map((name) => {
    const { value: of, bits, array, hostBytes, range = ["-inf", "inf"] } = NARROW[name];
    return [code(name), code(of), bits, `${array.name}, ${hostBytes}`, ...range.map(value)];
  });

export function operatorsPage() {
  const laws = (op) => {
    const not = SCALAR_NAMES.filter((type) => opExists(op, type) && !OPS[op].exactlyAssociative(type));
    return not.length ? `except ${not.join(", ")}, where the order matters` : "yes";
  };
  const identity = (op) => {
    const by = new Map();
    for (const type of SCALAR_NAMES.filter((name) => opExists(op, name))) {
      const text = value(OPS[op].identity(type));
      by.set(text, [...(by.get(text) ?? []), type]);
    }
    return [...by]
      .map(([text, types]) => (by.size === 1 ? text : `${text} (${types.join(", ")})`))
      .join("; ");
  };
  const elementWise = (ops) =>
    Object.entries(ops).map(([op, { on, lacking = [], summary }]) => [
      code(op),
      `${kinds(on)}${lacking.length ? ` except ${lacking.join(", ")}` : ""}`,
      summary,
    ]);
  return page(
    "Operators",
    "the tables `OPS`, `BINARY`, `UNARY` and `FUNCTION_ROWS`",
    "## Of collectives",
    "Reduces and scans accept these; `all` and `any` are `logical-and` and `logical-or` of a predicate.",
    table(
      ["operator", "result", "for", "identity", "same bits in any order"],
      OP_NAMES.map((op) => [code(op), OPS[op].summary, kinds(OPS[op].on), identity(op), laws(op)]),
    ),
    "## Element-wise, two operands",
    table(["operator", "for", "result"], elementWise(BINARY)),
    "## Element-wise, one operand",
    table(["operator", "for", "result"], elementWise(UNARY)),
    "## Functions",
    "Each gives the same bits on every target, and rounds once where it rounds. " +
      "How they are computed: [exact functions](./guide/docs/decisions/exact-functions.md), " +
      "[elementary functions](./guide/docs/decisions/elementary-functions.md).",
    table(["function", "for", "result"], elementWise(FUNCTION_ROWS)),
  );
}

export function supportPage() {
  const reasons = [];
  const mark = (support) => {
    if (isSupported(support)) return "yes";
    if (!reasons.includes(support.unsupported)) reasons.push(support.unsupported);
    return `no (${reasons.indexOf(support.unsupported) + 1})`;
  };
  const rows = (label, of) => [label, ...LANGUAGES.map(({ capabilities }) => of(capabilities))];
  const number = (x) => (Number.isFinite(x) ? x.toLocaleString("en-US") : "no limit");
  const body = [
    ...SCALAR_NAMES.map((type) => rows(code(type), (c) => mark(c.scalars[type]))),
    rows("arrays of 8 and 16 bits", (c) => (typeof c.narrow === "object" ? mark(c.narrow) : c.narrow)),
    rows("scatter", (c) => mark(c.scatter)),
    rows("execution", (c) => c.execution),
    rows("largest work-group", (c) => number(c.maxWorkGroupSize)),
    rows("bytes of work-group memory", (c) => number(c.workGroupMemory)),
    rows("maximum number of items", (c) => number(c.maxItems)),
    rows("expanded into simpler operations", (c) => c.expand.map(code).join(", ") || "nothing"),
  ];
  return page(
    "Support matrix",
    "the capabilities of the targets",
    "What each target supports if no device is known. A runtime asks its device and may find larger limits. " +
      "Everything else is refused with the error [unsupported](./errors.md#unsupported) and the reason; " +
      "nothing degrades silently.",
    table(["", ...LANGUAGES.map(({ title }) => title)], body),
    reasons.map((reason, i) => `${i + 1}. ${reason}`).join("\n"),
    "## Quirks of drivers",
    "Faults and limits of drivers and compilers that the targets know, and what they do about each.",
    table(
      ["target", "driver", "what", "remedy"],
      TARGET_NAMES.flatMap((name) =>
        Object.values(TARGETS[name].quirks).map(({ who, what, remedy }) => [
          TARGETS[name].target.title,
          who,
          `it ${what}`,
          remedy,
        ]),
      ),
    ),
    "## Operators by element type",
    table(
      ["", ...SCALAR_NAMES.map(code)],
      OP_NAMES.map((op) => [code(op), ...SCALAR_NAMES.map((type) => (opExists(op, type) ? "yes" : ""))]),
    ),
  );
}
