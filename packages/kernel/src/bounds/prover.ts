/**
 * Proves inequalities between whole numbers that are not negative, from facts: polynomials that are at least 0. It replaces the newest
 * atom that is subtracted by what a fact says that it is at most, until nothing is subtracted. It may fail to prove what holds.
 */
import {
  type Atom,
  constantOf,
  dividedBy,
  factorsOf,
  keyOf,
  type Linear,
  type Monomial,
  minus,
  numberIn,
  ONE,
  plus,
  replaced,
  termOf,
  times,
  without,
} from "./linear.ts";

/** A quotient, rounded down; the divisor is at least 1. */
export interface Quotient {
  readonly of: Linear;
  readonly by: Linear;
}

/** What an atom is. */
type Definition =
  | { readonly kind: "unknown" | "data" }
  | ({ readonly kind: "quotient" } & Quotient)
  | { readonly kind: "min" | "max"; readonly a: Linear; readonly b: Linear }
  | {
      readonly kind: "select";
      readonly a: Linear;
      readonly b: Linear;
      /** What holds where it is `a`, and where it is `b`. */
      readonly ifSo: readonly Linear[];
      readonly ifNot: readonly Linear[];
    };

/** How long a proof may be: its steps, of which the short ones are tried first, and all attempts with as many. */
interface Effort {
  readonly steps: readonly number[];
  readonly attempts: number;
}
/** For questions on the way: whether a difference wraps. */
const SHORT: Effort = { steps: [2, 4, 6], attempts: 300 };
/** For indexes. Three dimensions need the longest proofs. */
export const LONG: Effort = { steps: [2, 4, 6, 9, 14, 20], attempts: 4000 };

/** The key of a quotient. */
export const quotientKey = ({ of, by }: Quotient): string => `(${keyOf(of)}) / (${keyOf(by)})`;

export class Prover {
  private readonly atoms = new Map<string, Atom>();
  /** In the order in which they are defined. */
  private readonly definitions = new Map<Atom, { readonly age: number; readonly is: Definition }>();
  /** By each monomial that a fact subtracts. */
  private readonly facts = new Map<Monomial, Linear[]>();
  /** The facts that hold only under the conditions around, the innermost last. */
  private readonly scopes: Linear[][] = [];
  private readonly proven = new Map<string, boolean>();
  private readonly failed = new Map<string, number>();
  private version = 0;
  private attemptsLeft = 0;

  /**
   * The atom with a key; equal keys are equal numbers.
   * @param most what an atom is at most that this call defines
   */
  define(key: string, is: Definition = { kind: "unknown" }, most: readonly Linear[] = []): Linear {
    const before = this.atoms.get(key);
    if (before !== undefined) return termOf(before, 1);
    const atom = `a${this.atoms.size}`;
    this.atoms.set(key, atom);
    this.definitions.set(atom, { age: this.definitions.size, is });
    const value = termOf(atom, 1);
    this.always(...most.map((bound) => minus(bound, value)));
    if (is.kind === "min") this.always(minus(is.a, value), minus(is.b, value));
    if (is.kind === "max") this.always(minus(value, is.a), minus(value, is.b));
    if (is.kind === "quotient") {
      // by * q <= of <= by * q + by - 1
      const product = times(is.by, value);
      this.always(minus(is.of, product), plus(minus(plus(product, is.by), is.of), constantOf(-1)));
      this.boundQuotient(is, value);
    }
    return value;
  }

  /** Whether arithmetic on it may wrap, as it contains numbers of the pipeline's data. */
  hasData(sum: Linear): boolean {
    return [...sum.keys()].some((monomial) =>
      factorsOf(monomial).some((atom) => this.definitions.get(atom)?.is.kind === "data"),
    );
  }

  /** What a polynomial is, if it is one quotient. */
  quotientOf(sum: Linear): Quotient | undefined {
    const [[atom, coefficient] = []] = sum;
    const is = sum.size === 1 && coefficient === 1 ? this.definitions.get(atom as Atom)?.is : undefined;
    return is?.kind === "quotient" ? is : undefined;
  }

  /** Polynomials that are at least the given one: those with an operand in place of a minimum. */
  above(sum: Linear): readonly Linear[] {
    return [...sum].flatMap(([monomial, coefficient]) => {
      const is = this.definitions.get(monomial)?.is;
      return is?.kind === "min" && coefficient > 0
        ? [is.a, is.b].map((by) => replaced(sum, monomial, by))
        : [];
    });
  }

