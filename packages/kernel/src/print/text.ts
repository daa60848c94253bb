import { bare } from "@groupwise/ir/base/formula.js";

/** Lines of emitted text with indentation. */
export class Text {
  private readonly lines: string[] = [];
  private depth = 0;
  private readonly unit: string;

  constructor(unit: string = "  ") {
    this.unit = unit;
  }

  /** One line at the current depth; an empty line without the argument. */
  line(text: string = ""): void {
    this.lines.push(text === "" ? "" : this.unit.repeat(this.depth) + text);
  }

  /** One line without indentation, for preprocessor directives. */
  bare(text: string): void {
    this.lines.push(text);
  }

  /** The text of `fill`, one level deeper. */
  indent(fill: () => void): void {
    this.depth++;
    fill();
    this.depth--;
  }

  /** A head, the text of `fill` one level deeper, and a tail. */
  block(head: string, fill: () => void, tail: string = "}"): void {
    this.line(head);
    this.indent(fill);
    this.line(tail);
  }

  /** The body and the end of a block whose head is already written. */
  indentedTail(fill: () => void): void {
    this.indent(fill);
    this.line("}");
  }

  /** The whole text; it ends in a line break. */
  toString(): string {
    return `${this.lines.join("\n")}\n`;
  }
}

/** Text that is safe in any line comment: one line, plain characters, no trigraph of C. */
export function commentText(text: string): string {
  return text
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .replaceAll("\\", "/")
    .replaceAll(/\?(?=\?[=/'()!<>-])/g, "? ");
}

/** `(a op b)`: safe in any context. */
export const infix =
  (op: string) =>
  (a: string, b: string): string =>
    `(${a} ${op} ${b})`;
/** `f(a, b)` */
export const called =
  (fn: string) =>
  (...args: string[]): string =>
    `${fn}(${args.map(bare).join(", ")})`;
