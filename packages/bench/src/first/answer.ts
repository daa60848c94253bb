/// <reference types="@webgpu/types" preserve="true" />
/** A first run in a process that has run nothing. */
import { type Artifact, emit, type ProbeReport, type Runtime } from "@groupwise/core";
import type { QueueRuntime } from "@groupwise/core/queue";
import { cRuntime } from "@groupwise/target-c/runtime";
import { cuda } from "@groupwise/target-cuda";
import { cudaRuntime } from "@groupwise/target-cuda/runtime";
import { opencl } from "@groupwise/target-opencl";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { wgsl } from "@groupwise/target-wgsl";
import { nodeDevice } from "@groupwise/target-wgsl/node";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { samplesOf } from "../measure/samples.ts";
import { FIRST, type FirstName, type FirstTarget, wrongOf } from "./pipelines.ts";

/** What an earlier process leaves to later ones. */
export interface Left {
  readonly probed?: ProbeReport;
  readonly artifact?: Artifact;
}

/** With a probe's report, the device is not probed again; with files, they are loaded, and the pipeline is not compiled. */
export interface Asked extends Left {
  readonly target: FirstTarget;
  readonly pipeline: FirstName;
  readonly n: number;
  /** A part of the device's name. */
  readonly adapter?: string;
  /** A folder in which the runtime keeps what its driver compiled. */
  readonly cache?: string;
  /** Whether later processes need what this one finds, or small runs are timed. */
  readonly then?: "leave" | "small";
}

export interface Answer {
  readonly device: string;
  readonly driver: string;
  readonly openingMs: number;
  /** From `compile`, or `load`, to the result. */
  readonly firstMs: number;
  /** How the result differs. */
  readonly wrong?: string;
  readonly left?: Left;
  readonly small?: SmallTimes;
}

/** Medians of runs in turns, from memory of the host to memory of the host. */
export interface SmallTimes {
  readonly n: number;
  readonly runMs: number;
  /** The same bytes written, copied and read by calls of WebGPU. */
  readonly bareMs: number;
}

interface Opened {
  readonly runtime: Runtime & Partial<Pick<QueueRuntime, "load">>;
  readonly device?: GPUDevice;
}

const withWebGpu = async ({ adapter, probed }: Asked): Promise<Opened> => {
  const device = await nodeDevice(adapter === undefined ? {} : { adapter });
  return { device, runtime: webgpuRuntime(device, probed ? { probed } : {}) as never };
};
const onQueue =
  (open: (options: object) => Promise<QueueRuntime>) =>
  async ({ adapter, probed, cache }: Asked): Promise<Opened> => ({
    runtime: await open({
      ...(adapter !== undefined && { device: adapter }),
      ...(probed && { probed }),
      ...(cache !== undefined && { cache }),
    }),
  });

const OPEN: Readonly<Record<FirstTarget, (asked: Asked) => Promise<Opened>>> = {
  cuda: onQueue(cudaRuntime),
  opencl: onQueue(openclRuntime),
  wgsl: withWebGpu,
  c: async ({ cache }) => ({ runtime: await cRuntime(cache === undefined ? {} : { cache }) }),
};
/** C has no `load`: its option `cache` keeps libraries. */
const LOADED = { cuda, opencl, wgsl } as const;

const SMALL = 1000;
const [WARM, ROUNDS] = [100, 300];

/** Writes, copies and reads as many bytes, with buffers that stay. */
function bareCalls(device: GPUDevice, given: Float32Array<ArrayBuffer>): () => Promise<Float32Array> {
  const { byteLength: size } = given;
  const { COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const inner = device.createBuffer({ size, usage: COPY_DST | COPY_SRC });
  const outer = device.createBuffer({ size, usage: COPY_DST | MAP_READ });
  return async () => {
    device.queue.writeBuffer(inner, 0, given);
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(inner, 0, outer, 0, size);
    device.queue.submit([encoder.finish()]);
    await outer.mapAsync(GPUMapMode.READ);
    const copy = new Float32Array(outer.getMappedRange().slice(0));
    outer.unmap();
    return copy;
  };
}

async function smallRuns({ runtime, device }: Opened): Promise<SmallTimes> {
  const { source, values } = FIRST["sums of f32"];
  const given = values(SMALL);
  const executable = await runtime.compile(source, { waitFor: "fastest" });
  const [run, bare] = [
    (): Promise<unknown> => executable.run(given as never),
    bareCalls(device as GPUDevice, given.x as Float32Array<ArrayBuffer>),
  ] as const;
  const wrong = wrongOf("sums of f32", SMALL, (await run()) as never);
  if (wrong !== undefined) throw new Error(wrong);
  const times: [run: number[], bare: number[]] = [[], []];
  for (let round = 0; round < WARM + ROUNDS; round++)
    for (const [i, act] of [run, bare].entries()) {
      const began = performance.now();
      await act();
      if (round >= WARM) times[i]?.push(performance.now() - began);
    }
  const [runMs, bareMs] = times.map((all) => samplesOf(all, "runs").medianMs) as [number, number];
  return { n: SMALL, runMs, bareMs };
}

/** What later processes need; drivers and the runtime keep what they compile for it. */
async function leave({ runtime }: Opened, { target, pipeline, n }: Asked): Promise<Left> {
  const probed = await runtime.probed?.();
  const kept = probed && { probed };
  if (target === "c") return { ...kept };
  const { capabilities } = runtime;
  const { source, values } = FIRST[pipeline];
  const artifact = emit(source, LOADED[target], { capabilities });
  const program = await runtime.load?.(artifact);
  await program?.run(values(n) as never);
  return { ...kept, artifact };
}

/** Opens the device, runs the pipeline once, and checks the result. @throws GroupwiseError `device-missing` */
export async function answerTo(asked: Asked): Promise<Answer> {
  const { target, pipeline, n, artifact, then } = asked;
  const { source, values } = FIRST[pipeline];
  const given = values(n);
  const began = performance.now();
  const opened = await OPEN[target](asked);
  const openingMs = performance.now() - began;
  const { runtime } = opened;
  const from = performance.now();
  const program = await (artifact && runtime.load ? runtime.load(artifact) : runtime.compile(source));
  const results = (await program.run(given as never)) as Readonly<Record<string, unknown>>;
  const firstMs = performance.now() - from;
  const wrong = wrongOf(pipeline, n, results);
  const { name, driver } = runtime.device;
  return {
    ...{ device: name, driver, openingMs, firstMs },
    ...(wrong !== undefined && { wrong }),
    ...(then === "leave" && { left: await leave(opened, asked) }),
    ...(then === "small" && opened.device && { small: await smallRuns(opened) }),
  };
}
