/** Builds programs on threads of their own. */
import type { Handle, Pool } from "@groupwise/core/queue";
import { QUIRKS } from "../print/quirks.ts";
import type { OpenClDevice } from "./device.ts";
import type { OpenCl } from "./ffi.ts";

/** The device that programs are built for. */
interface Builder {
  readonly cl: OpenCl;
  readonly context: Handle;
  readonly info: Pick<OpenClDevice, "platform">;
}

/** The end of the last build of a platform that builds one program at a time. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(build: () => Promise<T>): Promise<T> {
  const done = last.then(build);
  last = done.catch(() => undefined);
  return done;
}

/** @returns the program and the status of `clBuildProgram`. @param pool releases the program */
export async function buildProgram(
  { cl, context, info }: Builder,
  pool: Pool,
  text: string,
  options: string,
): Promise<{ readonly program: Handle; readonly status: number }> {
  const made = cl.make("clCreateProgramWithSource", context, 1, [text], null);
  const program = cl.own(pool, "clReleaseProgram", made);
  const build = (): Promise<number> => cl.callAsync("clBuildProgram", program, 0, null, options, null, null);
  const status = await (info.platform === QUIRKS.sharedCompiler.value ? inTurn(build) : build());
  return { program, status };
}
