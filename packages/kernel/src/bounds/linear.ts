/** Polynomials over numbers that are not known, with whole coefficients. */

/** A number that is not known. */
export type Atom = string;
/** Atoms that are multiplied: in order and joined; the empty text is 1. */
export type Monomial = string;
/** Coefficients by monomial; none is 0. */
export type Linear = ReadonlyMap<Monomial, number>;

export const ONE: Monomial = "";
const JOIN = "*";

export const constantOf = (value: number): Linear => new Map(value === 0 ? [] : [[ONE, value]]);
export const factorsOf = (monomial: Monomial): readonly Atom[] =>
  monomial === ONE ? [] : monomial.split(JOIN);
export const termOf = (monomial: Monomial, coefficient: number): Linear => new Map([[monomial, coefficient]]);

/** Adds a term to a sum that is being made. */
function add(sum: Map<Monomial, number>, monomial: Monomial, coefficient: number): void {
  const value = (sum.get(monomial) ?? 0) + coefficient;
  if (value === 0) sum.delete(monomial);
  else sum.set(monomial, value);
}

/** a + scale * b */
export function plus(a: Linear, b: Linear, scale: number = 1): Linear {
  const sum = new Map(a);
  for (const [monomial, coefficient] of b) add(sum, monomial, scale * coefficient);
  return sum;
}
export const minus = (a: Linear, b: Linear): Linear => plus(a, b, -1);

function joined(m: Monomial, n: Monomial): Monomial {
  if (m === ONE || n === ONE) return m + n;
  return [...factorsOf(m), ...factorsOf(n)].sort().join(JOIN);
}

export function times(a: Linear, b: Linear): Linear {
  const product = new Map<Monomial, number>();
  for (const [m, x] of a) for (const [n, y] of b) add(product, joined(m, n), x * y);
  return product;
}

/** The value, if it is known. */
export function numberIn(a: Linear): number | undefined {
  if (a.size === 0) return 0;
  return a.size === 1 ? a.get(ONE) : undefined;
}

/** A monomial divided by the factors of another one, if it has them. */
export function without(monomial: Monomial, part: Monomial): Monomial | undefined {
  const factors = [...factorsOf(monomial)];
  for (const atom of factorsOf(part)) {
    const at = factors.indexOf(atom);
    if (at < 0) return undefined;
    factors.splice(at, 1);
  }
  return factors.join(JOIN);
}

/** The polynomial with another one in place of an atom; of its square, in place of one factor. */
export function replaced(sum: Linear, atom: Atom, by: Linear): Linear {
  const result = new Map<Monomial, number>();
  for (const [monomial, coefficient] of sum) {
    const rest = without(monomial, atom);
    if (rest === undefined) add(result, monomial, coefficient);
    else for (const [part, factor] of by) add(result, joined(part, rest), factor * coefficient);
  }
  return result;
}

/** Steps of a division: products of sizes have few terms. */
const MOST_STEPS = 8;

/** a / b, if b divides a. */
export function dividedBy(a: Linear, b: Linear): Linear | undefined {
  const divisor = leadOf(b);
  let rest = a;
  let quotient: Linear = new Map();
  for (let step = 0; rest.size > 0; step++) {
    const lead = leadOf(rest);
    const factors = divisor && lead && without(lead[0], divisor[0]);
    if (factors === undefined || step === MOST_STEPS) return undefined;
    const coefficient = (lead as [Monomial, number])[1] / (divisor as [Monomial, number])[1];
    if (!Number.isInteger(coefficient)) return undefined;
    quotient = plus(quotient, termOf(factors, coefficient));
    rest = minus(rest, times(termOf(factors, coefficient), b));
  }
  return quotient;
}

/** The term of the most factors. */
function leadOf(sum: Linear): readonly [Monomial, number] | undefined {
  const degree = (monomial: Monomial): number => factorsOf(monomial).length;
  return [...sum].sort(([a], [b]) => degree(b) - degree(a) || (a < b ? 1 : -1))[0];
}

/** The same text for equal polynomials. */
export const keyOf = (sum: Linear): string =>
  [...sum]
    .map(([monomial, coefficient]) => `${coefficient}${JOIN}${monomial}`)
    .sort()
    .join("+");
