/** What a fault is, and how it gets into the product. */

export interface Fault {
  readonly id: string;
  /** What is broken, in words. */
  readonly about: string;
  /** Test files, from the root of the project. */
  readonly tests: readonly string[];
  /** A part of the name of a test in them that must fail. */
  readonly expects: string;
  /** Breaks the product, before the modules of the tests load. */
  readonly break: () => Promise<void>;
}

/**
 * Replaces an export of a module in all modules that import it. Within the module itself, the real one remains. It defines a property of
 * the object that Vitest gives to importers.
 */
export async function replaceExport<M extends object, K extends keyof M>(
  module: Promise<M>,
  name: K,
  broken: (real: M[K], module: M) => M[K],
): Promise<void> {
  const exports = await module;
  const value = broken(exports[name], exports);
  Object.defineProperty(exports, name, { configurable: true, enumerable: true, get: () => value });
}

/** Replaces a property of an exported table, an element of a list, or a method of a prototype. */
export function replaceIn<T extends object, K extends keyof T>(
  table: T,
  name: K,
  broken: (real: T[K]) => T[K],
): void {
  Object.defineProperty(table, name, {
    configurable: true,
    enumerable: true,
    writable: true,
    value: broken(table[name]),
  });
}
