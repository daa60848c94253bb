/** Minima and maxima of floats: element by element, carried by a loop, and by an operator, beside those of JavaScript. */
import { f32, f64, minMax, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { COMPILERS, findProgram, keepingRuntime } from "./support.ts";

const SPECIAL = [0, -0, 1, -1, 2, -2, 2 ** -140, -(2 ** -140), Infinity, -Infinity, NaN];
/** All pairs. */
const X = SPECIAL.flatMap((a) => SPECIAL.map(() => a));
const Y = SPECIAL.flatMap(() => SPECIAL);

const OPS = ["min", "max"] as const;
const FIRST = { min: Infinity, max: -Infinity };

const programOf = (type: typeof f32, op: "min" | "max") =>
  pipeline(`${op}-${type.type}`, { x: type, y: type, z: type }, ({ x, y, z }) => ({
    each: x[op](y),
    zero: x[op](0),
    negative: x[op](-0),
    scan: z.scanInclusive(op),
    before: z.scanExclusive(op),
    user: minMax(type).scanInclusive({ min: z, max: z })[op],
    total: z.reduce(op),
  }));

for (const compiler of COMPILERS)
  for (const type of [f32, f64 as unknown as typeof f32])
    deviceTest(
      `${compiler}, ${type.type}: NaN wins and -0 is less than +0, wherever an operand comes from`,
      async () => {
        const program = await findProgram(compiler);
        return program.found ? found(await keepingRuntime({ compiler })) : program;
      },
      async (runtime) => {
        const Floats = (type === f32 ? Float32Array : Float64Array) as Float32ArrayConstructor;
        for (const op of OPS) {
          const program = await runtime.compile(programOf(type, op));
          // Scans begin with each pair.
          for (let at = 0; at < X.length; at += 1) {
            const [x, y] = [X.slice(at), Y.slice(at)];
            const z = [x[0] as number, ...y.slice(0, -1)];
            const ran = await program.run({ x: Floats.from(x), y: Floats.from(y), z: Floats.from(z) });
            let last = FIRST[op];
            const scan = z.map((item) => {
              last = Math[op](last, item);
              return last;
            });
            expect({ op, at, ...ran }).toEqual({
              ...{ op, at },
              each: Floats.from(x, (one, i) => Math[op](one, y[i] as number)),
              zero: Floats.from(x, (one) => Math[op](one, 0)),
              negative: Floats.from(x, (one) => Math[op](one, -0)),
              scan: Floats.from(scan),
              before: Floats.from([FIRST[op], ...scan.slice(0, -1)]),
              user: Floats.from(scan),
              total: Floats.of(last),
            });
          }
        }
      },
    );
