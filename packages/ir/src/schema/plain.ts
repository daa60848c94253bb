import { errorOf, GroupwiseError } from "../base/errors.ts";
import { quoted } from "../base/quote.ts";
import { LIMITS } from "../document/limits.ts";

/** The keys from the document's root to a value. */
export type Path = readonly PropertyKey[];

/** A path as text: `nodes[3].op`; the root is `document`. */
export function pathText(path: Path): string {
  const text = path
    .map((key) => {
      if (typeof key === "number") return `[${key}]`;
      return typeof key === "string" && /^[A-Za-z_]\w{0,31}$/.test(key) ? `.${key}` : `[${quote(key)}]`;
    })
    .join("");
  return text.replace(/^\./, "") || "document";
}

/** A value as quoted text that is safe to print, 40 characters at most. */
export const quote = (value: unknown): string => quoted(value, 40);

// A pipeline has a list of operators, which have lists of nodes, which have lists of operands: six deep.
const DEPTH = 6;
const KEYS = 32;
/** More values than a text within the limit can have: an object can contain one list many times. */
const VALUES = 2 ** 21;

/**
 * Prototype of copies: makes comparisons with a number or a string false; without a prototype they would
 * throw.
 */
const PLAIN: object = Object.freeze(
  Object.create(null, { [Symbol.toPrimitive]: { value: () => "an object" } }) as object,
);

/**
 * Copies plain data: objects without inherited properties, arrays, primitives. The copy is validated
 * afterwards, so getters, proxies and later writes of the caller cannot change it.
 * @throws GroupwiseError `bad-document`, `too-large`
 */
export function plainCopy(value: unknown): unknown {
  try {
    return copy(value, [], { values: 0 });
  } catch (error) {
    if (error instanceof GroupwiseError) throw error;
    throw errorOf("bad-document", { reason: "it cannot be read" }, "document", error);
  }
}

const bad = (path: Path, reason: string): GroupwiseError =>
  errorOf("bad-document", { reason }, pathText(path));

function copy(value: unknown, path: Path, total: { values: number }): unknown {
  if (++total.values > VALUES)
    throw errorOf(
      "too-large",
      { what: "values of the document", got: total.values, limit: VALUES },
      "document",
    );
  if (value === null || typeof value !== "object") return value;
  if (path.length >= DEPTH) throw bad(path, "objects or lists are nested too deeply");
  if (Array.isArray(value)) {
    const { length } = value;
    if (length > LIMITS.nodes) {
      const what = path[0] === "nodes" && path.length === 1 ? "nodes of the pipeline" : "items of a list";
      throw errorOf("too-large", { what, got: length, limit: LIMITS.nodes }, pathText(path));
    }
    return Array.from({ length }, (_, index) => copy(ownData(value, index, path), [...path, index], total));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw bad(path, "it is an instance of a class, not plain data");
  }
  const keys = Reflect.ownKeys(value);
  if (keys.length > KEYS) throw bad(path, `it has ${keys.length} keys, more than any object of a pipeline`);
  const result = Object.create(PLAIN) as Record<PropertyKey, unknown>;
  for (const key of keys) {
    if (typeof key === "symbol" || key === "__proto__")
      throw bad(path, `it has the unknown key ${quote(key)}`);
    result[key] = copy(ownData(value, key, path), [...path, key], total);
  }
  return result;
}

function ownData(holder: object, key: PropertyKey, path: Path): unknown {
  const property = Object.getOwnPropertyDescriptor(holder, key);
  if (property && !("value" in property)) throw bad([...path, key], "it is a getter, not plain data");
  return property?.value;
}
