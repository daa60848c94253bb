/** Runs in a Node of its own, whose output has what kernels print: a scratch for 32 work-items in groups of 64. */
import { openclHeader } from "../src/header.ts";
import { Raw } from "./raw.ts";

const KERNEL = `
kernel void totals(global int* y) {
  GROUPWISE_SCRATCH(32);
  local int spare[4096]; // what an overrun would meet
  const int total = work_group_reduce_add(1);
  spare[get_local_id(0)] = total;
  y[get_global_id(0)] = work_group_scan_inclusive_max(spare[get_local_id(0)]);
}`;

const raw = await Raw.open();
const program = raw.build(`#define GROUPWISE_DEBUG\n${openclHeader()}${KERNEL}`, "-cl-std=CL1.2");
const [large, fitting] = [new Int32Array(128).fill(-1), new Int32Array(64).fill(-1)];
program.run("totals", [large], { global: [128], local: [64] });
program.run("totals", [fitting], { global: [64], local: [32] });
process.stdout.write(`\nanswer ${JSON.stringify({ large: [...large], fitting: [...fitting] })}\n`);
// PoCL keeps threads of its own: the end is said, not waited for.
process.exit(0);