  /** Adds polynomials that are at least 0 everywhere. */
  always(...facts: readonly Linear[]): void {
    for (const fact of facts) this.index(tightened(fact));
  }

  /** Adds a polynomial that is at least 0 until the innermost conditions end. */
  here(fact: Linear): void {
    const tight = tightened(fact);
    this.index(tight);
    this.scopes.at(-1)?.push(tight);
  }

  /** Runs under conditions: polynomials that are at least 0. */
  knowing<T>(facts: readonly Linear[], run: () => T): T {
    this.scopes.push([]);
    for (const fact of facts) this.here(fact);
    const result = run();
    for (const fact of this.scopes.pop() as Linear[])
      for (const list of this.listsOf(fact)) list.splice(list.lastIndexOf(fact), 1);
    this.version++;
    return result;
  }

  private index(fact: Linear): void {
    for (const list of this.listsOf(fact)) list.push(fact);
    this.version++;
  }

  private listsOf(fact: Linear): Linear[][] {
    return [...fact].flatMap(([monomial, coefficient]) => {
      if (coefficient >= 0) return [];
      const list = this.facts.get(monomial) ?? [];
      this.facts.set(monomial, list);
      return [list];
    });
  }

  /** A quotient by s of what is below s * p is below p, and one by k of what is below m is below ceil(m / k). */
  private boundQuotient({ of, by }: Quotient, value: Linear): void {
    const facts = new Set([...of.keys()].flatMap((monomial) => this.facts.get(monomial) ?? []));
    for (const fact of facts) {
      const end = plus(plus(fact, of), constantOf(1));
      const ceil = this.atoms.get(quotientKey({ of: plus(plus(end, by), constantOf(-1)), by }));
      const most = dividedBy(end, by) ?? (ceil === undefined ? undefined : termOf(ceil, 1));
      if (most) this.here(plus(minus(most, value), constantOf(-1)));
    }
  }

  /** Whether a number is at least 1. */
  isPositive(sum: Linear): boolean {
    if (this.atMost(constantOf(1), sum)) return true;
    const [[monomial] = []] = sum;
    if (sum.size !== 1 || !monomial) return false;
    const factors = factorsOf(monomial);
    return factors.every(
      (atom) => this.isFactor(atom) || (factors.length > 1 && this.isPositive(termOf(atom, 1))),
    );
  }

  /** Whether a fact says that a product with this factor is at least 1. */
  private isFactor(atom: Atom): boolean {
    return (this.facts.get(ONE) ?? []).some((fact) => {
      const [first, ...others] = [...fact].filter(([, coefficient]) => coefficient > 0);
      return first !== undefined && others.length === 0 && without(first[0], atom) !== undefined;
    });
  }

  /** Whether a <= b can be proven. */
  atMost(a: Linear, b: Linear, { steps, attempts }: Effort = SHORT): boolean {
    const goal = tightened(minus(b, a));
    const key = `${this.version} ${attempts} ${keyOf(goal)}`;
    const before = this.proven.get(key);
    if (before !== undefined) return before;
    const result = steps.some((depth) => {
      this.attemptsLeft = attempts;
      this.failed.clear();
      return this.holds(goal, depth, new Set());
    });
    this.proven.set(key, result);
    return result;
  }

  /** Whether a polynomial is at least 0. @param above those that it is to prove */
  private holds(sum: Linear, depth: number, above: Set<string>): boolean {
    const monomial = this.newestSubtracted(sum);
    if (monomial === undefined) return true;
    if (numberIn(sum) !== undefined || depth === 0 || this.attemptsLeft-- <= 0) return false;
    const key = keyOf(sum);
    if (above.has(key) || (this.failed.get(key) ?? -1) >= depth) return false;
    above.add(key);
    const rest = (next: Linear): boolean => this.holds(next, depth - 1, above);
    const result =
      this.byFacts(sum, monomial, rest) || this.byMultiple(sum, monomial, rest) || this.byCases(sum, rest);
    above.delete(key);
    if (!result) this.failed.set(key, depth);
    return result;
  }

