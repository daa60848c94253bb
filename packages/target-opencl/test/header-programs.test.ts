/** Kernels as people wrote them for OpenCL C 2.0, with the header's one line, against plain loops. */
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { checkWithClang, findClang, formatReports } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { openclHeader } from "../src/header.ts";
import { probe } from "./header-device.ts";

const KERNELS = `
// Odd numbers to the front of the output, by a counter that the groups share.
__kernel void filter(__global const int* in, __global int* out, __global volatile int* counter)
{
    GROUPWISE_SCRATCH(256);
    const int v = in[get_global_id(0)];
    const int flag = v & 1;
    const int offset = work_group_scan_exclusive_add(flag);
    const int total = work_group_reduce_add(flag);
    int base = 0;
    if (get_local_id(0) == get_local_size(0) - 1) base = atomic_add(counter, total);
    base = work_group_broadcast(base, get_local_size(0) - 1);
    if (flag) out[base + offset] = v;
}

// Sorts each group's keys bit by bit, through local memory of the kernel's own.
__kernel void block_sort(__global uint* keys)
{
    GROUPWISE_SCRATCH(256);
    __local uint tile[256];
    const size_t lid = get_local_linear_id();
    const size_t base = get_group_id(0) * get_enqueued_local_size(0);
    uint key = keys[base + lid];
    for (uint bit = 0; bit < 16; bit++) {
        const uint is0 = !((key >> bit) & 1);
        const uint before = work_group_scan_exclusive_add(is0);
        const uint zeros = work_group_reduce_add(is0);
        tile[is0 ? before : zeros + (uint)lid - before] = key;
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        key = tile[lid];
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    keys[base + lid] = key;
}

// Scans in functions that the kernel calls; values of small types.
int rank_of(int keep, GROUPWISE_SCRATCH_PARAM);
int rank_of(int keep, GROUPWISE_SCRATCH_PARAM) { return work_group_scan_exclusive_add(keep); }
long rise(long v, GROUPWISE_SCRATCH_PARAM);
long rise(long v, GROUPWISE_SCRATCH_PARAM)
{
    return work_group_scan_inclusive_max(v) + rank_of(v > 0, GROUPWISE_SCRATCH_ARG);
}
__kernel void helpers(__global const long* x, __global long* y, __global int* z)
{
    GROUPWISE_SCRATCH(128);
    const size_t i = get_global_linear_id();
    const short small = (short)x[i];
    const bool big = x[i] > 3;
    y[i] = rise(x[i], GROUPWISE_SCRATCH_ARG);
    z[i] = work_group_scan_inclusive_add(small) + (work_group_any(big) ? 1000 : 0) + (work_group_all(big) ? 5000 : 0);
}

// Collectives of collectives, and in the condition of a loop.
__kernel void settle(__global int* x, __global int* rounds)
{
    GROUPWISE_SCRATCH(100);
    int v = x[get_global_id(0)], count = 0;
    while (work_group_any(v > 1)) {
        if (v > 1) v = (v & 1) ? 3 * v + 1 : v / 2;
        count++;
    }
    x[get_global_id(0)] = work_group_reduce_max(work_group_reduce_add(work_group_scan_inclusive_min(v)));
    if (get_local_linear_id() == 0) rounds[get_group_id(0)] = count;
}
`;
const PROGRAM = `${openclHeader()}${KERNELS}`;

const list = (n: number, value: (i: number) => number): number[] =>
  Array.from({ length: n }, (_, i) => value(i));
const groupsOf = (x: readonly number[], size: number): number[][] =>
  list(x.length / size, (g) => g).map((g) => x.slice(g * size, (g + 1) * size));

deviceTest("clang takes them as OpenCL C 1.2 and 3.0, without a warning", findClang, async () => {
  const files = [{ name: "kernels", code: PROGRAM }];
  for (const args of [[], ["-DGROUPWISE_DEBUG"]])
    expect(formatReports(await checkWithClang(files, { args }))).toBe("");
});

// clang takes both in every run.
for (const language of isFullRun() ? ["CL1.2", "CL3.0"] : ["CL1.2"]) {
  deviceTest(`they run as ${language}`, probe, (raw) => {
    const program = raw.build(PROGRAM, `-cl-std=${language} -cl-opt-disable`);

    const numbers = list(1000, (i) => (i * 7919) % 1013);
    const [kept, count] = [new Int32Array(1000), new Int32Array(1)];
    program.run("filter", [Int32Array.from(numbers), kept, count], { global: [1000], local: [250] });
    const odd = numbers.filter((v) => v & 1);
    expect(count[0]).toBe(odd.length);
    // Groups take their places in any order, and keep the order inside.
    expect(kept.slice(0, odd.length).sort()).toEqual(Int32Array.from(odd).sort());

    const keys = list(3 * 200, (i) => (i * 40503) % 65536);
    const sorted = Uint32Array.from(keys);
    program.run("block_sort", [sorted], { global: [600], local: [200] });
    expect([...sorted]).toEqual(groupsOf(keys, 200).flatMap((group) => group.sort((a, b) => a - b)));

    const x = list(2 * 127, (i) => ((i * 37) % 101) - 50);
    const [y, z] = [new BigInt64Array(x.length), new Int32Array(x.length)];
    program.run("helpers", [BigInt64Array.from(x, BigInt), y, z], { global: [254], local: [127] });
    const want = groupsOf(x, 127).flatMap((group) =>
      group.map((_, i) => {
        const seen = group.slice(0, i + 1);
        const rise = Math.max(...seen) + group.slice(0, i).filter((v) => v > 0).length;
        const all = group.every((v) => v > 3) ? 5000 : 0;
        return [rise, seen.reduce((a, b) => a + b) + (group.some((v) => v > 3) ? 1000 : 0) + all];
      }),
    );
    expect(list(x.length, (i) => i).map((i) => [Number(y[i]), z[i]])).toEqual(want);

    const values = Int32Array.from(list(200, (i) => i + 1));
    const rounds = new Int32Array(2);
    const steps = (v: number): number => (v <= 1 ? 0 : 1 + steps(v % 2 ? 3 * v + 1 : v / 2));
    const most = groupsOf([...values], 100).map((group) => Math.max(...group.map(steps)));
    program.run("settle", [values, rounds], { global: [200], local: [100] });
    expect([...rounds]).toEqual(most);
    expect(new Set(values)).toEqual(new Set([100]));
  });
}
