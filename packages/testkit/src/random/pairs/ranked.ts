/** Stable ranks and what stands around them: keys that follow from values that other stages store, and items that several ranks move. */
import { SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { encodeLiteral, NARROW, NARROW_NAMES, type NewNode, OPS } from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";
import { type Draft, isSink } from "./draft.ts";

/** Keys have few values, so that many are equal. */
const KEYS = 15;

/** Adds a rank, or two of which the second ranks what the first one moved, with outputs that follow from them. */
export function addRanked(draft: Draft, random: Random): void {
  const ranked = new Ranked(draft, random);
  const source = ranked.value("u32");
  const slot = ranked.rank(source);
  const moved = ranked.moved(source, slot);
  if (random.chance(0.4)) ranked.moved(moved, ranked.rank(moved));
}

class Ranked {
  private readonly draft: Draft;
  private readonly random: Random;

  constructor(draft: Draft, random: Random) {
    this.draft = draft;
    this.random = random;
  }

  /** An input, perhaps of narrow elements, or another value that items have. */
  value(type: Scalar): number {
    const { draft, random } = this;
    const known = draft.values.filter((one) => one.type === type && one.rate === "item" && !isSink(one.kind));
    if (known.length > 0 && random.chance(0.5)) return random.pick(known).id;
    const isNarrow = random.chance(0.3) && NARROW_NAMES.some((name) => NARROW[name].value === type);
    return draft.make({ kind: isNarrow ? "narrow input" : "input", type, rate: "item" }, 3);
  }

  private add(type: Scalar, node: NewNode): number {
    const { kind } = node;
    const name = "scope" in node && kind !== "rank" ? `${kind} of a ${node.scope}` : kind;
    return this.draft.plain(name, node, type, kind === "reduce" ? "uniform" : "item");
  }

  /** The rank by a key that follows from a value, and perhaps from others of all items. */
  rank(of: number): number {
    const { random } = this;
    const few = this.u32("and", of, this.constant(KEYS));
    const costly = random.chance(0.6) ? this.costly(few) : few;
    const key = random.chance(0.7) ? this.related(costly) : costly;
    const slot = this.add("u32", {
      ...{ kind: "rank", scope: "device", of: key },
      bins: random.pick([1, 2, 16, 64, 256]),
    });
    for (const id of [few, costly, key, slot]) if (random.chance(0.2)) this.output(id, "u32");
    return slot;
  }

  /** Scatters by a rank, and other uses of it. @returns an item's value after the first one */
  moved(of: number, slot: number): number {
    const { random } = this;
    const scatter = (id: number, type: Scalar): number =>
      this.add(type, { kind: "scatter", name: this.draft.name(), value: id, slot });
    const first = scatter(of, "u32");
    for (let more = random.int(0, 2); more > 0; more--) {
      const type = random.pick(SCALAR_NAMES);
      scatter(this.value(type), type);
    }
    if (random.chance(0.3)) this.output(this.scan(of), "u32");
    if (random.chance(0.3)) this.output(this.add("u32", { kind: "gather", of, index: slot }), "u32");
    const index = this.add("u32", { kind: "query", query: "global-linear-id", dimension: 0 });
    return this.add("u32", { kind: "gather", of: first, index });
  }

  /** A value that a stage stores if several stages need it. */
  private costly(of: number): number {
    const single = this.add("f32", { kind: "cast", to: "f32", of });
    const op = this.random.pick(["exp", "exp2", "log2"] as const);
    const real = this.add("f32", { kind: "function", op, of: [single] });
    return this.add("u32", { kind: "cast", to: "u32", of: real });
  }

  /** A key from a value and a collective over it, which needs a stage before. */
  private related(of: number): number {
    const { random } = this;
    const all = random.chance(0.7) ? this.reduce(of) : this.scan(of);
    const isLeft = random.chance(0.5);
    return this.u32(
      random.pick(["div", "rem", "sub", "min", "xor"] as const),
      isLeft ? all : of,
      isLeft ? of : all,
    );
  }

  private reduce(of: number): number {
    const op = this.random.pick(["add", "max", "xor"] as const);
    return this.add("u32", { kind: "reduce", op, ...this.monoid(op), of });
  }

  private scan(of: number): number {
    const op = this.random.pick(["add", "max", "xor"] as const);
    const kind = this.random.pick(["scan-inclusive", "scan-exclusive"] as const);
    return this.add("u32", { kind, op, ...this.monoid(op), of });
  }

  private monoid(op: "add" | "max" | "xor") {
    const identity = encodeLiteral("u32", OPS[op].identity("u32"));
    return { type: "u32", identity, scope: "device", order: "fixed" } as const;
  }

  private u32(op: "and" | "div" | "rem" | "sub" | "min" | "xor", left: number, right: number): number {
    return this.add("u32", { kind: "binary", op, left, right });
  }

  private constant(value: number): number {
    return this.add("u32", { kind: "const", type: "u32", value });
  }

  private output(of: number, type: Scalar): void {
    this.add(type, { kind: "output", name: this.draft.name(), of });
  }
}
