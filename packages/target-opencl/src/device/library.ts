/** Opens the library of OpenCL. */
import { errorOf } from "@groupwise/core/target";
import { FUNCTIONS, MAKERS, type Native, OpenCl, P } from "./ffi.ts";

const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ["libOpenCL.so.1", "libOpenCL.so"],
  darwin: ["/System/Library/Frameworks/OpenCL.framework/OpenCL"],
  win32: ["OpenCL.dll"],
};

/** By platform: a call by which a thread lets others run on its core, and its library; null stands for the process itself. */
const YIELDS: Readonly<Record<string, readonly [library: string | null, name: string]>> = {
  win32: ["kernel32.dll", "SwitchToThread"],
};

interface Koffi {
  config(): Readonly<Record<string, number>>;
  config(settings: Readonly<Record<string, number>>): unknown;
  load(path: string | null): { func(name: string, result: string, args: readonly string[]): unknown };
}

async function importKoffi(): Promise<Koffi> {
  try {
    return ((await import("koffi")) as unknown as { default: Koffi }).default;
  } catch (cause) {
    const reason = "the package koffi, which calls it, is not installed; install it with: npm install koffi";
    throw errorOf("device-missing", { what: "OpenCL", reason }, "", cause);
  }
}

/** Bytes of stack for a call. A compiler needs more for nested expressions than koffi's 128 kiB, and ends the process. */
const STACK = 8 << 20;

/** Raises the stacks of koffi's calls; the memory is used only where a call reaches it. */
function raiseStacks(koffi: Koffi): void {
  try {
    const settings = koffi.config();
    const raised = ["sync_stack_size", "async_stack_size"].map((name) => [
      name,
      Math.max(settings[name] ?? 0, STACK),
    ]);
    koffi.config({ ...settings, ...Object.fromEntries(raised) });
  } catch {
    // The process has loaded a library by koffi before: its stacks stay as they are.
  }
}

/** @returns nothing where the platform has no such call: then nobody else runs */
function yieldOf(koffi: Koffi): (() => unknown) | undefined {
  const [file, name] = YIELDS[process.platform] ?? [null, "sched_yield"];
  try {
    return koffi.load(file).func(name, "int", []) as () => unknown;
  } catch {
    return undefined;
  }
}

async function open(): Promise<OpenCl> {
  const koffi = await importKoffi();
  raiseStacks(koffi);
  let failure: unknown;
  for (const file of LIBRARIES[process.platform] ?? (LIBRARIES.linux as readonly string[])) {
    try {
      const library = koffi.load(file);
      const natives = new Map<string, Native>();
      for (const [name, args] of Object.entries(FUNCTIONS))
        natives.set(name, library.func(name, "int", args) as Native);
      for (const [name, args] of Object.entries(MAKERS))
        natives.set(name, library.func(name, P, [...args, P]) as Native);
      return new OpenCl(natives, yieldOf(koffi));
    } catch (error) {
      failure = error;
    }
  }
  const reason =
    "its loader library cannot be opened; install one, on Debian with: apt install ocl-icd-libopencl1 and a driver such as pocl-opencl-icd";
  throw errorOf("device-missing", { what: "OpenCL", reason }, "", failure);
}

let library: Promise<OpenCl> | undefined;

/**
 * Opens koffi and the library, once.
 * @throws GroupwiseError `device-missing`
 */
export function openLibrary(): Promise<OpenCl> {
  library ??= open().catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  return library;
}
