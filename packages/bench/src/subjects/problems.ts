/** What is wrong with a primitive on a device: beside plain loops and, where the order of sums decides, beside JavaScript. */
import type { ArrayType, Runtime } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference } from "@groupwise/testkit";
import { compiledOn, type PrimitiveSubject, run, trialOf, wrong } from "./subject.ts";

const js = jsRuntime();

async function problemsAt(
  runtime: Runtime,
  subject: PrimitiveSubject,
  n: number,
): Promise<readonly string[]> {
  const trial = trialOf(subject, n, "devices");
  const got = await run(runtime, subject, trial);
  const found = wrong(subject, trial, got);
  if (!trial.bound || found.length > 0) return found;
  const same = await run(js, subject, trial);
  return Object.entries(same).flatMap(([name, array]) => {
    const other = difference(subject.types[name] as ArrayType, got[name], array);
    return other ? [`${name}, beside JavaScript: ${other.text}`] : [];
  });
}

/** The problems, one line each. @param lengths numbers of items */
export async function problemsOf(
  runtime: Runtime,
  subject: PrimitiveSubject,
  lengths: readonly number[],
): Promise<readonly string[]> {
  const kept = await compiledOn(runtime, subject);
  try {
    const problems: string[] = [];
    for (const n of lengths)
      for (const text of await problemsAt(runtime, subject, n)) problems.push(`${n} items: ${text}`);
    return problems;
  } finally {
    kept.dispose();
  }
}
