/** What compilers make of the text: they may vectorise loops, and may not fuse roundings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { f32, f64, i32, param, pipeline, u32 } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { found, missing } from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { COMPILERS, compiled, findProgram, STRICT, written } from "./support.ts";

const maps = [
  pipeline("scaled", { x: f32, y: f32, a: param(f32) }, ({ x, y, a }) => ({ z: x.mul(a).add(y) })),
  pipeline("doubles", { x: f64 }, ({ x }) => ({ y: x.mul(x).sub(1) })),
  pipeline("integers", { x: i32, y: i32 }, ({ x, y }) => ({ z: x.mul(y).add(x.min(y)) })),
  pipeline("rectified", { x: f32, y: f64 }, ({ x, y }) => ({ z: x.max(0).min(x.neg()), w: y.max(1) })),
  pipeline("chosen", { x: u32, y: u32 }, ({ x, y }) => ({ z: x.lt(y).select(x.shr(3), y) })),
];

describe("gcc vectorises", () => {
  test.each(maps.map((map) => [map.ir.name, map] as const))("the loop of %s", async (_, map) => {
    const { folder, base } = written(map);
    const args = [...STRICT, "-O3", "-ffp-contract=off", "-fopt-info-vec", "-c", `${base}.c`];
    const printed = await compiled("gcc", args, folder);
    expect(printed).toMatch(/optimized: loop vectorized/);
    expect(printed).not.toMatch(/versioned/);
  });
});

/** Options of machines that fuse, by architecture; those of Arm always do. */
const FUSING: Readonly<Record<string, readonly string[]>> = { x64: ["-mfma"], arm64: [] };
const FUSED = /\bv?fn?m(?:add|sub|la|ls)\w*/;

describe.each(COMPILERS)("%s", (compiler) => {
  const probe = async () => {
    const machine = FUSING[process.arch];
    if (!machine) return missing(`fused operations of ${process.arch} are not known here`);
    const program = await findProgram(compiler);
    return program.found ? found(machine) : program;
  };

  deviceTest(
    "fuses no product and sum, in its own dialect and without the option",
    probe,
    async (machine) => {
      const assembly = async (spoil: string): Promise<string> => {
        const { folder, base } = written(maps[0] as (typeof maps)[0]);
        const args = ["-std=gnu11", "-O2", ...machine, spoil, "-S", `${base}.c`, "-o", "out.s"];
        expect(await compiled(compiler, args, folder)).toBe("");
        return readFileSync(join(folder, "out.s"), "utf8");
      };
      expect(await assembly("-DANY")).not.toMatch(FUSED);
    },
  );
});
