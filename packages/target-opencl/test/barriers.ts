/** The barriers of an emitted text, and the artifact without each of them. */
import type { Artifact } from "@groupwise/core";

export interface Barrier {
  readonly kernel: string;
  /** Of the whole text, from 1. */
  readonly line: number;
  /** Arrays whose accesses wait for it. */
  readonly arrays: readonly string[];
  readonly without: Artifact;
}

/** A line of a kernel, and its place in the text. */
interface Line {
  readonly text: string;
  readonly at: number;
}

/**
 * The barriers that something waits for: without one of the others, accesses of each array have a barrier between them still.
 * The text must have one form for all compilers: no `groupFunctions`.
 */
export function barriersOf(artifact: Artifact): Barrier[] {
  const [file, ...others] = artifact.files;
  const lines = (file?.text ?? "").split("\n").map((text, at) => ({ text, at }));
  const starts = lines.filter(({ text }) => text.startsWith("__kernel")).map(({ at }) => at);
  return starts.flatMap((start, k) => {
    const all = lines.slice(start, starts[k + 1]);
    const kernel = /^void (\w+)\(/.exec(all[1]?.text ?? "")?.[1] ?? "";
    const arrays = all.flatMap(({ text }) => /^ +(?:volatile )?__local \w+ (\w+)\[/.exec(text)?.[1] ?? []);
    const steps = unrolled(all).filter(({ text }) => !text.includes("__local "));
    return all.filter(isBarrier).flatMap((line) => {
      const waiting = arrays.filter((array) => isWaitedFor(steps, line, array));
      if (waiting.length === 0) return [];
      const rest = lines.filter((other) => other !== line).map(({ text }) => text);
      const files = [{ path: file?.path ?? "", text: rest.join("\n") }, ...others];
      return [{ kernel, line: line.at + 1, arrays: waiting, without: { ...artifact, files } }];
    });
  });
}

const isBarrier = ({ text }: Line): boolean => text.includes("barrier(CLK_LOCAL_MEM_FENCE);");
const indentOf = (text: string): number => text.search(/\S/);

/** The head of a loop whose body is on the lines behind it. */
const LOOP = /^ *(for|while) \(.*\{$/;

/** What runs one after the other: two rounds of each loop. */
function unrolled(lines: readonly Line[]): Line[] {
  const [first, ...rest] = lines;
  if (!first) return [];
  if (!LOOP.test(first.text)) {
    const loop = rest.findIndex(({ text }) => LOOP.test(text));
    const straight = loop < 0 ? rest : rest.slice(0, loop);
    return [first, ...straight, ...unrolled(rest.slice(straight.length))];
  }
  const end = rest.findIndex(({ text }) => /^ *\}/.test(text) && indentOf(text) === indentOf(first.text));
  const body = unrolled(rest.slice(0, end));
  return [...body, ...body, ...unrolled(rest.slice(end + 1))];
}

/** Whether only this barrier parts two accesses of an array of which one is a store. */
function isWaitedFor(steps: readonly Line[], barrier: Line, array: string): boolean {
  // Accesses since some other barrier, in parts with this one between them.
  let parts: { reads: boolean; writes: boolean }[] = [{ reads: false, writes: false }];
  for (const line of steps) {
    if (line === barrier) parts.push({ reads: false, writes: false });
    else if (isBarrier(line)) parts = [{ reads: false, writes: false }];
    else if (line.text.includes(`${array}[`)) {
      const part = parts.at(-1) as (typeof parts)[number];
      const text = line.text.trim();
      if (text.startsWith(`${array}[`) || text.includes(`(&${array}[`)) part.writes = true;
      else part.reads = true;
      const touched = parts.filter(({ reads, writes }) => reads || writes);
      if (touched.length > 1 && touched.some(({ writes }) => writes)) return true;
    }
  }
  return false;
}
