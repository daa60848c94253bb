/** Runs halves as `Float16Array`, and prints what comes back. The engine has to have the class. */
import { float16Of } from "@groupwise/core";
import { f16, f32, pipeline, table } from "@groupwise/dsl";
import { jsRuntime } from "../src/runtime.ts";

declare const Float16Array: new (values: readonly number[]) => Uint16Array;

const runtime = jsRuntime();
const program = await runtime.compile(
  pipeline("halves", { x: f16, t: table(f16) }, ({ x, t }, { index }) => ({ y: x.mul(t.at(index())) })),
);
const given = new Float16Array([9, 1, 2, -0.5, 9]).subarray(1, 4);
const { y } = await program.run({ x: given, t: new Float16Array([2, 4, 8]) });
const device = runtime.array("f16", given);
const wrong = pipeline("floats", { x: f32 }, ({ x }) => ({ y: x.add(1) }));
const refused = await (await runtime.compile(wrong)).run({ x: given as never }).catch(({ code }) => code);
process.stdout.write(
  JSON.stringify({ result: [...float16Of(y)], read: [...float16Of(await device.read())], refused }),
);
