/** Emitted ES modules of WebAssembly in the engine that runs this: each case is imported, and has the results of the reference. */
import { type ArrayType, check, emit, type RunOptions, type RunOutputs } from "@groupwise/core";
import { typeOfSink } from "@groupwise/core/target";
import { wasm } from "@groupwise/target-wasm";
import { CASES, type Case, difference, expected } from "@groupwise/testkit";

/** Items, or work-items of a side. */
const LENGTH = 37;

interface Emitted {
  default(values: unknown, options: RunOptions): RunOutputs;
}

/** In base64: Bun chooses a loader by what follows the last dot of a URL. */
const urlOf = (text: string): string =>
  `data:text/javascript;base64,${btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""))}`;

async function differs({ ir, values }: Case): Promise<string | undefined> {
  const checked = check(ir);
  const sides = ir.workGroupSize.length;
  const options = sides === 1 ? { n: LENGTH } : { globalSize: ir.workGroupSize.map(() => 5) };
  const given = values(sides === 1 ? LENGTH : 5 ** sides, 0);
  const [file] = emit(ir, wasm).files;
  const module = (await import(urlOf(file?.text ?? ""))) as Emitted;
  const [got, want] = [module.default(given, options), expected(checked, given, options)];
  for (const sink of checked.sinks) {
    const name = sink.name;
    const found = difference(typeOfSink(checked, sink) as ArrayType, got[name], want[name] as never);
    if (found) return `${ir.name}: ${name}${found.text}`;
  }
  return undefined;
}

/** @throws Error for the first case that differs */
export async function runEmitted(): Promise<void> {
  for (const one of CASES) {
    const found = await differs(one);
    if (found !== undefined) throw new Error(`the emitted module of ${found}`);
  }
}
