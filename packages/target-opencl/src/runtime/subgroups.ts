/**
 * OpenCL C does not define which work-items form a subgroup, so a device is tested first, in work-groups of
 * the same size.
 */
import type { Manifest } from "@groupwise/core";
import { Text } from "@groupwise/core/kernel";
import { Pool } from "@groupwise/core/queue";
import { type SubgroupTrials, subgroupProblem, trySubgroups } from "@groupwise/core/target";
import { buildProgram } from "../device/build.ts";
import { CL } from "../device/constants.ts";
import { hasSubgroups, OPENCL_CAPABILITIES } from "../print/capabilities.ts";
import { printWarps } from "../print/warps.ts";
import { buildOptions, type OpenedDevice } from "./program.ts";

/** More than one, because only the first work-group might be as expected. */
const GROUPS = 8;

function warps(): string {
  const text = new Text();
  printWarps(text, { "shuffle-xor": ["u32"] });
  return text.toString();
}

const probeText = (size: number): string => `
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
${warps()}
__kernel __attribute__((reqd_work_group_size(${size}, 1, 1)))
void probe(__global uint* found) {
  const uint lane = (uint)get_local_id(0);
  const uint size = get_max_sub_group_size();
  const uint rounds = 31u - clz(min(size, ${size}u));
  bool expected = true;
  for (uint round = 0u; round < rounds; round++) {
    const uint bit = 1u << round;
    const uint sibling = sub_group_shuffle_xor(lane, bit);
    expected = expected && sibling == (lane ^ bit);
  }
  found[get_global_id(0)] = expected ? size : 0u;
}
`;

const known = new WeakMap<OpenedDevice, SubgroupTrials>();

/** The reason why the device cannot run the emitted files, if they need subgroups; undefined if it can. */
export async function subgroupObstacle(
  session: OpenedDevice,
  manifest: Manifest,
): Promise<string | undefined> {
  if (!manifest.requires.includes("subgroups")) return undefined;
  const { name } = session.info;
  if (!hasSubgroups(session.info)) return `${name} does not support cl_khr_subgroup_shuffle`;
  const trials: SubgroupTrials = known.get(session) ?? new Map();
  known.set(session, trials);
  const options = buildOptions(manifest, session.info);
  return trySubgroups(manifest, OPENCL_CAPABILITIES, trials, (size, least) =>
    tryOut(session, options, size, least),
  );
}

async function tryOut(
  session: OpenedDevice,
  options: string,
  size: number,
  least: number,
): Promise<string | undefined> {
  const { cl, context, queue } = session;
  const pool = new Pool();
  try {
    const { program, status } = await buildProgram(session, pool, probeText(size), options);
    if (status !== 0) return `${session.info.name} does not compile sub_group_shuffle_xor`;
    const kernel = cl.own(pool, "clReleaseKernel", cl.make("clCreateKernel", program, "probe"));
    const found = new Uint32Array(GROUPS * size);
    const bytes = found.byteLength;
    const made = cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null);
    const buffer = cl.own(pool, "clReleaseMemObject", made);
    const pointer = new BigUint64Array([buffer]);
    cl.call("clSetKernelArg", kernel, 0, pointer.byteLength, pointer);
    const [global, local] = [new BigUint64Array([BigInt(GROUPS * size)]), new BigUint64Array([BigInt(size)])];
    cl.call("clEnqueueNDRangeKernel", queue, kernel, 1, null, global, local, 0, null, null);
    cl.call("clEnqueueReadBuffer", queue, buffer, CL.TRUE, 0, bytes, found, 0, null, null);
    return subgroupProblem(found, size, least);
  } finally {
    pool.release();
  }
}
