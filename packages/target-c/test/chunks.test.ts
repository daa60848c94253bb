/** Functions that run over a chunk, called by a program in C that has nothing but the emitted files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emitChunks } from "@groupwise/core/state";
import { f32, f64, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest } from "@groupwise/testkit/conformance";
import { runProcess } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { c } from "../src/index.ts";
import { compiled, emptyFolder, findProgram, STRICT } from "./support.ts";

const sums = pipeline("sums", { x: f32, y: f64 }, ({ x, y }, { index }) => ({
  sums: x.scanInclusive("add"),
  products: y.scanExclusive("mul"),
  most: x.reduce("max"),
  numbers: index(),
}));

const N = 100;
const PROGRAM = `#include "gw_sums.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
  const size_t size = count > 1 ? strtoul(words[1], NULL, 10) : 1;
  static float x[${N}], sums[${N}];
  static double y[${N}], products[${N}];
  static uint32_t numbers[${N}];
  float add[2][32] = {{0}}, max[2][1] = {{-INFINITY}}, most = 0;
  double mul[2][32] = {{0}};
  for (size_t i = 0; i < ${N}; i++) {
    x[i] = (float)(i * i % 17) * 0.1f - 0.3f;
    y[i] = (double)(i % 7 + 1) * 0.3;
  }
  size_t turn = 0;
  for (size_t from = 0; from < ${N}; from += size, turn = 1 - turn) {
    const size_t n = ${N} - from < size ? ${N} - from : size;
    const uint32_t place = (uint32_t)from;
    const int status = CALL;
    if (status != GW_OK) return status;
  }
  for (size_t i = 0; i < ${N}; i++) {
    uint32_t sum;
    uint64_t product;
    memcpy(&sum, &sums[i], sizeof sum);
    memcpy(&product, &products[i], sizeof product);
    printf("%" PRIu32 " %" PRIx32 " %" PRIx64 "\\n", numbers[i], sum, product);
  }
  uint32_t last;
  memcpy(&last, &most, sizeof last);
  printf("%" PRIx32 "\\n", last);
  return 0;
}
`;
const CALL = [
  ...["gw_sums(n", "place", "place", "x + from", "y + from"],
  ...["add[turn]", "32", "mul[turn]", "32", "max[turn]", "1"],
  ...["sums + from", "products + from", "&most", "numbers + from"],
  ...["add[1 - turn]", "mul[1 - turn]", "max[1 - turn])"],
].join(", ");

const bits = (array: Float32Array | Float64Array): string[] => {
  const words =
    array instanceof Float32Array ? new Uint32Array(array.buffer) : new BigUint64Array(array.buffer);
  return Array.from(words as Uint32Array, (word) => word.toString(16));
};

deviceTest(
  "chunks of any length give the lines of the whole range",
  () => findProgram("gcc"),
  async () => {
    const folder = emptyFolder();
    for (const { path, text } of emitChunks(sums, c).files) writeFileSync(join(folder, path), text);
    writeFileSync(join(folder, "main.c"), PROGRAM.replace("CALL", CALL));
    const sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    const args = [...STRICT, ...sanitizers, "main.c", "gw_sums.c", "-o", "chunks"];
    expect(await compiled("gcc", args, folder)).toBe("");
    const x = Float32Array.from({ length: N }, (_, i) =>
      Math.fround(Math.fround(((i * i) % 17) * Math.fround(0.1)) - Math.fround(0.3)),
    );
    const y = Float64Array.from({ length: N }, (_, i) => ((i % 7) + 1) * 0.3);
    const whole = await (await jsRuntime().compile(sums)).run({ x, y });
    const [singles, doubles] = [bits(whole.sums), bits(whole.products)];
    const lines = singles.map((sum, i) => `${i} ${sum} ${doubles[i]}`);
    for (const size of ["1", "7", "8", "64", "99", "100"]) {
      const { stdout, code } = await runProcess(join(folder, "chunks"), [size], { cwd: folder });
      expect(code).toBe(0);
      expect([size, ...stdout.trim().split("\n")]).toEqual([size, ...lines, ...bits(whole.most)]);
    }
  },
);
