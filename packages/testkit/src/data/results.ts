/**
 * Results that depend only on their key, cached between runs if GROUPWISE_RESULTS names a directory. Keys hold
 * everything that a result depends on: the sources of the code that computes it, and its arguments.
 */

/** Modules of Node; checks also run in browsers, which have none of them. */
const builtin = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule;

/** A hash of the TypeScript sources under the URLs, or undefined if one of them is unavailable, as in a bundle. */
export function hashOfSources(...urls: readonly URL[]): string | undefined {
  if (!builtin || urls.some(({ protocol }) => protocol !== "file:")) return undefined;
  const { existsSync, readdirSync, readFileSync } = builtin("node:fs");
  const { join } = builtin("node:path");
  const { fileURLToPath } = builtin("node:url");
  const hash = builtin("node:crypto").createHash("sha256").update(process.version);
  for (const url of urls) {
    const path = fileURLToPath(url);
    if (!existsSync(path)) return undefined;
    const names = path.endsWith(".ts") ? [""] : readdirSync(path, { recursive: true, encoding: "utf8" });
    for (const name of names.filter((one) => one === "" || one.endsWith(".ts")).sort())
      hash.update(name).update(readFileSync(join(path, name)));
  }
  return hash.digest("hex");
}

/** Plain data, and views of bytes. */
export type Key = readonly unknown[];

// Not the structured clone, which writes equal numbers in two ways, depending on their representation in the engine.
function hashOf(key: Key): string {
  const hash = builtin?.("node:crypto").createHash("sha256");
  const text = JSON.stringify(key, (_, value) => {
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      hash?.update(`${value.constructor.name} ${bytes.length} `).update(bytes);
      return "bytes";
    }
    const isPlain = typeof value !== "bigint" && typeof value !== "number";
    return isPlain ? value : Object.is(value, -0) ? "-0" : `${typeof value} ${value}`;
  });
  return hash?.update(text).digest("hex") as string;
}

export interface Results {
  /** The cached result for the key, or undefined. */
  get(key: Key): unknown;
  /** @param value anything that the structured clone algorithm copies, apart from undefined */
  put(key: Key, value: unknown): void;
}

const NONE: Results = { get: () => undefined, put: () => {} };

/**
 * @param kind names a directory, of which only the given version is retained
 * @param version hash of what computes the results; nothing is cached if it is undefined
 */
export function resultsOf(kind: string, version: string | undefined): Results {
  const root = builtin && process.env.GROUPWISE_RESULTS;
  if (!root || version === undefined) return NONE;
  const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } =
    builtin("node:fs");
  const { join } = builtin("node:path");
  const { deserialize, serialize } = builtin("node:v8");
  const directory = join(root, kind, version.slice(0, 16));
  mkdirSync(directory, { recursive: true });
  for (const other of readdirSync(join(root, kind)))
    if (other !== version.slice(0, 16)) rmSync(join(root, kind, other), { recursive: true, force: true });
  const fileOf = (key: Key): string => join(directory, hashOf(key));
  return {
    get(key) {
      const file = fileOf(key);
      return existsSync(file) ? deserialize(readFileSync(file)) : undefined;
    },
    put(key, value) {
      const file = fileOf(key);
      // Other processes see the file only when it is complete.
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, serialize(value));
      renameSync(fresh, file);
    },
  };
}
