/** The name of the engine that this code runs in. Bun and Deno have the version of a Node too. */
export function engine(): string {
  const { process } = globalThis as { process?: { versions?: Readonly<Record<string, string>> } };
  const { bun, deno, node, v8 } = process?.versions ?? {};
  if (bun) return `Bun ${bun}`;
  if (deno) return `Deno ${deno}, V8 ${v8}`;
  return node ? `Node ${node}, V8 ${v8}` : "this engine";
}
