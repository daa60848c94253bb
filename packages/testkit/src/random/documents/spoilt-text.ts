/** Texts that are not documents. */
import type { Random } from "../../data/random.ts";
import { badText, badValue, unplain } from "./spoilt.ts";

/** A text with characters removed, doubled or inserted. */
export function spoiltText(random: Random, text: string): string {
  let made = text;
  for (let i = random.int(0, 3); i > 0; i--) {
    const at = random.int(0, made.length);
    const put = random.pick(["", "", badText(random), ...'" { } [ ] , : 0 - e9 null'.split(" ")]);
    made = made.slice(0, at) + put + made.slice(at + random.int(0, 2));
  }
  return made;
}

/** Values that are not documents. */
export function strange(random: Random): unknown {
  const head = { format: "groupwise-pipeline", version: 1, name: "x", workGroupSize: [1] };
  return random.pick<() => unknown>([
    () => badValue(random),
    () => badText(random),
    () => "[".repeat(random.pick([10, 1000, 100_000])),
    () => `${'{"nodes":'.repeat(50)}1${"}".repeat(50)}`,
    () => ({ version: badValue(random) }),
    () => ({ format: head.format, version: badValue(random) }),
    () => ({ ...head, nodes: badValue(random) }),
    () => ({
      ...{ ...head, name: badText(random), workGroupSize: badValue(random) },
      nodes: Array.from({ length: random.int(0, 60) }, () => badValue(random)),
    }),
    () => unplain(random),
    () => undefined,
  ])();
}
