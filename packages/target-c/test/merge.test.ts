/** States in C: merged, taken apart, and continued, byte for byte as the core does. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, type HostArray } from "@groupwise/core";
import {
  type Block,
  carriedOf,
  emptyState,
  encodeState,
  mergeStates,
  type State,
  type StateOperator,
  stepper,
  type Total,
  typesOfState,
} from "@groupwise/core/state";
import { SCALARS } from "@groupwise/core/target";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { chunkFiles } from "../src/state/files.ts";
import { carried, inputsOf, numbers } from "./carried.ts";
import { compiled, emptyFolder, findProgram, STRICT } from "./support.ts";

const gcc = (): ReturnType<typeof findProgram> => findProgram("gcc");
const INPUTS = ["x", "d", "h", "l", "starts"] as const;
const OUTPUTS = [
  ...["sums", "doubles", "products", "trend_a", "trend_b", "peaks"],
  ...["best_value", "best_index", "halves", "wide", "least", "some", "total", "numbers"],
];

/** Commands come from stdin: `m`erge two states, the state `o`f a part, or a `s`tep from a state. */
const MAIN = `#include "gw_carried_state.h"
#include <stdio.h>
#include <stdlib.h>
typedef struct gw_carried_state state;
static void take(void *to, size_t bytes) { if (bytes > 0 && fread(to, 1, bytes, stdin) != bytes) exit(9); }
static uint64_t number(void) { uint64_t x; take(&x, sizeof x); return x; }
static void take_state(state *to, uint64_t from, uint64_t end) {
  static unsigned char bytes[sizeof(state)];
  take(bytes, number());
  gw_carried_unpack(to, from, end, bytes);
}
static void give_state(const state *from) {
  static unsigned char bytes[sizeof(state)];
  const size_t size = gw_carried_pack(from, bytes);
  if (size != gw_carried_pack(from, NULL)) exit(8);
  fwrite(bytes, 1, size, stdout);
}
static void *array(size_t bytes) { return malloc(bytes > 0 ? bytes : 1); }
int main(void) {
  for (int what = getchar(); what != EOF; what = getchar()) {
    const uint64_t from = number(), to = number(), end = number();
    state left, right;
    if (what == 'm') {
      take_state(&left, from, to);
      take_state(&right, to, end);
      // The result may stand where an operand stood.
      if (gw_carried_merge(&left, &right, end % 2 == 0 ? &left : &right) != GW_OK) return 7;
      give_state(end % 2 == 0 ? &left : &right);
      continue;
    }
    const size_t n = end - to;
    float *x = array(4 * n); double *d = array(8 * n); uint16_t *h = array(2 * n); int64_t *l = array(8 * n); uint8_t *starts = array(n);
    take(x, 4 * n); take(d, 8 * n); take(h, 2 * n); take(l, 8 * n); take(starts, n);
    float *sums = array(4 * n), *products = array(4 * n), *trend_a = array(4 * n), *trend_b = array(4 * n), *peaks = array(4 * n);
    float *best = array(4 * n), total; double *doubles = array(8 * n); uint32_t *at = array(4 * n), *numbers = array(4 * n);
    uint16_t *halves = array(2 * n); int64_t *wide = array(8 * n), least; uint8_t some;
    if (what == 's') {
      take_state(&left, 0, to);
      if (gw_carried_step(&left, n, x, d, h, l, starts, sums, doubles, products, trend_a, trend_b, peaks, best, at, halves, wide, &least, &some, &total, numbers, &left) != GW_OK) return 6;
      fwrite(sums, 4, n, stdout); fwrite(doubles, 8, n, stdout); fwrite(products, 4, n, stdout); fwrite(trend_a, 4, n, stdout);
      fwrite(trend_b, 4, n, stdout); fwrite(peaks, 4, n, stdout); fwrite(best, 4, n, stdout); fwrite(at, 4, n, stdout); fwrite(halves, 2, n, stdout);
      fwrite(wide, 8, n, stdout); fwrite(&least, 8, 1, stdout); fwrite(&some, 1, 1, stdout); fwrite(&total, 4, 1, stdout); fwrite(numbers, 4, n, stdout);
    } else if (gw_carried_state_of(to, n, x, d, h, l, starts, sums, doubles, products, trend_a, trend_b, peaks, best, at, halves, wide, &least, &some, &total, numbers, &left) != GW_OK) return 5;
    give_state(&left);
    free(x); free(d); free(h); free(l); free(starts); free(sums); free(doubles); free(products); free(trend_a); free(trend_b);
    free(peaks); free(best); free(at); free(halves); free(wide); free(numbers);
  }
  return 0;
}
`;

let program: Promise<string> | undefined;
const built = (): Promise<string> => {
  program ??= build();
  return program;
};
/** The program, under sanitizers. */
async function build(): Promise<string> {
  const folder = emptyFolder();
  const { files } = chunkFiles(carried.ir, {});
  for (const { path, text } of [...files, { path: "main.c", text: MAIN }])
    writeFileSync(join(folder, path), text);
  const sources = files.map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const options = [
    ...STRICT,
    "-ffp-contract=off",
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
  ];
  expect(await compiled("gcc", [...options, "main.c", ...sources, "-o", "states"], folder)).toBe("");
  return join(folder, "states");
}

