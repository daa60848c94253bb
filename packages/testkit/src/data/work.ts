/**
 * Counts work instead of time: the elements that lists, sets and maps of the language traverse while a function runs. The
 * count of a program is the same on every machine, under any load.
 */

type Any = (this: unknown, ...args: unknown[]) => unknown;
type Method = readonly [holder: object, name: PropertyKey];

const ARRAYS = Array.prototype;
/** Methods that visit each element, or each until one is found. */
const WHOLE: readonly Method[] = [
  ...[
    "map",
    "filter",
    "flatMap",
    "forEach",
    "reduce",
    "some",
    "every",
    "find",
    "findIndex",
    "indexOf",
    "includes",
  ],
  ...["concat", "join", "reverse", "toReversed", "sort", "at", "push", "pop", "flat", "fill"],
].map((name) => [ARRAYS, name] as const);
const SINGLE: ReadonlySet<PropertyKey> = new Set(["at", "push", "pop"]);

const prototypeOf = (value: object): object => Object.getPrototypeOf(value) as object;
/** Steps of iterators, which spreads, loops and copies of sets take; and single look-ups. */
const STEPS: readonly Method[] = [
  [prototypeOf([][Symbol.iterator]()), "next"],
  [prototypeOf(new Set()[Symbol.iterator]()), "next"],
  [prototypeOf(new Map()[Symbol.iterator]()), "next"],
  [Set.prototype, "has"],
  [Set.prototype, "add"],
  [Map.prototype, "get"],
  [Map.prototype, "set"],
  [Map.prototype, "has"],
];

/** Elements that were traversed and look-ups that were made while `act` ran, and its result. */
export function workOf<T>(act: () => T): { readonly work: number; readonly result: T } {
  let work = 0;
  const put: (() => void)[] = [];
  const wrap = ([holder, name]: Method, cost: (self: unknown, result: unknown) => number): void => {
    const described = Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
    const original = described.value as Any;
    const counting: Any = function (...args) {
      const result = Reflect.apply(original, this, args);
      work += cost(this, result);
      return result;
    };
    Object.defineProperty(holder, name, { ...described, value: counting });
    put.push(() => Object.defineProperty(holder, name, described));
  };
  for (const method of WHOLE)
    wrap(method, SINGLE.has(method[1]) ? () => 1 : (self) => 1 + (self as readonly unknown[]).length);
  for (const method of STEPS) wrap(method, () => 1);
  // A part of a list costs what it copies.
  wrap([ARRAYS, "slice"], (_, copy) => 1 + (copy as readonly unknown[]).length);
  try {
    const result = act();
    return { work, result };
  } finally {
    for (const restore of put) restore();
  }
}
