import type { Stmt } from "../../language/stmt.ts";
import { walk } from "../../language/walk.ts";

interface Named {
  readonly name: string;
}
interface NamedBody extends Named {
  readonly shared?: readonly Named[];
  readonly body: readonly Stmt[];
}
interface Parts {
  readonly params?: readonly Named[];
  readonly buffers?: readonly Named[];
  readonly kernels?: readonly NamedBody[];
  readonly functions?: readonly NamedBody[];
}

/** Every name of a module and of its parts, or of some parts. */
export function* namesOf({
  params = [],
  buffers = [],
  kernels = [],
  functions = [],
}: Parts): Generator<string> {
  for (const { name } of [...params, ...buffers, ...kernels, ...functions]) yield name;
  for (const { shared = [], body } of [...functions, ...kernels]) {
    for (const { name } of shared) yield name;
    for (const stmt of walk(body)) if ("name" in stmt) yield stmt.name;
  }
}
