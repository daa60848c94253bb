/** Compiles texts by NVRTC, on threads of their own. */
import type { Manifest } from "@groupwise/core";
import { type Handle, limit, type Pool } from "@groupwise/core/queue";
import { errorOf } from "@groupwise/core/target";
import type { KeptCode } from "@groupwise/target-c/native";
import { ARGUMENTS_BYTES, type CudaDriver } from "./driver.ts";
import type { Cuda } from "./ffi.ts";

const MAX_THREADS = 0;

/**
 * The kernels of a text by entry point.
 * @param pool retains what is made
 * @param kept where code outlives the process
 * @throws GroupwiseError `device-error` with the build log, `device-limit`
 */
export async function kernelsOf(
  driver: CudaDriver,
  manifest: Manifest,
  text: string,
  pool: Pool,
  kept: KeptCode | undefined,
): Promise<ReadonlyMap<string, Handle>> {
  for (const { entryPoint, params, bindings } of manifest.passes)
    limit(
      "bytes of a kernel's arguments",
      8 * (params.length + bindings.length),
      ARGUMENTS_BYTES,
      entryPoint,
    );
  const { number, isKnown } = architectureOf(driver.cuda, driver.device.computeCapability);
  const architecture = `--gpu-architecture=${isKnown ? "sm" : "compute"}_${number}`;
  const options = [architecture, ...String(manifest.flags.buildOptions ?? "").split(" ")].filter(Boolean);
  const parts = [text, ...options];
  const known = await kept?.get(parts);
  const load = (code: Uint8Array): Handle => driver.enter().make("cuModuleLoadData", code);
  let module = known && ifTaken(() => load(known));
  if (module === undefined) {
    const code = await codeOf(driver, { text, options, name: manifest.pipeline, isKnown });
    module = load(code);
    await kept?.set(parts, code);
  }
  const cuda = driver.enter();
  pool.add(module, (made) => driver.enter().status("cuModuleUnload", made));
  const kernels = new Map<string, Handle>();
  for (const { entryPoint, workGroupSize } of manifest.passes) {
    const kernel = cuda.make("cuModuleGetFunction", module, entryPoint);
    const most = cuda.integer("cuFuncGetAttribute", MAX_THREADS, kernel);
    limit("work-items in a work-group", workGroupSize, most, entryPoint);
    kernels.set(entryPoint, kernel);
  }
  return kernels;
}

/** Nothing if the driver does not take the code back: then the text is compiled. */
function ifTaken(load: () => Handle): Handle | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

/** A text, and how it is compiled. */
interface Source {
  readonly text: string;
  readonly options: readonly string[];
  readonly name: string;
  /** Whether the compiler knows the device's architecture. */
  readonly isKnown: boolean;
}

/** Code for the device, or PTX, which its driver compiles, if the compiler is older than the device. */
async function codeOf({ cuda }: CudaDriver, { text, options, name, isKnown }: Source): Promise<Uint8Array> {
  const program = cuda.make("nvrtcCreateProgram", text, `${name}.cu`, 0, null, null);
  try {
    const status = await cuda.callAsync("nvrtcCompileProgram", program, options.length, options);
    if (status !== 0) {
      const log = new TextDecoder().decode(outputOf(cuda, "nvrtcGetProgramLog", program));
      const reason = `it did not build the program: ${log.replaceAll("\0", "").trim()}`;
      throw errorOf("device-error", { device: cuda.device, reason }, cuda.where);
    }
    return outputOf(cuda, isKnown ? "nvrtcGetCUBIN" : "nvrtcGetPTX", program);
  } finally {
    cuda.status("nvrtcDestroyProgram", new BigUint64Array([program]));
  }
}

function outputOf(cuda: Cuda, name: string, program: Handle): Uint8Array {
  const size = new BigUint64Array(1);
  cuda.call(`${name}Size`, program, size);
  const bytes = new Uint8Array(Number(size[0]));
  cuda.call(name, program, bytes);
  return bytes;
}

/** The device's architecture, or the newest one below it that the compiler knows. */
function architectureOf(cuda: Cuda, computeCapability: string): { number: number; isKnown: boolean } {
  const wanted = Number(computeCapability.replace(".", ""));
  const known = new Int32Array(cuda.integer("nvrtcGetNumSupportedArchs"));
  cuda.call("nvrtcGetSupportedArchs", known);
  const below = [...known].filter((number) => number <= wanted);
  const number = Math.max(...below, known[0] ?? wanted);
  return { number, isKnown: number === wanted };
}