  private newestSubtracted(sum: Linear): Monomial | undefined {
    const ageOf = (monomial: Monomial): number =>
      Math.max(-1, ...factorsOf(monomial).map((atom) => this.definitions.get(atom)?.age ?? 0));
    let newest: Monomial | undefined;
    let least = -2;
    for (const [monomial, coefficient] of sum) {
      const age = coefficient < 0 ? ageOf(monomial) : least;
      if (age > least) [newest, least] = [monomial, age];
    }
    return newest;
  }

  private byFacts(sum: Linear, monomial: Monomial, rest: (next: Linear) => boolean): boolean {
    const coefficient = sum.get(monomial) as number;
    const subtract = (fact: Linear, at: Monomial): boolean => {
      const exact = coefficient / (fact.get(at) as number);
      // Of a number more than enough may be subtracted.
      const scale = at === ONE ? Math.ceil(exact) : exact;
      return (
        Number.isInteger(scale) &&
        rest(minus(sum, times(fact, termOf(without(monomial, at) as string, scale))))
      );
    };
    if (this.shortest(monomial).some((fact) => subtract(fact, monomial))) return true;
    if (monomial === ONE)
      return [...sum].some(([product, times_]) => {
        const isLess = product === ONE || times_ + coefficient < 0;
        const isOne = !isLess && factorsOf(product).every((atom) => this.isFactor(atom));
        return isOne && rest(plus(minus(sum, termOf(product, times_)), constantOf(times_)));
      });
    const factors = new Set(factorsOf(monomial));
    return (
      factors.size > 1 &&
      [...factors].some((atom) => this.shortest(atom).some((fact) => subtract(fact, atom)))
    );
  }

  /** Facts that subtract a monomial. Those of few terms, and those of inner conditions, come to an end soon. */
  private shortest(monomial: Monomial): readonly Linear[] {
    return (this.facts.get(monomial) ?? []).toReversed().sort((a, b) => a.size - b.size);
  }

  /** A whole number is at least 0 if k times the number is more than -k, where k * q is known and the quotient q is not. */
  private byMultiple(sum: Linear, monomial: Monomial, rest: (next: Linear) => boolean): boolean {
    const coefficient = sum.get(monomial) as number;
    return factorsOf(monomial).some((atom) => {
      const is = this.definitions.get(atom)?.is;
      if (is?.kind !== "quotient") return false;
      const by = numberIn(is.by);
      const isMultiple =
        by === undefined
          ? [...is.by.keys()].every((part) => without(monomial, part) !== undefined)
          : coefficient % by === 0;
      return !isMultiple && rest(plus(plus(times(sum, is.by), is.by), constantOf(-1)));
    });
  }

  /** A minimum that is added, a maximum that is subtracted, and a choice are each of their operands in turn. */
  private byCases(sum: Linear, rest: (next: Linear) => boolean): boolean {
    for (const [monomial, coefficient] of sum)
      for (const atom of factorsOf(monomial)) {
        const is = this.definitions.get(atom)?.is;
        if (is?.kind === "select")
          return (
            this.knowing(is.ifSo, () => rest(replaced(sum, atom, is.a))) &&
            this.knowing(is.ifNot, () => rest(replaced(sum, atom, is.b)))
          );
        const isSplit = (is?.kind === "min" && coefficient > 0) || (is?.kind === "max" && coefficient < 0);
        if (!isSplit || !is || !("a" in is)) continue;
        const [less, more] = is.kind === "min" ? [is.a, is.b] : [is.b, is.a];
        return (
          this.knowing([minus(is.b, is.a)], () => rest(replaced(sum, atom, less))) &&
          this.knowing([minus(is.a, is.b)], () => rest(replaced(sum, atom, more)))
        );
      }
    return false;
  }
}

const divisorOf = (a: number, b: number): number => (b === 0 ? a : divisorOf(b, a % b));

/** 4 x - 1 is at least 0 where x - 1 is, because x is whole. */
function tightened(fact: Linear): Linear {
  let common = 0;
  for (const [monomial, coefficient] of fact)
    if (monomial !== ONE) common = divisorOf(Math.abs(coefficient), common);
  if (common <= 1) return fact;
  const parts = [...fact].map(([m, c]): [Monomial, number] => [m, Math.floor(c / common)]);
  return new Map(parts.filter(([, coefficient]) => coefficient !== 0));
}
