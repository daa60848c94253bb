/** The text of the kernels as strings of C, so that a program needs no file beside it. */
import type { Text } from "@groupwise/core/kernel";

/** Strings of C, a line each: longer ones are more than C11 promises to take. */
export function printKernels(text: Text, source: string): void {
  const list = source.trimEnd().split("\n");
  text.line("// The kernels.");
  text.line("static const char *const KERNELS[] = {");
  text.indent(() => {
    for (const line of list) text.line(`${stringOf(`${line}\n`)},`);
  });
  text.line("};");
}

const SPELLED: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "?": "\\?" };

/** Every other byte in octal digits, which need no byte after them to end. */
function stringOf(line: string): string {
  const bytes = [...new TextEncoder().encode(line)];
  const spelled = bytes.map((byte) => {
    const letter = String.fromCharCode(byte);
    const isPlain = byte >= 32 && byte < 127;
    return SPELLED[letter] ?? (isPlain ? letter : `\\${byte.toString(8).padStart(3, "0")}`);
  });
  return `"${spelled.join("")}"`;
}
