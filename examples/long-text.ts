/**
 * Where the lines of a long text begin, block by block: of a text of 1 GB only 16 MB are on the device at a time.
 *
 *   npm run example -- long-text
 *   npm run example -- long-text FILE --target all
 *
 * Why a scan: the number of line breaks before a byte is the number of its line. A scatter stores the start of the next line
 * at that index, so the starts have no gaps.
 *
 * Shapes: in, `text`, u8, one for each byte of a block, and the parameter `from`, u32: the number of the block's first byte. Out, `starts`, u32,
 * one for each line break in the block: the number of the byte after it, and `breaks`, u32, one: their number. A byte takes
 * one byte of memory instead of the four of a word.
 *
 * Look at: the longest line, which is found from the starts alone.
 *
 * Source: Blelloch, "Prefix sums and their applications" (1990), 1.3. `line-index.ts` is the same for a text of one block, with the line of each byte.
 */
import type { Runtime } from "@groupwise/core";
import { param, pipeline, u8, u32 } from "@groupwise/dsl";
import type { Session } from "./support/program.ts";

const lineStarts = pipeline("line-starts", { text: u8, from: param(u32) }, ({ text, from }, { index }) => {
  const isBreak = text.eq(10);
  const { before, total } = isBreak.toU32().scanWithTotal("add");
  const starts = index().add(from).add(1).scatter({ to: before, where: isBreak, length: total });
  return { starts, breaks: total };
});
export default lineStarts;

export const source = "data/earthquakes.csv";
const BLOCK = 2 ** 24;
const MOST_BYTES = 2 ** 32 - 1;

/** The number of the first byte of each line. The end of the text begins none. @throws RangeError for bytes whose numbers are not u32 */
export async function startsOf(
  runtime: Runtime,
  bytes: Uint8Array,
  block: number = BLOCK,
): Promise<Uint32Array> {
  if (bytes.length > MOST_BYTES) throw new RangeError(`${bytes.length} bytes are more than ${MOST_BYTES}`);
  const program = await runtime.compile(lineStarts);
  const parts: Uint32Array[] = [];
  try {
    for (let from = 0; from < bytes.length; from += block) {
      const { starts } = await program.run({ text: bytes.subarray(from, from + block), from });
      parts.push(starts);
    }
  } finally {
    program.dispose();
  }
  const all = new Uint32Array(1 + parts.reduce((sum, { length }) => sum + length, 0));
  let to = 1;
  for (const part of parts) {
    all.set(part, to);
    to += part.length;
  }
  return all.at(-1) === bytes.length ? all.subarray(0, -1) : all;
}

/** The starts, and the number of the longest line, the first of several. */
export interface Lines {
  readonly starts: Uint32Array;
  readonly longest: number;
}

export async function main({ runtime, bytes, print }: Session): Promise<Lines> {
  const starts = await startsOf(runtime, bytes);
  const lengthOf = (line: number): number => (starts[line + 1] ?? bytes.length) - (starts[line] ?? 0);
  let longest = 0;
  for (let line = 1; line < starts.length; line++) if (lengthOf(line) > lengthOf(longest)) longest = line;
  print(`${bytes.length} bytes, ${starts.length} lines`);
  if (starts.length > 0) print(`the longest is line ${longest + 1}, of ${lengthOf(longest)} bytes`);
  return { starts, longest };
}
