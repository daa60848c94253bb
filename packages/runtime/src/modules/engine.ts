/** The name of the engine that this code runs in. */
export function engine(): string {
  const versions = (globalThis as { process?: { versions?: { node?: string; v8?: string } } }).process
    ?.versions;
  return versions?.node ? `Node ${versions.node}, V8 ${versions.v8}` : "this engine";
}
