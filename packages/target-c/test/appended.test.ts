/** Chunks that append elements: compactions in C, chunk after chunk and part beside part, against plain loops. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray } from "@groupwise/core";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import {
  type PickedInputs,
  picked,
  pickedInputs,
  pickedOutputs,
  raw,
  SELECTIONS,
} from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { chunkFiles } from "../src/files/state/files.ts";
import { emitMpi } from "../src/mpi.ts";
import { STATUSES } from "../src/print/names.ts";
import { emptyFolder, findProgram, keptProgram, STRICT } from "./support.ts";

/** The appended outputs, with the bytes of an element, and the outputs of items. */
const APPENDED = { sums: 4, numbers: 4, bytes: 1, signs: 1, wides: 8 } as const;
const NAMES = Object.keys(APPENDED) as (keyof typeof APPENDED)[];

const { given, files } = chunkFiles(picked.ir, {});
const args = NAMES.map((_, i) => `(void *)out[${i}], room[${i}], &length[${i}]`).join(", ");
/**
 * Chunks from stdin: the number of items, the room of each output, and the inputs. Prints for each the status, the length of each output, the elements for which there is
 * room, the totals, and the elements of the state. Arrays have exactly the room; those without room are NULL.
 */
const MAIN = `#include "gw_picked_state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { OUTPUTS = ${NAMES.length} };
static const size_t BYTES[] = {${Object.values(APPENDED).join(", ")}};
static void take(void *to, size_t bytes) { if (bytes > 0 && fread(to, 1, bytes, stdin) != bytes) exit(9); }
static void give(const void *from, size_t bytes) { if (bytes > 0) fwrite(from, 1, bytes, stdout); }
int main(int count, char **words) {
  struct gw_picked_state state;
  gw_picked_start(&state, 0);
  if (count > 2) {
    // So many items and elements before the first chunk.
    static const unsigned char zeros[sizeof(struct gw_picked_state)];
    const uint64_t before = strtoull(words[2], NULL, 10);
    gw_picked_unpack(&state, 0, strtoull(words[1], NULL, 10), zeros);
${given.appended.map(({ elements, counted }) => `    state.${elements} = before, state.${counted.member} = (uint32_t)before;`).join("\n")}
  }
  uint64_t n;
  while (fread(&n, sizeof n, 1, stdin) == 1) {
    uint64_t room[OUTPUTS], length[OUTPUTS];
    char *out[OUTPUTS];
    take(room, sizeof room);
    memset(length, 0xff, sizeof length);
    for (int i = 0; i < OUTPUTS; i++) out[i] = room[i] > 0 ? malloc(room[i] * BYTES[i]) : NULL;
    float *x = malloc(n * sizeof *x + 1), *most = malloc(n * sizeof *most + 1), total = 0;
    uint8_t *byte = malloc(n + 1);
    int64_t *wide = malloc(n * sizeof *wide + 1);
    uint32_t all = 0;
    take(x, n * sizeof *x);
    take(byte, n);
    take(wide, n * sizeof *wide);
    const uint64_t status = (uint64_t)gw_picked_step(&state, n, x, byte, wide, &total, &all, most, ${args}, &state);
    give(&status, sizeof status);
    give(length, sizeof length);
    give(&state.to, sizeof state.to);
    const uint64_t elements[] = {${NAMES.map((name) => `state.elements_of_${name}`).join(", ")}};
    give(elements, sizeof elements);
    give(&total, sizeof total);
    give(&all, sizeof all);
    for (int i = 0; i < OUTPUTS; i++) {
      give(out[i], (length[i] < room[i] ? length[i] : room[i]) * BYTES[i]);
      free(out[i]);
    }
    free(x);
    free(most);
    free(byte);
    free(wide);
  }
  return 0;
}
`;

const SANITIZED = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/** The program by a compiler; that of gcc runs under sanitizers. */
async function built(compiler: string): Promise<string> {
  const folder = emptyFolder();
  for (const { path, text } of [...files, { path: "main.c", text: MAIN }])
    writeFileSync(join(folder, path), text);
  const sources = files.map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const options = compiler === "gcc" ? SANITIZED : ["-O2"];
  return keptProgram(compiler, [...STRICT, "-ffp-contract=off", ...options, "main.c", ...sources], folder);
}

interface Chunk {
  readonly inputs: PickedInputs;
  /** The elements that each output has room for. */
  readonly rooms: readonly number[];
}

