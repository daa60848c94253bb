/** The text form of a module, for people: folded instructions, with names and comments. */
import { commentText, type Text } from "@groupwise/core/kernel";
import type { ValueType } from "./instructions.ts";
import { type FunctionTree, IMPORTS, type ModuleTree, type Node, type Variable } from "./tree.ts";

/** Maximum number of characters of an instruction with its operands on one line. */
const LINE = 100;

/** Writes the module. */
export function writeModule(text: Text, { functions, frame }: ModuleTree): void {
  text.line("(module");
  text.indent(() => {
    text.line(`(import "${IMPORTS.module}" "${IMPORTS.memory}" (memory 1))`);
    if (frame > 0) {
      text.line(`;; Where arrays of the functions begin, ${frame} bytes.`);
      text.line(`(import "${IMPORTS.module}" "${IMPORTS.frame}" (global $${IMPORTS.frame} i32))`);
    }
    for (const fn of functions) writeFunction(text, fn);
    const { name = "" } = functions.at(-1) ?? {};
    text.line(`(export "${name}" (func $${name}))`);
  });
  text.line(")");
}

const variables = (word: string, list: readonly Variable[]): string[] =>
  list.map(({ name, type }) => `(${word} $${name} ${type})`);

function writeFunction(text: Text, { name, doc, params, results, locals, body }: FunctionTree): void {
  text.line();
  for (const line of doc) text.line(`;; ${commentText(line)}`);
  const result = results.length > 0 ? [`(result ${results.join(" ")})`] : [];
  text.line(`(func $${name} ${[...variables("param", params), ...result].join(" ")}`.trimEnd());
  text.indent(() => {
    writeList(text, variables("local", locals));
    for (const node of body) write(text, node);
  });
  text.line(")");
}

/** Short texts, as many to a line as have room. */
function writeList(text: Text, list: readonly string[]): void {
  let line = "";
  for (const one of list) {
    if (line.length + one.length > LINE) {
      text.line(line);
      line = "";
    }
    line = line === "" ? one : `${line} ${one}`;
  }
  if (line !== "") text.line(line);
}

/** A constant: decimal digits are read back as the same float. */
function constant(type: ValueType, value: number | bigint): string {
  if (typeof value === "bigint" || type === "i32" || type === "i64") return String(value);
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

const offsetOf = (offset: number): string => (offset > 0 ? ` offset=${offset}` : "");

/** The words of an instruction before its operands. */
function head(node: Node): string {
  switch (node.kind) {
    case "const":
      return `${node.type}.const ${constant(node.type, node.value)}`;
    case "access":
      return `${node.op}${offsetOf(node.offset)}`;
    case "named":
      return `${node.op} $${node.name}`;
    case "branch":
      return `${node.op} $${node.label}`;
    case "block":
      return `${node.op} $${node.label}`;
    case "if":
      return node.result === undefined ? "if" : `if (result ${node.result})`;
    case "numeric":
      return node.op;
    case "comment":
      return "";
  }
}

/** On one line; undefined if the instruction has lines of its own. */
function flat(node: Node): string | undefined {
  if (node.kind === "comment" || node.kind === "block") return undefined;
  if (node.kind === "if") {
    if (node.result === undefined || node.then.length + node.otherwise.length > 2) return undefined;
    const parts = [node.condition, ...node.then, ...node.otherwise].map(flat);
    const [condition, then, otherwise] = parts;
    return parts.includes(undefined)
      ? undefined
      : `(${head(node)} ${condition} (then ${then}) (else ${otherwise}))`;
  }
  const parts = node.kind === "const" ? [] : node.operands.map(flat);
  return parts.includes(undefined) ? undefined : `(${[head(node), ...parts].join(" ")})`;
}

function write(text: Text, node: Node): void {
  const line = node.kind === "comment" ? `;; ${commentText(node.text)}` : flat(node);
  if (line !== undefined && (line.length <= LINE || node.kind === "comment")) text.line(line);
  else writeParts(text, node);
}

/** An instruction on several lines. */
function writeParts(text: Text, node: Node): void {
  text.block(
    `(${head(node)}`,
    () => {
      if (node.kind === "if") writeIf(text, node);
      else for (const one of innerOf(node)) write(text, one);
    },
    ")",
  );
}

const innerOf = (node: Node): readonly Node[] =>
  node.kind === "block" ? node.body : "operands" in node ? node.operands : [];

function writeIf(text: Text, { condition, then, otherwise }: Extract<Node, { kind: "if" }>): void {
  write(text, condition);
  const part = (word: string, nodes: readonly Node[]): void =>
    text.block(
      `(${word}`,
      () => {
        for (const one of nodes) write(text, one);
      },
      ")",
    );
  part("then", then);
  if (otherwise.length > 0) part("else", otherwise);
}
