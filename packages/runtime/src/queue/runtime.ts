/** A runtime on a device that does queued commands in order. */

import { requireArgument, requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import {
  type Capabilities,
  debugging,
  lackingSubgroups,
} from "@groupwise/kernel/capabilities/capabilities.js";
import type { LoadedProgram, ProbeReport, RunOptions, Runtime, UntypedCompile } from "../api/runtime.ts";
import { type Artifact, pipelineOf } from "../api/target.ts";
import type { RunValues } from "../api/typed.ts";
import { ARTIFACT, compileOptionsOf } from "../checks/arguments.ts";
import { contentKey } from "../checks/content-key.ts";
import { requireVersion } from "../plan/manifest.ts";
import { reportOf } from "../probe/earned.ts";
import { SharedCache } from "../run/cache.ts";
import { inspectorOf } from "../run/debug.ts";
import { Owned } from "../run/owned.ts";
import { shapeOf } from "../run/scalar-outputs.ts";
import { requireTunedFor } from "../tuning/select.ts";
import type { Tuning } from "../tuning/tuning.ts";
import { type Home, makeArray } from "./array.ts";
import { type Compiled, ProgramBuilder } from "./builder.ts";
import { deviceTime } from "./clock.ts";
import { Line } from "./line.ts";
import type { Backend, Session } from "./program.ts";
import { Programs } from "./programs.ts";
import { QueueRecorder } from "./recorder.ts";
import { Arena } from "./scratch.ts";
import { CountWords } from "./words.ts";

/** Options of a runtime, as its target documents them. */
export interface QueueOptions {
  /** Those of the backend by default. */
  readonly capabilities?: Capabilities;
  readonly debug?: boolean;
  readonly subgroups?: boolean;
  readonly tuning?: Tuning;
  readonly probed?: ProbeReport;
  /** Whether the device often is done before another thread could wait for it. */
  readonly asksFirst: boolean;
}

/** A runtime that builds emitted artifacts, too. */
export interface QueueRuntime extends Runtime {
  /**
   * Builds an artifact that was emitted earlier.
   * @throws GroupwiseError `device-error` with the build log, `device-limit`, `unsupported`, `bad-usage`, `disposed`
   */
  load<P = unknown>(artifact: Artifact): Promise<LoadedProgram<P>>;
}

/** The runtime of a backend, which it releases when it is disposed and its last user is done. @throws GroupwiseError `foreign-tuning`, `unsupported` */
export function queueRuntime(backend: Backend, options: QueueOptions): QueueRuntime {
  const { driver, device } = backend;
  const { tuning, probed, debug, subgroups } = options;
  if (tuning) requireTunedFor(tuning, device);
  const scratch = new Arena(driver);
  const counts = new CountWords(driver);
  const session: Session = { backend, driver, line: new Line(options.asksFirst), scratch, counts };
  const owned = new Owned(`the runtime of ${driver.device.name}`, () => {
    scratch.release();
    counts.release();
    backend.release();
  });
  const capabilities = debugging(
    withSubgroups(options.capabilities ?? backend.capabilities, subgroups),
    debug,
  );
  const asked = { ...(subgroups !== undefined && { subgroups }), ...(probed && { probed }) };
  const builder = new ProgramBuilder(session, owned, capabilities, asked);
  const programs = new Programs(session);
  const cache = new SharedCache<Compiled>({ free: ({ program }) => program.owned.dispose() });
  const home: Home = { session, owned, buffers: new Set(), statuses: [] };
  const { elapsed } = driver;
  return {
    get device() {
      const { inexact } = builder.earned;
      return inexact.length > 0 ? { ...device, inexact } : device;
    },
    sliceAlignment: driver.device.alignment,
    get capabilities() {
      return builder.capabilities;
    },
    load: (async (artifact: Artifact): Promise<LoadedProgram> => {
      owned.check();
      requireArgument(artifact, ARTIFACT, "the artifact");
      requireVersion(artifact.manifest);
      const program = await builder.load(artifact);
      return programs.hold(program, () => program.owned.dispose());
    }) as QueueRuntime["load"],
    compile: compilerOf({ builder, owned, programs, cache }, options) as Runtime["compile"],
    array(type, lengthOrValues) {
      requireArguments(arguments, "array", ["type", "lengthOrValues"]);
      return makeArray(home, builder.capabilities, type, lengthOrValues);
    },
    record() {
      requireArguments(arguments, "record", []);
      owned.check();
      return new QueueRecorder(home, programs);
    },
    probe: async () => {
      const letGo = owned.use();
      return reportOf(device, await builder.earned.report().finally(letGo));
    },
    probed: async () => reportOf(device, await builder.earned.known()),
    ...(elapsed && {
      deviceTime: (work) => {
        owned.check();
        return deviceTime(session, elapsed, work);
      },
    }),
    stats: () => cache.stats(),
    dispose: () => {
      programs.dispose();
      cache.close();
      home.statuses.length = 0;
      for (const buffer of [...home.buffers]) buffer.dispose();
      owned.dispose();
    },
  };
}

/** @throws GroupwiseError `unsupported` if they are asked for and absent */
function withSubgroups(capabilities: Capabilities, asked: boolean | undefined): Capabilities {
  const { subgroups } = capabilities;
  if (asked && "unsupported" in subgroups)
    throw errorOf("unsupported", { what: "subgroups", reason: subgroups.unsupported });
  return asked === false
    ? lackingSubgroups(capabilities, "disabled by an option of the runtime")
    : capabilities;
}

interface Compiling {
  readonly builder: ProgramBuilder;
  /** The runtime's. */
  readonly owned: Owned;
  readonly programs: Programs;
  readonly cache: SharedCache<Compiled>;
}

/** Executables with the same content share a program. */
function compilerOf(
  { builder, owned, programs, cache }: Compiling,
  { tuning, debug }: QueueOptions,
): UntypedCompile {
  return async (source, asked) => {
    owned.check();
    const { keep, ...wanted } = compileOptionsOf(asked);
    const shape = shapeOf(source);
    const make = (): Promise<Compiled> => builder.compile(source, { ...wanted, ...(tuning && { tuning }) });
    const lease = await cache.acquire(contentKey(pipelineOf(source), wanted), make, keep);
    const { plan, program } = lease.value;
    const handle = programs.hold(program, lease.release);
    const { run, manifest } = handle;
    const inspect = inspectorOf(debug, plan, manifest);
    return Object.assign(handle, {
      plan,
      run: async (values: RunValues, runOptions?: RunOptions) => {
        inspect(values, runOptions);
        return shape(await run(values, runOptions), manifest);
      },
    });
  };
}