const raw = (array: HostArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const word = (x: bigint): Uint8Array => raw(BigUint64Array.of(x));
/** The totals of a state: what follows the head. */
function totalsOf(state: State): Uint8Array {
  const bytes = encodeState(state);
  return bytes.subarray(12 + new DataView(bytes.buffer).getUint32(8, true));
}
const sized = (bytes: Uint8Array): Uint8Array[] => [word(BigInt(bytes.length)), bytes];

function answer(program: string, parts: readonly Uint8Array[]): Uint8Array {
  const { status, stdout, stderr } = spawnSync(program, { input: Buffer.concat(parts), maxBuffer: 2 ** 28 });
  expect([status, String(stderr)]).toEqual([0, ""]);
  return stdout;
}
const same = (got: Uint8Array, want: readonly Uint8Array[]): boolean =>
  Buffer.compare(got, Buffer.concat(want)) === 0;

/** The state of a range whose totals are made up: no two alike, so that a wrong pair shows. */
function madeUp(from: bigint, to: bigint, next: () => number): State {
  const operators = carriedOf(check(carried.ir)).scans.map(({ operator }) => operator);
  const total = (operator: StateOperator): Total =>
    typesOfState(operator).map((type) => {
      const value = (next() - 0.5) * 2 ** Math.floor(next() * 12);
      if (type === "bool") return next() < 0.5;
      if (type === "i64") return BigInt(Math.floor(value * 2 ** 40));
      return SCALARS[type].wrap((type === "u32" ? Math.floor(next() * 2 ** 32) : value) as never) as number;
    });
  const blocksOf = (operator: StateOperator): Block[] => {
    const blocks: Block[] = [];
    for (let start = from; start < to; ) {
      let level = 63;
      while (start % 2n ** BigInt(level) !== 0n || start + 2n ** BigInt(level) > to) level--;
      blocks.push({ start, level, total: total(operator) });
      start += 2n ** BigInt(level);
    }
    return blocks;
  };
  const empty = emptyState("carried", operators, from);
  const scans = empty.scans.map((scan) =>
    scan.kind === "cover"
      ? { ...scan, blocks: blocksOf(scan.operator) }
      : { ...scan, total: total(scan.operator) },
  );
  return { ...empty, to, scans };
}

deviceTest("merging has the bytes of the core's, on adjacent ranges anywhere", gcc, async () => {
  const next = numbers(3);
  const ends = Array.from({ length: 60 }, (_, i) => {
    const bits = [3, 8, 33, 62][i % 4] as number;
    const cuts = [0, 1, 2].map(() => BigInt(Math.floor(next() * 2 ** bits)));
    return [...cuts.sort((a, b) => (a < b ? -1 : 1)), i] as unknown as [bigint, bigint, bigint, number];
  });
  // The most blocks that a range can have, and siblings that become one of 2^63 items.
  ends.push([1n, 2n ** 63n, 2n ** 64n - 1n, 0], [0n, 2n ** 62n, 2n ** 63n, 0], [5n, 5n, 5n, 0]);
  const pairs = ends.map(([from, cut, to]) => [madeUp(from, cut, next), madeUp(cut, to, next)] as const);
  const input = pairs.flatMap(([left, right]) => [
    Uint8Array.of(109),
    ...[left.from, left.to, right.to].map(word),
    ...sized(totalsOf(left)),
    ...sized(totalsOf(right)),
  ]);
  const want = pairs.map(([left, right]) => totalsOf(mergeStates(left, right)));
  expect(same(answer(await built(), input), want)).toBe(true);
});

/** Where chunks begin and how long they are: around the ends of blocks of 2^30 items too. */
const PLACES: readonly (readonly [number, number])[] = [
  [0, 0],
  [0, 70],
  [1, 200],
  [700, 37],
  [1023, 1],
  [1023, 300],
  [64, 0],
  [2 ** 30 - 20, 45],
  [2 ** 30, 5],
  [3 * 2 ** 30 - 5, 5],
  [3 * 2 ** 30 - 1, 2],
  [3 * 2 ** 30 + 1, 9],
];

deviceTest("states of parts and steps from states are those of JavaScript", gcc, async () => {
  const next = numbers(5);
  const steps = await stepper(jsRuntime(), carried);
  const input: Uint8Array[] = [];
  const want: Uint8Array[] = [];
  for (const [to, n] of PLACES) {
    const values = inputsOf(n, next);
    const state = madeUp(0n, BigInt(to), next);
    const place = [0n, BigInt(to), BigInt(to + n)].map(word);
    const arrays = INPUTS.map((name) => raw(values[name] as HostArray));
    input.push(Uint8Array.of(111), ...place, ...arrays);
    want.push(totalsOf(await steps.stateOf(values as never, { from: BigInt(to), n })));
    input.push(Uint8Array.of(115), ...place, ...arrays, ...sized(totalsOf(state)));
    const { outputs, state: after } = await steps.step(values as never, { state, n });
    const given = outputs as unknown as Readonly<Record<string, HostArray | number | bigint | boolean>>;
    want.push(...OUTPUTS.map((name) => bytesOf(name, given[name] as HostArray)), totalsOf(after));
  }
  steps.dispose();
  expect(same(answer(await built(), input), want)).toBe(true);
});

/** An output as it stands in memory; reduces may come as scalars. */
function bytesOf(name: string, value: HostArray | number | bigint | boolean): Uint8Array {
  if (typeof value === "object") return raw(value);
  if (name === "least") return raw(BigInt64Array.of(value as bigint));
  return raw(name === "some" ? Uint8Array.of(Number(value)) : Float32Array.of(value as number));
}
