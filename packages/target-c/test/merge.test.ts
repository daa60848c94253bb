/** States in C: merged, taken apart, and continued, byte for byte as the core does. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "@groupwise/core";
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
import { ARRAYS, callFrom, carried, inputsOf, numbers, outputBytes, raw } from "@groupwise/testkit/mpi";
import { expect } from "vitest";
import { chunkFiles } from "../src/files/state/files.ts";
import { compiled, emptyFolder, findProgram, STRICT } from "./support.ts";

const gcc = (): ReturnType<typeof findProgram> => findProgram("gcc");
/** Commands come from stdin: `m`erge two states, the state `o`f a part, or a `s`tep from a state. */
const MAIN = `#include "gw_carried_state.h"
${ARRAYS}
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
int main(void) {
  for (int what = getchar(); what != EOF; what = getchar()) {
    const uint64_t from = number(), to = number(), end = number();
    state left, right;
    if (what == 'm') {
      take_state(&left, from, to);
      take_state(&right, to, end);
      // The result may use the array of an operand.
      if (gw_carried_merge(&left, &right, end % 2 == 0 ? &left : &right) != GW_OK) return 7;
      give_state(end % 2 == 0 ? &left : &right);
      continue;
    }
    const size_t n = end - to;
    make(n);
    for (int i = 0; i < INPUTS; i++) take(in[i], IN_BYTES[i] * n);
    if (what == 's') {
      take_state(&left, 0, to);
      if (gw_carried_step(&left, n, ${callFrom("0")}, &left) != GW_OK) return 6;
      for (int i = 0; i < OUTPUTS; i++) fwrite(out[i], 1, out_bytes(i, n), stdout);
    } else if (gw_carried_state_of(to, n, ${callFrom("0")}, &left) != GW_OK) return 5;
    give_state(&left);
    drop();
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
  const options = [...STRICT, "-ffp-contract=off", "-O0", "-fsanitize=address,undefined"];
  options.push("-fno-sanitize-recover=all");
  expect(await compiled("gcc", [...options, "main.c", ...sources, "-o", "states"], folder)).toBe("");
  return join(folder, "states");
}

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
  ...["0 0", "0 70", "1 200", "700 37", "1023 1", "1023 300", "64 0"],
  ...[
    `${2 ** 30 - 20} 45`,
    `${2 ** 30} 5`,
    `${3 * 2 ** 30 - 5} 5`,
    `${3 * 2 ** 30 - 1} 2`,
    `${3 * 2 ** 30 + 1} 9`,
  ],
].map((place) => place.split(" ").map(Number) as [number, number]);

deviceTest("states of parts and steps from states are those of JavaScript", gcc, async () => {
  const next = numbers(5);
  const steps = await stepper(jsRuntime(), carried);
  const input: Uint8Array[] = [];
  const want: Uint8Array[] = [];
  for (const [to, n] of PLACES) {
    const values = inputsOf(n, next);
    const state = madeUp(0n, BigInt(to), next);
    const place = [0n, BigInt(to), BigInt(to + n)].map(word);
    const arrays = Object.values(values).map(raw);
    input.push(Uint8Array.of(111), ...place, ...arrays);
    want.push(totalsOf(await steps.stateOf(values as never, { from: BigInt(to), n })));
    input.push(Uint8Array.of(115), ...place, ...arrays, ...sized(totalsOf(state)));
    const { outputs, state: after } = await steps.step(values as never, { state, n });
    want.push(...outputBytes(outputs), totalsOf(after));
  }
  steps.dispose();
  expect(same(answer(await built(), input), want)).toBe(true);
});
