/** What the pipelines of the gallery run on, for their pictures and tests. */
import type { RunValues } from "@groupwise/core";

const N = 48;
/** From 0 to 1, without a pattern that the eye finds. */
const noise = (i: number): number => ((i * 7919 + 31) % 101) / 101;
const wave = (i: number): number => Math.sin(i / 5) + 0.6 * (noise(i) - 0.5);

const indexes = Array.from({ length: N }, (_, i) => i);
const floats = (of: (i: number) => number): Float32Array => Float32Array.from(indexes, of);
const counts = (of: (i: number) => number): Uint32Array => Uint32Array.from(indexes, of);
const flags = (of: (i: number) => boolean): Uint8Array => Uint8Array.from(indexes, (i) => Number(of(i)));
const text = (of: string): Uint8Array => new TextEncoder().encode(of);

/** By the name of the file. */
export const INPUTS: Readonly<Record<string, RunValues>> = {
  "bracket-depth": { text: text("(a(b)(c(d)))((e))(f(g(h)))") },
  compaction: { x: floats(wave), limit: 0.4 },
  "counting-sort": { key: counts((i) => Math.floor(16 * noise(i))) },
  deviation: { x: floats(wave) },
  edges: { x: floats(wave) },
  "fill-gaps": {
    value: floats((i) => (noise(i) < 0.4 ? wave(i) + 2 : 0)),
    sent: flags((i) => noise(i) < 0.4),
  },
  "high-water-mark": { level: Int32Array.from(indexes, (i) => i + Math.round(12 * wave(i))) },
  histogram: { x: floats((i) => (noise(i) + noise(i + 40)) / 2) },
  "moving-average": { x: floats(wave) },
  normalise: { x: floats((i) => 20 + 4 * wave(i)) },
  polyline: { x: floats((i) => Math.cos(i / 4) * i), y: floats((i) => Math.sin(i / 4) * i) },
  "record-holder": { x: floats((i) => wave(i) + i / 30) },
  "running-total": { count: counts((i) => Math.round(9 * noise(i))) },
  "share-of-group": { amount: floats((i) => 1 + noise(i)), group: counts((i) => Math.floor(i / 7)) },
  "since-event": { event: flags((i) => noise(i) < 0.15) },
  smoothing: { x: floats(wave) },
  streaks: { reached: flags((i) => noise(i) < 0.7) },
  "time-left": { minutes: counts((i) => Math.round(9 * noise(i))) },
  visits: { second: counts((i) => 12 * i + 60 * Math.floor(i / 9) + Math.round(5 * noise(i))) },
  words: { text: text("every bit of this text is read by one pipeline") },
};
