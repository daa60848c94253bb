/** Values of the objects that a runtime makes, which nothing else can give or copy. */

/** Values by object. */
export interface Marks<V> {
  /** Undefined for anything without a value, and for proxies of objects that have one. */
  get(of: unknown): V | undefined;
  set(of: object, value: V): void;
}

/** What a subclass constructs is the object that it is given. */
class Given {
  constructor(of: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the private field of a subclass becomes one of this object
    return of;
  }
}

/** A `WeakMap` would take 0.5 µs for each new object, most of it in the garbage collector; a private field takes 0.02. */
export function marks<V>(): Marks<V> {
  class Marked extends Given {
    #value: V;

    constructor(of: object, value: V) {
      super(of);
      this.#value = value;
    }

    static is(of: unknown): of is Marked {
      return typeof of === "object" && of !== null && #value in of;
    }

    static get(of: unknown): V | undefined {
      return Marked.is(of) ? of.#value : undefined;
    }

    static set(of: object, value: V): void {
      if (Marked.is(of)) of.#value = value;
      else new Marked(of, value);
    }
  }
  return Marked;
}
