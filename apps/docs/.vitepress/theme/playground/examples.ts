/** Pipelines to begin with: the project's own examples, without the programs around them. */
const FILES = import.meta.glob<string>(["../../../../../examples/*.ts", "../landing/running-mean.ts"], {
  query: "?raw",
  import: "default",
});

/** By file in `examples/`, after the pipeline of the first page: the title in the menu. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  "running-mean": "Running mean: the first page's pipeline",
  "exponential-smoothing": "Exponential smoothing: a linear recurrence as a scan of maps",
  "stream-compaction": "Compaction: the values above a limit, close together",
  "running-deviation": "Running mean and deviation: Welford's operator",
  "line-index": "Line index: lines of a text",
  argmax: "Greatest and least value, and their places",
  softmax: "Softmax of segments: reduce by key",
  "welford-by-key": "Mean and variance by key",
};

/** The declaration in an example: its headers, its support and its program are left out. */
export function declarationIn(text: string): string {
  const end = /^export default .*?;\n/m.exec(text);
  const isLast = end?.[0].startsWith("export default pipeline") ?? true;
  const code = isLast || !end ? text : text.slice(0, end.index + end[0].length);
  return code
    .replace(/^\/\*\*.*?\*\/\n/s, "")
    .replace(/^import .* from "\.\/support\/.*";\n/gm, "")
    .trimStart();
}

/** The code of an example by its name in {@link EXAMPLES}. */
export async function loadExample(name: string): Promise<string> {
  const load = FILES[`../../../../../examples/${name}.ts`] ?? FILES[`../landing/${name}.ts`];
  if (!load) throw new Error(`there is no example ${name}`);
  return declarationIn(await load());
}
