/** Runs in a Node of its own, on PoCL 6: the header's functions with the device's own behind them. */
import { differences, opsOf, program, TYPED } from "./header-kernels.ts";
import { Raw, type Shape } from "./raw.ts";

const shape: Shape = { global: [9 * 24], local: [24] };
const raw = await Raw.open();
const failures: string[] = [];
const have: Record<string, boolean> = {};
/** One of each kind, and the halves that are computed in float; all in full runs. */
const tried = process.env.GROUPWISE_FULL ? TYPED : TYPED.filter((type) => ["i32", "f16"].includes(type));
for (const type of tried) {
  const names = type === "f16" && !raw.has("cl_khr_fp16") ? "prefixed" : "overloaded";
  const tell = ["COLLECTIVES", "ARITHMETIC"].map(
    (name) =>
      `kernel void tell_${name}(global int* y) {\n#ifdef GW_NATIVE_${name}\n  y[0] = 1;\n#else\n  y[0] = 0;\n#endif\n}`,
  );
  const text = `#define GROUPWISE_NATIVE\n${program(type, names, shape)}\n${tell.join("\n")}`;
  const built = raw.build(text, "-cl-std=CL3.0");
  for (const name of ["COLLECTIVES", "ARITHMETIC"]) {
    const y = new Int32Array(1);
    built.run(`tell_${name}`, [y], { global: [1], local: [1] });
    have[name] = y[0] === 1;
  }
  for (const op of opsOf(type)) failures.push(...differences(built, type, op, shape));
}
process.stdout.write(`\nanswer ${JSON.stringify({ have, failures })}\n`);
// PoCL keeps threads of its own: the end is said, not waited for.
process.exit(0);
