/** The first elements of exclusive scans, compared with the bits of the specification and not with a table. */
import type { Pipeline, Scalar, Scope } from "@groupwise/core";
import { collectivesOf, SCOPES } from "../data/collectives.ts";
import { dataKind, dataOf } from "../data/data.ts";
import type { Subject } from "../subject/subject.ts";
import type { Check } from "./check.ts";

/** +INF and -INF, as the host's array holds them. */
const INFINITIES = {
  f16: [0x7c00, 0xfc00],
  f32: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  f64: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
} as const;
type Float = keyof typeof INFINITIES;

const SIZE = 64;
const pipelineOf = (type: Scalar, scope: Scope): Pipeline =>
  collectivesOf({ type, scope, workGroupSize: SIZE, ops: ["min", "max"], kinds: ["scan-exclusive"] });

/** A finite number in place of an infinity shows in element 0, and with infinite elements. */
async function infinities(subject: Subject, type: Float): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const scope of SCOPES) {
    const { run } = await subject.compile(pipelineOf(type, scope));
    for (const name of ["order", "plus infinity", "minus infinity", "infinities"]) {
      const x = dataOf(type, dataKind(type, name), 3 * SIZE, "infinities");
      const outputs = await run({ x });
      for (const [i, output] of ["min_scan_exclusive", "max_scan_exclusive"].entries()) {
        const want = INFINITIES[type][i] as number;
        for (let at = 0; at < x.length; at += scope === "device" ? x.length : SIZE) {
          const got = outputs[output]?.[at];
          if (got !== want) failures.push(`${output}, ${scope}, ${name}: [${at}] is ${got}, not ${want}`);
        }
      }
    }
  }
  return failures;
}

/** One check per type of floats. */
export function identityChecks(): readonly Check[] {
  return (Object.keys(INFINITIES) as Float[]).map((type) => ({
    name: `exclusive minima and maxima of ${type} start at +INF and -INF`,
    share: type === "f32" ? ("few" as const) : undefined,
    pipelines: () => SCOPES.map((scope) => pipelineOf(type, scope)),
    run: (subject: Subject) => infinities(subject, type),
  }));
}
