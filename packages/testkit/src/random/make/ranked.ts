/** Stable ranks and what stands around them: keys that follow from values that other stages store, and items that several ranks move. */
import type { Scalar } from "@groupwise/core";
import { encodeLiteral, type NewNode, OPS } from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";

/** A document under construction. */
export interface RankedPlace {
  readonly random: Random;
  /** @returns the id of the node */
  add(type: Scalar, node: NewNode): number;
  /** A new name. */
  name(): string;
  /** An input, perhaps of narrow elements, or another value that items have. */
  value(type: Scalar): number;
  /** The types of values that ranks move. */
  readonly types: readonly Scalar[];
}

/** Keys have few values, so that many are equal. */
const KEYS = 15;

/** A rank, or two of which the second ranks what the first one moved, with outputs that follow from them. */
export function addRanked(place: RankedPlace): void {
  const { random } = place;
  const ranked = new Ranked(place);
  const source = place.value("u32");
  const slot = ranked.rank(source);
  const moved = ranked.moved(source, slot);
  if (random.chance(0.4)) ranked.moved(moved, ranked.rank(moved));
}

class Ranked {
  private readonly place: RankedPlace;

  constructor(place: RankedPlace) {
    this.place = place;
  }

  /** The rank by a key that follows from a value, and perhaps from others of all items. */
  rank(of: number): number {
    const { random } = this.place;
    const few = this.u32("and", of, this.constant(KEYS));
    const costly = random.chance(0.6) ? this.costly(few) : few;
    const key = random.chance(0.7) ? this.related(costly) : costly;
    const slot = this.place.add("u32", {
      ...{ kind: "rank", scope: "device", of: key },
      bins: random.pick([1, 2, 16, 64, 256]),
    });
    for (const id of [few, costly, key, slot]) if (random.chance(0.2)) this.output(id, "u32");
    return slot;
  }

  /** Scatters by a rank, and other uses of it. @returns an item's value after the first one */
  moved(of: number, slot: number): number {
    const { place } = this;
    const { random, types } = place;
    const scatter = (id: number, type: Scalar): number =>
      place.add(type, { kind: "scatter", name: place.name(), value: id, slot });
    const first = scatter(of, "u32");
    for (let more = random.int(0, 2); more > 0; more--) {
      const type = random.pick(types);
      scatter(place.value(type), type);
    }
    if (random.chance(0.3)) this.output(this.scan(of), "u32");
    if (random.chance(0.3)) this.output(place.add("u32", { kind: "gather", of, index: slot }), "u32");
    const index = place.add("u32", { kind: "query", query: "global-linear-id", dimension: 0 });
    return place.add("u32", { kind: "gather", of: first, index });
  }

  /** A value that a stage stores if several stages need it. */
  private costly(of: number): number {
    const { place } = this;
    const single = place.add("f32", { kind: "cast", to: "f32", of });
    const op = place.random.pick(["exp", "exp2", "log2"] as const);
    const real = place.add("f32", { kind: "function", op, of: [single] });
    return place.add("u32", { kind: "cast", to: "u32", of: real });
  }

  /** A key from a value and a collective over it, which needs a stage before. */
  private related(of: number): number {
    const { random } = this.place;
    const all = random.chance(0.7) ? this.reduce(of) : this.scan(of);
    const isLeft = random.chance(0.5);
    return this.u32(
      random.pick(["div", "rem", "sub", "min", "xor"] as const),
      isLeft ? all : of,
      isLeft ? of : all,
    );
  }

  private reduce(of: number): number {
    const op = this.place.random.pick(["add", "max", "xor"] as const);
    return this.place.add("u32", { kind: "reduce", op, ...this.monoid(op), of });
  }

  private scan(of: number): number {
    const op = this.place.random.pick(["add", "max", "xor"] as const);
    const kind = this.place.random.pick(["scan-inclusive", "scan-exclusive"] as const);
    return this.place.add("u32", { kind, op, ...this.monoid(op), of });
  }

  private monoid(op: "add" | "max" | "xor") {
    const identity = encodeLiteral("u32", OPS[op].identity("u32"));
    return { type: "u32", identity, scope: "device", order: "fixed" } as const;
  }

  private u32(op: "and" | "div" | "rem" | "sub" | "min" | "xor", left: number, right: number): number {
    return this.place.add("u32", { kind: "binary", op, left, right });
  }

  private constant(value: number): number {
    return this.place.add("u32", { kind: "const", type: "u32", value });
  }

  private output(of: number, type: Scalar): void {
    this.place.add(type, { kind: "output", name: this.place.name(), of });
  }
}