interface Answer {
  readonly status: string | undefined;
  readonly lengths: readonly number[];
  readonly to: number;
  readonly elements: readonly bigint[];
  readonly total: number;
  readonly length: number;
  /** The bytes of each output. */
  readonly outputs: readonly Buffer[];
}

const words = (values: readonly (number | bigint)[]): Uint8Array => raw(BigUint64Array.from(values, BigInt));

/** The answers to chunks, one after the other. @param before items and elements before the first one */
function answers(program: string, chunks: readonly Chunk[], before: readonly bigint[] = []): Answer[] {
  const input = chunks.flatMap(({ inputs, rooms }) => [
    words([inputs.x.length, ...rooms]),
    ...Object.values(inputs as unknown as Record<string, HostArray>).map(raw),
  ]);
  const { status, stdout, stderr } = spawnSync(program, before.map(String), {
    input: Buffer.concat(input),
    maxBuffer: 2 ** 28,
  });
  expect([status, String(stderr)]).toEqual([0, ""]);
  let at = 0;
  const take = (bytes: number): Buffer => {
    at += bytes;
    return stdout.subarray(at - bytes, at);
  };
  const number = (): bigint => take(8).readBigUInt64LE();
  const found = chunks.map(({ rooms }): Answer => {
    const code = Number(number());
    const lengths = NAMES.map(() => Number(number()));
    const to = Number(number());
    const elements = NAMES.map(() => number());
    const [total, length] = [take(4).readFloatLE(), take(4).readUInt32LE()];
    const outputs = Object.values(APPENDED).map((bytes, i) =>
      Buffer.from(take(Math.min(lengths[i] as number, rooms[i] as number) * bytes)),
    );
    return { status: STATUSES[code]?.[0], lengths, to, elements, total, length, outputs };
  });
  expect(at).toBe(stdout.length);
  return found;
}

const cut = ({ x, byte, wide }: PickedInputs, from: number, to: number): PickedInputs => ({
  x: x.subarray(from, to),
  byte: byte.subarray(from, to),
  wide: wide.subarray(from, to),
});

const lengthsOf = (outputs: Readonly<Record<string, HostArray>>): number[] =>
  NAMES.map((name) => outputs[name]?.length as number);
const bytesOf = (outputs: Readonly<Record<string, HostArray>>): Buffer[] =>
  NAMES.map((name) => Buffer.from(raw(outputs[name] as HostArray)));

/** The elements that items from one on append. */
const between = (inputs: PickedInputs, from: number, to: number): number[] =>
  lengthsOf(pickedOutputs(cut(inputs, from, to)));

const N = 1500;
/** Lengths of chunks: none, one, odd numbers, a power of two from an odd item. */
const ENDS = [0, 1, 7, 8, 264, 264, 597, N];

for (const compiler of ["gcc", "clang"])
  deviceTest(
    `${compiler}: the elements of all chunks in a row are those of plain loops`,
    () => findProgram(compiler),
    async () => {
      const program = await built(compiler);
      for (const selection of SELECTIONS) {
        const inputs = pickedInputs(selection, N);
        const chunks = ENDS.map((to, i): Chunk => {
          const from = ENDS[i - 1] ?? 0;
          // By turns as much room as there are items, and no more than there are elements.
          const rooms = i % 2 === 0 ? NAMES.map(() => to - from) : between(inputs, from, to);
          return { inputs: cut(inputs, from, to), rooms };
        });
        const got = answers(program, chunks);
        expect(got.map(({ status }) => status)).toEqual(ENDS.map(() => "GW_OK"));
        for (const [i, { lengths, to, elements }] of got.entries()) {
          expect([selection, i, lengths]).toEqual([selection, i, between(inputs, ENDS[i - 1] ?? 0, to)]);
          expect(elements.map(Number)).toEqual(between(inputs, 0, to));
        }
        const want = pickedOutputs(inputs);
        const joined = NAMES.map((_, k) => Buffer.concat(got.map(({ outputs }) => outputs[k] as Buffer)));
        expect(joined.map((bytes, k) => [NAMES[k], bytes.equals(bytesOf(want)[k] as Buffer)])).toEqual(
          NAMES.map((name) => [name, true]),
        );
        expect(got.at(-1)).toMatchObject({ total: want.total?.[0], length: want.length?.[0] });
      }
    },
  );

