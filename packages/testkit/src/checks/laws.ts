/** The laws of collectives, checked on the device's results without the reference. */
import type { HostArray, Op, RunOutputs, Scalar, Scope } from "@groupwise/core";
import { normalises, OPS, SCALARS } from "@groupwise/core/target";
import fc from "fast-check";
import { difference, toArray } from "../data/arrays.ts";
import { collectivesOf, opsToTry, outputName, SCOPES, TYPES } from "../data/collectives.ts";
import { differences } from "../data/compare.ts";
import { DATA, dataKind, dataOf } from "../data/data.ts";
import { tileOf } from "../subject/sizes.ts";
import type { Effort, Subject } from "../subject/subject.ts";
import type { Check } from "./check.ts";

const RUNS: Readonly<Record<Effort, number>> = { quick: 5, normal: 20, full: 200 };
const SIZE = 64;

/** The laws that the outputs of one group break. */
function broken(
  type: Scalar,
  op: Op,
  x: HostArray,
  group: Record<"reduce" | "inclusive" | "exclusive", HostArray>,
): string[] {
  const { reduce, inclusive, exclusive } = group;
  const identity = toArray(type, [OPS[op].identity(type)]);
  const found: string[] = [];
  const law = (text: string, got: HostArray, want: HostArray): void => {
    const different = difference(type, got, want);
    if (different) found.push(`${op} of ${x.length} ${type}: ${text}: ${different.text}`);
  };
  law("exclusive[0] is the identity", exclusive.slice(0, 1), x.length > 0 ? identity : exclusive.slice(0, 0));
  law("exclusive[i + 1] is inclusive[i]", exclusive.slice(1), inclusive.slice(0, -1));
  law("reduce is the last of inclusive", reduce, x.length > 0 ? inclusive.slice(-1) : identity);
  const plain = !normalises(op, type);
  if (plain) law("inclusive[0] is the element as it was", inclusive.slice(0, 1), x.slice(0, 1));
  return found;
}

function brokenLaws(
  ops: readonly Op[],
  type: Scalar,
  scope: Scope,
  x: HostArray,
  outputs: RunOutputs,
): string[] {
  return ops.flatMap((op) => {
    const reduce = outputs[outputName(op, "reduce")] as HostArray;
    const inclusive = outputs[outputName(op, "scan-inclusive")] as HostArray;
    const exclusive = outputs[outputName(op, "scan-exclusive")] as HostArray;
    if (scope === "device") return broken(type, op, x, { reduce, inclusive, exclusive });
    return Array.from({ length: Math.ceil(x.length / SIZE) }, (_, g) => {
      const own = (array: HostArray): HostArray => array.slice(g * SIZE, (g + 1) * SIZE);
      const group = { reduce: reduce.slice(g, g + 1), inclusive: own(inclusive), exclusive: own(exclusive) };
      return broken(type, op, own(x), group);
    }).flat();
  });
}

async function laws(subject: Subject, type: Scalar, scope: Scope): Promise<readonly string[]> {
  const ops = opsToTry(type, scope, subject.isBrief);
  const { run } = await subject.compile(collectivesOf({ type, scope, workGroupSize: SIZE, ops }));
  const most = subject.effort === "quick" ? 300 : 3 * tileOf(subject.runtime.capabilities) + 100;
  const property = fc.asyncProperty(
    fc.nat({ max: most }),
    fc.constantFrom(...DATA[SCALARS[type].kind]),
    fc.nat(),
    async (n, kind, seed) => {
      const x = dataOf(type, kind, n, seed);
      const found = brokenLaws(ops, type, scope, x, await run({ x }));
      if (found.length > 0) throw new Error(`${kind.name}, seed ${seed}: ${found.join("; ")}`);
    },
  );
  const result = await fc.check(property, {
    seed: 20_260,
    numRuns: RUNS[subject.effort],
  });
  return result.failed ? [fc.defaultReportMessage(result) ?? "a law is broken"] : [];
}

/** The same bits for every work-group size and on every run. */
async function sameBits(subject: Subject, type: Scalar): Promise<readonly string[]> {
  const kind = dataKind(type, SCALARS[type].kind === "float" ? "wide" : "random");
  const n = subject.effort === "quick" ? 1000 : 2 * tileOf(subject.runtime.capabilities) + 333;
  const x = dataOf(type, kind, n, "same bits");
  const ops =
    type === "bool"
      ? (["logical-xor"] as const)
      : subject.isThrifty
        ? (["add"] as const)
        : (["add", "mul"] as const);
  const most = subject.runtime.capabilities.maxWorkGroupSize;
  const sizes = (subject.isThrifty ? [7, 256] : [1, 7, 64, 100, 256, 1000]).filter((size) => size <= most);
  let first: RunOutputs | undefined;
  const failures: string[] = [];
  for (const size of [...sizes, ...sizes.slice(0, 1)]) {
    const { checked, run } = await subject.compile(
      collectivesOf({ type, scope: "device", workGroupSize: size, ops }),
    );
    const outputs = await run({ x });
    first ??= outputs;
    const found = differences(checked.pipeline, { x }, outputs, n, first);
    failures.push(...found.map((one) => `with work-groups of ${size}: ${one}`));
  }
  return failures;
}

/** Two checks per type and one for the work-group sizes. */
export function lawChecks(): readonly Check[] {
  return TYPES.flatMap((type) => [
    ...SCOPES.map((scope) => ({
      name: `the laws of ${scope} collectives of ${type}`,
      share: scope === "device" && type === "f32" ? ("some" as const) : undefined,
      pipelines: () => [collectivesOf({ type, scope, workGroupSize: SIZE })],
      run: (subject: Subject) => laws(subject, type, scope),
    })),
    {
      name: `device collectives of ${type} give the same bits at any work-group size, every time`,
      pipelines: () => [collectivesOf({ type, scope: "device", workGroupSize: SIZE })],
      run: (subject: Subject) => sameBits(subject, type),
    },
  ]);
}
