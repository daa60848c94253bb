/** Builds programs on threads of their own. */
import type { Handle, Pool } from "@groupwise/core/queue";
import type { KeptCode } from "@groupwise/target-c/native";
import { QUIRKS } from "../print/quirks.ts";
import { CL } from "./constants.ts";
import type { OpenClDevice } from "./device.ts";
import type { OpenCl } from "./ffi.ts";

/** The device that programs are built for. */
interface Builder {
  readonly cl: OpenCl;
  readonly context: Handle;
  readonly device: Handle;
  readonly info: Pick<OpenClDevice, "platform">;
  /** Where code outlives the process. */
  readonly kept?: KeptCode | undefined;
}

/** The end of the last build of a platform that builds one program at a time. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(build: () => Promise<T>): Promise<T> {
  const done = last.then(build);
  last = done.catch(() => undefined);
  return done;
}

/** A program, and the status of its build. */
interface Built {
  readonly program: Handle;
  readonly status: number;
}

/**
 * Builds a text, or what an earlier process built of it.
 * @returns the program and the status of `clBuildProgram`
 * @param pool releases the program
 */
export async function buildProgram(
  builder: Builder,
  pool: Pool,
  text: string,
  options: string,
): Promise<Built> {
  const { cl, context, info, kept } = builder;
  const parts = [text, options];
  const build = async (made: Handle): Promise<Built> => {
    const program = cl.own(pool, "clReleaseProgram", made);
    const start = (): Promise<number> =>
      cl.callAsync("clBuildProgram", program, 0, null, options, null, null);
    const status = await (info.platform === QUIRKS.oneThread.value ? inTurn(start) : start());
    return { program, status };
  };
  const code = await kept?.get(parts);
  const known = code && fromCode(builder, code);
  const found = known === undefined ? undefined : await build(known);
  // A driver that does not take the code back compiles the text.
  if (found?.status === 0) return found;
  const built = await build(cl.make("clCreateProgramWithSource", context, 1, [text], null));
  if (kept && built.status === 0) await kept.set(parts, codeOf(cl, built.program));
  return built;
}

/** A program of code; undefined if the driver refuses it. */
function fromCode({ cl, context, device }: Builder, code: Uint8Array): Handle | undefined {
  const [devices, lengths] = [BigUint64Array.of(device), BigUint64Array.of(BigInt(code.length))];
  const status = new Int32Array(1);
  try {
    const codes = BigUint64Array.of(cl.addressOf(code));
    return cl.make("clCreateProgramWithBinary", context, 1, devices, lengths, codes, status);
  } catch {
    return undefined;
  }
}

/** The code of a built program, for the one device of its context. */
function codeOf(cl: OpenCl, program: Handle): Uint8Array {
  const code = new Uint8Array(Number(cl.integer("clGetProgramInfo", program, CL.PROGRAM_BINARY_SIZES)));
  const codes = BigUint64Array.of(cl.addressOf(code));
  cl.call("clGetProgramInfo", program, CL.PROGRAM_BINARIES, codes.byteLength, codes, null);
  return code;
}
