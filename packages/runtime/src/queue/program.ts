/** Built programs, and what a runtime needs to build and run them. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { DeviceInfo } from "../api/runtime.ts";
import type { Artifact, Target } from "../api/target.ts";
import type { Manifest } from "../plan/manifest.ts";
import type { Owned } from "../run/owned.ts";
import type { Driver, Handle } from "./driver.ts";
import type { Line } from "./line.ts";
import { Pool } from "./pool.ts";
import type { Arena } from "./scratch.ts";
import type { CountWords } from "./words.ts";

/** A language, and a library that runs it on one device. */
export interface Backend {
  readonly target: Target;
  /** The ending of the file with kernels, without a point. */
  readonly suffix: string;
  readonly driver: Driver;
  readonly device: DeviceInfo;
  /** What identifies the device and its driver in this process. */
  readonly key: string;
  /** Those of the device, before options. */
  readonly capabilities: Capabilities;
  /** Whether the device has what a manifest requires. */
  has(requirement: string): boolean;
  /** Why the device cannot run the files of a manifest, if they use subgroups; undefined if it can. */
  subgroupObstacle(manifest: Manifest): Promise<string | undefined>;
  /**
   * The kernels of a text by entry point; the pool retains what is made.
   * @param named the driver for the manifest's pipeline
   * @throws GroupwiseError `device-error` with the compiler's log, `device-limit`
   */
  compile(named: Driver, manifest: Manifest, text: string, pool: Pool): Promise<ReadonlyMap<string, Handle>>;
  /** Releases the library's objects; nothing uses them any more. */
  release(): void;
}

/** The objects of a runtime that its programs use. */
export interface Session {
  readonly backend: Backend;
  readonly driver: Driver;
  readonly line: Line;
  /** For runs and steps, which the queue does in order. */
  readonly scratch: Arena;
  /** Of the submission whose steps are being queued. */
  readonly counts: CountWords;
}

/** Kernels by entry point. */
export interface Built {
  /** The driver, whose errors name the pipeline. */
  readonly driver: Driver;
  readonly kernels: ReadonlyMap<string, Handle>;
  readonly pool: Pool;
}

/** A built artifact, which is released when it is disposed and its last run is done. */
export interface Program {
  readonly manifest: Manifest;
  readonly built: Built;
  readonly owned: Owned;
}

/**
 * Builds the text of an artifact.
 * @throws GroupwiseError `device-error` with the build log, `device-limit`, `unsupported`, `bad-usage`
 */
export async function build({ backend, driver }: Session, artifact: Artifact): Promise<Built> {
  const { manifest } = artifact;
  const { device } = driver;
  for (const what of manifest.requires) {
    const reason = `${device.name} does not support it`;
    if (!backend.has(what)) throw errorOf("unsupported", { what, reason }, manifest.pipeline);
  }
  for (const { workGroupSize, workGroupBytes, entryPoint } of manifest.passes) {
    limit("work-items in a work-group", workGroupSize, device.maxWorkGroupSize, entryPoint);
    limit("bytes of work-group memory", workGroupBytes, device.localMemory, entryPoint);
  }
  const pool = new Pool();
  try {
    const named = driver.for(manifest.pipeline);
    const kernels = await backend.compile(named, manifest, textOf(backend, artifact), pool);
    return { driver: named, kernels, pool };
  } catch (error) {
    pool.release();
    throw error;
  }
}

/** @throws GroupwiseError `device-limit` if a kernel needs more than is allowed */
export function limit(what: string, need: number, allowed: number, entryPoint: string): void {
  if (need > allowed) throw errorOf("device-limit", { what, need, limit: allowed }, `kernel ${entryPoint}`);
}

function textOf({ target, suffix }: Backend, { manifest, files }: Artifact): string {
  const name = manifest.passes[0]?.file ?? `${manifest.pipeline}.${suffix}`;
  const path = manifest.target === target.name ? name : undefined;
  const file = files.find((candidate) => candidate.path === path);
  if (file) return file.text;
  throw errorOf("bad-usage", {
    reason: `the artifact of ${manifest.pipeline} has no file ${path ?? "with kernels"}`,
    hint: `pass an artifact that the target ${target.name} emitted, with all of its files`,
  });
}
