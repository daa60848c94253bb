/** Makes unique names. */
export class Names {
  private readonly taken: Set<string>;
  /** By hint: the first number that may be free. */
  private readonly next = new Map<string, number>();
  private readonly scoped: boolean;
  /** Further names that are taken. */
  private readonly outer: Names | undefined;

  /** @param scoped blocks that do not contain one another may use the same names */
  constructor(taken: Iterable<string> = [], scoped: boolean = true, outer?: Names) {
    this.taken = new Set(taken);
    this.scoped = scoped;
    this.outer = outer;
  }

  /** The hint itself if it is free, otherwise the hint with the first number that makes it free. */
  fresh(hint: string): string {
    let name = hint;
    if (this.isTaken(hint)) {
      let number = this.firstNumber(hint);
      do name = `${hint}_${number++}`;
      while (this.isTaken(name));
      this.next.set(hint, number);
    }
    this.taken.add(name);
    return name;
  }

  /** A separate copy of the names: names of two kernels may be equal. */
  fork(scoped: boolean = this.scoped): Names {
    return new Names([], scoped, this);
  }

  /** The names for an inner block. */
  inner(): Names {
    return this.scoped ? this.fork() : this;
  }

  private isTaken(name: string): boolean {
    return this.taken.has(name) || (this.outer?.isTaken(name) ?? false);
  }

  private firstNumber(hint: string): number {
    return Math.max(this.next.get(hint) ?? 2, this.outer?.firstNumber(hint) ?? 2);
  }
}

/** A hint for a name, of any text that begins with a letter; a number can be appended. */
export const hintOf = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .slice(0, 48)
    .replace(/_$/, "");
