/** Native libraries through koffi. */
import { errorOf } from "@groupwise/core/target";

/** A function of a library; `async` calls it on a thread of its own. */
export type NativeCall = ((...args: unknown[]) => unknown) & { async(...args: unknown[]): void };

/** The type of pointers, of memory and of objects. */
export const P = "void *";

/** The part of koffi that is used. */
export interface Koffi {
  config(): Readonly<Record<string, number>>;
  config(settings: Readonly<Record<string, number>>): unknown;
  load(path: string | null): KoffiLibrary;
  address(memory: ArrayBufferView): bigint | number;
  decode(pointer: bigint, offset: number, type: string, count: number): unknown;
}
export interface KoffiLibrary {
  func(name: string, result: string, args: readonly string[]): unknown;
  unload(): void;
}

/**
 * The package that calls functions of libraries.
 * @param what what needs it, for the message
 * @throws GroupwiseError `device-missing`
 */
export async function importKoffi(what: string): Promise<Koffi> {
  try {
    return ((await import("koffi")) as unknown as { default: Koffi }).default;
  } catch (cause) {
    const reason = "the package koffi, which calls it, is not installed; install it with: npm install koffi";
    throw errorOf("device-missing", { what, reason }, "", cause);
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

/** Functions by name: the types of their results and arguments. */
export type Signatures = Readonly<Record<string, readonly [result: string, args: readonly string[]]>>;

/**
 * The functions of the first file that can be opened.
 * @param wanted `what`, `reason` and `remedy` of the error if none can
 * @throws GroupwiseError `device-missing`
 */
export function openNative(
  koffi: Koffi,
  files: readonly string[],
  signatures: Signatures,
  wanted: { readonly what: string; readonly reason: string; readonly remedy: string },
): Map<string, NativeCall> {
  raiseStacks(koffi);
  let failure: unknown;
  for (const file of files) {
    try {
      const library = koffi.load(file);
      const typed = Object.entries(signatures).map(([name, [result, args]]): [string, NativeCall] => [
        name,
        library.func(name, result, args) as NativeCall,
      ]);
      return new Map(typed);
    } catch (error) {
      failure = error;
    }
  }
  throw errorOf("device-missing", wanted, "", failure);
}

/** By platform: a call by which a thread lets others run on its core, and its library; null stands for the process itself. */
const YIELDS: Readonly<Record<string, readonly [library: string | null, name: string]>> = {
  win32: ["kernel32.dll", "SwitchToThread"],
};

/** Lets other threads run on the core of this one. @returns nothing where the platform has no such call: then nobody else runs */
export function yieldOf(koffi: Koffi): (() => unknown) | undefined {
  const [file, name] = YIELDS[process.platform] ?? [null, "sched_yield"];
  try {
    return koffi.load(file).func(name, "int", []) as () => unknown;
  } catch {
    return undefined;
  }
}

/** Opens at the first call, once; again after a failure. */
export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/** A library whose calls return a status. One other than 0 throws `device-error` with the call's and the status's name. */
export abstract class NativeLibrary<Name extends string, Argument> {
  /** For messages. */
  readonly device: string;
  /** The pipeline that calls are made for, for messages; empty where there is none. */
  readonly where: string;
  protected readonly natives: ReadonlyMap<string, NativeCall>;

  constructor(natives: ReadonlyMap<string, NativeCall>, device: string, where: string) {
    this.natives = natives;
    this.device = device;
    this.where = where;
  }

  protected abstract nameOf(call: string, status: number): string;

  protected native(name: string): NativeCall {
    return this.natives.get(name) as NativeCall;
  }

  /** The status alone, where one of several is expected. */
  status(name: Name, ...args: readonly Argument[]): number {
    return this.native(name)(...args) as number;
  }

  call(name: Name, ...args: readonly Argument[]): void {
    this.check(name, this.status(name, ...args));
  }

  /** On a thread of its own, so that the event loop continues. No argument may be memory of JavaScript. */
  callAsync(name: Name, ...args: readonly Argument[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.native(name).async(...args, (error: unknown, status: number) =>
        error ? reject(error) : resolve(status),
      );
    });
  }

  check(name: string, status: number): void {
    if (status === 0) return;
    const reason = `${name} returned ${this.nameOf(name, status)}`;
    throw errorOf("device-error", { device: this.device, reason }, this.where);
  }
}
