/** Texts in bytes and in words, which show the effect of a quarter of the memory traffic. */
import { type PipelineDefinition, pipeline, type U32Value, u8, u32 } from "@groupwise/dsl";
import { all, checkCounts, differs, hash, hashed, type Job, make, options } from "./job.ts";

const BREAK = 10;

const countsOf = (x: U32Value) => ({
  counts: u32(1).perItem().scatter({ to: x, capacity: 256, combine: "add" }),
});
function linesOf(text: U32Value, index: U32Value) {
  const isBreak = text.eq(BREAK);
  const to = isBreak.toU32().scanExclusive("add");
  const count = isBreak.toU32().reduce("add");
  return { starts: index.add(1).scatter({ to, where: isBreak, length: count }), count };
}

const words = { source: make("x", (i) => hashed(i).and(255)), items: all };
const bytes = {
  source: pipeline("make-bytes", {}, (_, { index }) => ({ x: u8(hashed(index())) }), options),
  items: all,
};

/** The same pipeline over both forms of a text. */
const bothForms = (
  name: string,
  [inWords, inBytes]: readonly [Pick<PipelineDefinition, "outputs">, Pick<PipelineDefinition, "outputs">],
  rest: Pick<Job, "outputs" | "check">,
): readonly Job[] => [
  { name: `${name} of words`, what: inWords, inputs: [words], ...rest },
  { name: `${name} of bytes`, what: inBytes, inputs: [bytes], ...rest },
];

export const TEXT_JOBS: readonly Job[] = [
  ...bothForms(
    "text: counts",
    [
      pipeline("counts-of-words", { x: u32 }, ({ x }) => countsOf(x), options),
      pipeline("counts-of-bytes", { x: u8 }, ({ x }) => countsOf(x), options),
    ],
    {
      outputs: () => ({ counts: 256 }),
      check: checkCounts((x) => x & 255),
    },
  ),
  ...bothForms(
    "text: line index",
    [
      pipeline("lines-of-words", { x: u32 }, ({ x }, { index }) => linesOf(x, index()), options),
      pipeline("lines-of-bytes", { x: u8 }, ({ x }, { index }) => linesOf(x, index()), options),
    ],
    {
      outputs: (n) => ({ starts: n, count: 1 }),
      check: async (n, read) => {
        const [count = 0] = await read("count");
        const starts = await read("starts", count);
        let at = 0;
        for (let i = 0; i < n; i++) {
          if ((hash(i) & 255) !== BREAK) continue;
          if (starts[at] !== i + 1) return differs("starts", at, starts[at], i + 1);
          at += 1;
        }
        return at === count ? undefined : differs("count", 0, count, at);
      },
    },
  ),
];
