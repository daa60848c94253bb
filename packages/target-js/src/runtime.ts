/**
 * Runs JavaScript artifacts in this process.
 * @module
 */
import {
  type Artifact,
  type Binding,
  type Capabilities,
  type Executable,
  errorOf,
  evaluate,
  finishRun,
  type HostArray,
  type Manifest,
  OWN_SCRATCH,
  type PipelineSource,
  plan,
  prepareRun,
  type RunOptions,
  type RunOutputs,
  type Runtime,
  type RunValues,
  SCALARS,
  type ScalarValue,
  withoutArrays,
} from "@groupwise/core";
import { js } from "./index.ts";

/** What an emitted module exports, as far as a runtime needs it. */
export interface JsModule {
  /** The loops: launch scalars, then arrays, in the manifest's order. */
  readonly kernel: (...args: (ScalarValue | HostArray)[]) => void;
}

/** How a runtime comes by the module of an artifact. */
export interface JsRuntimeOptions {
  /**
   * Imports an emitted module. By default from a `data:` URL, which a strict content security policy
   * forbids: there, emit the file, serve it, and import it by its own URL.
   */
  readonly importModule?: (artifact: Artifact) => Promise<JsModule>;
  /** Other capabilities than those of the target, for tests. */
  readonly capabilities?: Capabilities;
}

async function importText(artifact: Artifact): Promise<JsModule> {
  const file = artifact.files.find(({ path }) => path === artifact.manifest.passes[0]?.file);
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(file?.text ?? "")}`);
}

/** The JavaScript engine that this code runs in. */
export function jsRuntime(options: JsRuntimeOptions = {}): Runtime {
  const capabilities = options.capabilities ?? js.capabilities;
  let isOpen = true;
  return {
    device: { target: js.name, name: "JavaScript", driver: engine() },
    capabilities,
    ...withoutArrays("the JavaScript runtime has none yet"),
    compile: async (source: PipelineSource): Promise<Executable> => {
      if (!isOpen) throw errorOf("disposed", { what: "the runtime" });
      const lowered = plan(source, js, { capabilities });
      const artifact = js.print(lowered, {});
      const module = await (options.importModule ?? importText)(artifact);
      return { plan: lowered, ...load(artifact.manifest, module) };
    },
    dispose: () => {
      isOpen = false;
    },
  };
}

function engine(): string {
  const versions = (globalThis as { process?: { versions?: { node?: string; v8?: string } } }).process
    ?.versions;
  return versions?.node ? `Node ${versions.node}, V8 ${versions.v8}` : "this engine";
}

/** Makes an imported module runnable with checked values. */
export function load(manifest: Manifest, module: JsModule): Omit<Executable, "plan"> {
  let isOpen = true;
  const run = async (values: RunValues, options: RunOptions = {}): Promise<RunOutputs> => {
    if (!isOpen) throw errorOf("disposed", { what: manifest.pipeline });
    const { globalSize, inputs, params } = prepareRun(manifest, values, options);
    const arrays = new Map<string, HostArray>(inputs);
    for (const { name, type, elements } of manifest.bindings) {
      if (!arrays.has(name)) arrays.set(name, allocate(SCALARS[type].array, evaluate(elements, globalSize)));
    }
    const launch = params.map(({ value }) => value);
    module.kernel(
      ...launch,
      ...manifest.bindings.map((binding) => viewOf(binding, arrays.get(binding.name) as HostArray)),
    );
    const status = manifest.bindings.find(({ role }) => role === "status");
    return finishRun(
      manifest,
      Object.fromEntries(arrays),
      status ? (arrays.get(status.name) as Uint32Array) : [],
    );
  };
  return {
    manifest,
    run,
    ...OWN_SCRATCH,
    dispose: () => {
      isOpen = false;
    },
  };
}

/** What kernels see: of 64-bit integers their words. */
function viewOf({ type, memory }: Binding, array: HostArray): HostArray {
  if (memory !== "u32" || type === "u32") return array;
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)
    throw errorOf("unsupported", {
      what: type,
      reason: "its words are taken apart on little-endian machines only",
    });
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}

function allocate(type: new (length: number) => HostArray, elements: number): HostArray {
  try {
    return new type(elements);
  } catch (cause) {
    throw errorOf(
      "device-error",
      { device: "JavaScript", reason: `${elements} elements do not fit in memory` },
      "",
      cause,
    );
  }
}
