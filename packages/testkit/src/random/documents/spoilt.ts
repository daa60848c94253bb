/** The replacements of values in hostile documents. */
import fc from "fast-check";
import type { Random } from "../../data/random.ts";

/** Names that follow the grammar and have a meaning in some language or in the emitted texts. */
export const NAMES: readonly string[] = [
  "while import static arguments null options values Math Object Array undefined await async eval NaN of",
  "wordsOf requireTable requireArray requireSizes kernel vec4 atomic_xchg params status main n i lane group",
  "base k zero x_i v1 get_global_id uint printf f32 workgroupBarrier fn let var void run finish tile",
].flatMap((line) => line.split(" "));

const CONTROLS = "\u0000|\u0007|\u001b[31m|\u009b31m|\u202e|\u2066|\u200f|\u2028|\ud800|\r\n|\t".split("|");
const OTHER_TEXTS = [
  "__proto__ constructor toString hasOwnProperty prototype a__b _a 1a NaN inf -inf -0 00 1e400 é 😀".split(
    " ",
  ),
  ["", " ", "a; } evil(", "*/ evil /*", "` + evil + `", "9".repeat(40)],
].flat();

/** A text that is not a valid name, and that no terminal should receive. */
export function badText(random: Random): string {
  const control = random.pick(CONTROLS);
  const long = random.pick([63, 64, 65, 256, 257, 5000]);
  const made = [
    control,
    `a${control}b`,
    `${control}${random.pick(NAMES)}`,
    control.repeat(300),
    "x".repeat(long),
  ];
  return random.pick([...OTHER_TEXTS, ...made]);
}

/** A number that is no id, size or count. */
const badNumber = (random: Random): number =>
  random.pick([
    ...[-1, -0, 0, 0.5, 1, 4096, 65537, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 1e308, -1e308],
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE, random.int(0, 30)],
  ]);

const FIELDS = [
  "id kind name type of value op identity scope order index left right condition then otherwise to query",
  "dimension slot where length capacity combine form operator field at nodes operators fields results",
  "version workGroupSize",
].flatMap((line) => line.split(" "));
const key = (random: Random): string => (random.chance(0.7) ? random.pick(FIELDS) : badText(random));

/** Lists and objects with the fields of documents, and objects of the language. */
const ANYTHING = fc.anything({
  key: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FIELDS) }, { arbitrary: fc.string(), weight: 1 }),
  ...{ maxKeys: 4, withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withSet: true },
  ...{ withNullPrototype: true, withObjectString: true, withSparseArray: true, withTypedArray: true },
});

/** Any value in place of any other. */
export function badValue(random: Random): unknown {
  const kind = random.int(0, 12);
  if (kind < 3) return badNumber(random);
  if (kind < 5) return badText(random);
  if (kind === 5) return random.pick([null, true, false, undefined]);
  if (kind === 6) return random.pick([[], {}]);
  if (kind < 11) return fc.sample(ANYTHING, { seed: random.bits(), numRuns: 1 })[0];
  if (kind === 11) return nested(random, random.pick([3, 5, 6, 7, 200]));
  return unplain(random);
}

function nested(random: Random, depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = random.chance(0.5) ? [value] : { of: value };
  return value;
}

/** Values that only a program can pass, because JSON cannot represent them. */
export function unplain(random: Random): unknown {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  // One list many times over, rarely large enough to be refused.
  const side = random.chance(0.03) ? 130 : 12;
  const shared = Array.from({ length: side }, () => 1);
  const wide = Array.from({ length: side }, () => shared);
  const trap = (): never => {
    throw new RangeError("trap");
  };
  return random.pick<() => unknown>([
    () => cycle,
    () => Array.from({ length: side }, () => wide),
    () => Symbol("s"),
    () => () => 1,
    () => new Proxy({}, { ownKeys: trap }),
    () => new Proxy([], { get: trap }),
    () => Object.defineProperty({}, "kind", { enumerable: true, get: () => "input" }),
    () => new Array(2 ** 32 - 1),
    () => ({ toString: 1, valueOf: null }),
  ])();
}

type Holder = Record<PropertyKey, unknown>;
const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null;

/** Lists and objects in a document, the first few hundred. */
function holdersIn(document: object): Holder[] {
  const found: Holder[] = [];
  const stack: Holder[] = [document as Holder];
  for (let one = stack.pop(); one !== undefined && found.length < 400; one = stack.pop()) {
    found.push(one);
    stack.push(...partsOf(one));
  }
  return found;
}

function partsOf(holder: Holder): Holder[] {
  try {
    return Array.isArray(holder) && holder.length > 64 ? [] : Object.values(holder).filter(isHolder);
  } catch {
    return []; // a proxy whose traps throw
  }
}

function keysOf(holder: Holder): string[] {
  try {
    return Array.isArray(holder) && holder.length > 64 ? ["0", "length"] : Object.keys(holder);
  } catch {
    return [];
  }
}

/** The document with one to three faults. */
export function spoilt(random: Random, document: object): unknown {
  const changes = random.pick([1, 1, 1, 2, 3]);
  for (let i = 0; i < changes; i++) {
    const holders = holdersIn(document);
    const holder = random.pick(holders);
    const keys = keysOf(holder);
    const at = keys.length > 0 ? random.pick(keys) : "x";
    try {
      change(random, holder, at, holders);
    } catch {
      // A proxy whose traps throw is not changed.
    }
  }
  return random.chance(0.02) ? badValue(random) : document;
}

function change(random: Random, holder: Holder, at: string, holders: readonly Holder[]): void {
  const kind = random.int(0, 11);
  const old = Object.getOwnPropertyDescriptor(holder, at)?.value as unknown;
  if (kind < 3) set(holder, at, badValue(random));
  else if (kind < 5 && typeof old === "number") set(holder, at, old + random.pick([-1, 1, 2, 7, -100, 0.5]));
  else if (kind === 5 && typeof old === "number") set(holder, at, badNumber(random));
  else if (kind < 8 && typeof old === "string")
    set(holder, at, random.chance(0.5) ? badText(random) : random.pick(NAMES));
  else if (kind === 8) Reflect.deleteProperty(holder, at);
  else if (kind === 9) set(holder, key(random), badValue(random));
  else if (kind === 10 && Array.isArray(holder)) {
    if (random.chance(0.5) && holder.length < 64) holder.reverse();
    else set(holder, "0", holder.at(-1));
  } else {
    const other = random.pick(holders);
    const from = keysOf(other);
    if (from.length > 0) set(holder, at, Object.getOwnPropertyDescriptor(other, random.pick(from))?.value);
  }
}

/** As in JSON.parse, `__proto__` is an ordinary key. */
function set(holder: Holder, at: string, value: unknown): void {
  try {
    Object.defineProperty(holder, at, { value, enumerable: true, configurable: true, writable: true });
  } catch {
    // The length of a list accepts only numbers.
  }
}