deviceTest(
  "too little room is a status: nothing is written past it, the lengths are those that are needed, and the state stays",
  () => findProgram("gcc"),
  async () => {
    const program = await built("gcc");
    const inputs = pickedInputs("some", 700);
    const first = cut(inputs, 0, 301);
    const rest = cut(inputs, 301, 700);
    const need = between(inputs, 301, 700);
    const enough = NAMES.map(() => 700);
    const lacking = [
      need.map((length, i) => (i === 1 ? length - 1 : length)), // one element of one output
      need.map((length, i) => (i === 4 ? 1 : length)),
      NAMES.map(() => 0), // no arrays
    ];
    const want = bytesOf(pickedOutputs(inputs)).map((bytes, i) =>
      bytes.subarray((between(inputs, 0, 301)[i] as number) * (Object.values(APPENDED)[i] as number)),
    );
    const chunks = [...lacking, need].map((rooms) => ({ inputs: rest, rooms }));
    const [, ...got] = answers(program, [{ inputs: first, rooms: enough }, ...chunks]);
    expect(got.map(({ status, to, lengths }) => [status, to, lengths])).toEqual([
      ["GW_OUTSIDE", 301, need],
      ["GW_OUTSIDE", 301, need],
      ["GW_OUTSIDE", 301, need],
      ["GW_OK", 700, need],
    ]);
    for (const { outputs } of got)
      outputs.forEach((bytes, i) => {
        expect(bytes.equals(want[i]?.subarray(0, bytes.length) as Buffer)).toBe(true);
      });
    expect(got.at(-1)?.outputs.map(({ length }) => length)).toEqual(want.map(({ length }) => length));
  },
);

deviceTest(
  "elements are counted past 2^32, and follow one another where a block of 2^30 items ends in a chunk",
  () => findProgram("gcc"),
  async () => {
    const inputs = pickedInputs("some", 400);
    const want = pickedOutputs(inputs);
    const need = lengthsOf(want);
    const [items, elements] = [2n ** 30n - 100n, 3n * 2n ** 32n - 50n];
    for (const size of [400, 200]) {
      const chunks = Array.from({ length: 400 / size }, (_, i): Chunk => {
        const [from, to] = [i * size, (i + 1) * size];
        return { inputs: cut(inputs, from, to), rooms: between(inputs, from, to) };
      });
      const got = answers(await built("gcc"), chunks, [items, elements]);
      expect(got.map(({ status, lengths }) => [status, lengths])).toEqual(
        chunks.map(({ rooms }) => ["GW_OK", rooms]),
      );
      expect(got.at(-1)?.elements).toEqual(need.map((length) => elements + BigInt(length)));
      const joined = NAMES.map((_, k) => Buffer.concat(got.map(({ outputs }) => outputs[k] as Buffer)));
      // Sums depend on the items before, which have made-up totals.
      const numbers = (want.numbers as Uint32Array).map((i) => i + Number(items));
      const bytes = bytesOf({ ...want, numbers });
      for (const [k, name] of NAMES.entries())
        if (name !== "sums") expect([name, joined[k]?.equals(bytes[k] as Buffer)]).toEqual([name, true]);
    }
  },
);

test("scatters whose elements are in another order are refused", () => {
  const to = (x: { toU32(): unknown }) => x.toU32();
  const bins = pipeline("bins", { x: f32 }, ({ x }, { index }) => ({
    last: index().scatter({ to: to(x) as never, combine: "max" }),
  }));
  // The slots count from the second element on.
  const shifted = pipeline("shifted", { x: u32 }, ({ x }) => {
    const where = x.lt(9);
    const length = where.toU32().reduce("add");
    return { some: x.scatter({ to: where.toU32().scanExclusive("add").add(1), where, length }) };
  });
  // The condition of an item depends on the previous one, which another rank has.
  const unique = pipeline("unique", { x: u32 }, ({ x }, { index }) => {
    const where = index()
      .eq(0)
      .or(x.ne(x.at(index().sub(1))));
    const counted = where.toU32();
    return { unique: x.scatter({ to: counted.scanExclusive("add"), where, length: counted.reduce("add") }) };
  });
  for (const source of [bins, shifted, unique])
    expect(() => emitMpi(source)).toThrow(expect.objectContaining({ code: "not-carried" }));
  expect(chunkFiles(unique.ir, {}).given.appended.map(({ name }) => name)).toEqual(["unique"]);
});
