/** Runs in a Node of its own, on PoCL 6: broadcasts of what one work-item alone has set, portable and native. */
import { openclHeader } from "../src/header.ts";
import { GROUP, REAL_KERNELS } from "./header-real-kernels.ts";
import { Raw } from "./raw.ts";

const raw = await Raw.open();
const numbers = Int32Array.from({ length: 10 * GROUP }, (_, i) => (i * 7919) % 1013);
const want = numbers.filter((v) => v % 3 === 0).sort();

function isRight(before: string, options: string): boolean {
  const [out, top] = [new Int32Array(numbers.length), new Int32Array(1)];
  const program = raw.build(before + openclHeader() + REAL_KERNELS, options);
  program.run("compact", [numbers, out, top], { global: [numbers.length], local: [GROUP] });
  return top[0] === want.length && `${out.slice(0, want.length).sort()}` === `${want}`;
}

const answer = {
  portable: isRight("", "-cl-std=CL1.2"),
  native: isRight("#define GROUPWISE_NATIVE\n", "-cl-std=CL3.0"),
};
process.stdout.write(`\nanswer ${JSON.stringify(answer)}\n`);
// PoCL keeps threads of its own: the end is said, not waited for.
process.exit(0);
