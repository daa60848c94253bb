/**
 * The API of reduces and scans: seeds, segments, keys and direction have the same meaning for built-in and
 * user-defined operators. A seed is combined afterwards, element by element; segments are the operator lifted
 * to (starts, value); the reverse direction is the scan of the mirrored items.
 */
import type { Op, Operator, Scalar, Scope } from "@groupwise/core";
import { type CollectiveForm, encodeLiteral, errorOf, OPS, type Order } from "@groupwise/core/target";
import type { FloatCollectiveOptions } from "../values/value.ts";
import { DeclaredExpr, operandOf, type Template } from "./expr.ts";
import { builtinOperator, instantiate, lifted, normalised, userCollectives } from "./operator-ir.ts";
import { Maker, type Places, placesIn } from "./within.ts";

/** The operator of a collective. */
interface Combining {
  readonly operator: Operator;
  /** Combining with the identity does not change bits. */
  readonly reassociable: boolean;
  /** The collective's node for each field. */
  declare(
    form: CollectiveForm,
    scope: Scope,
    operands: readonly DeclaredExpr[],
    at: string | undefined,
  ): DeclaredExpr[];
  /** A value in the form that the operator takes. */
  taken(value: DeclaredExpr, at: string | undefined): DeclaredExpr;
}

/** A built-in operator. */
export function builtin(op: Op, type: Scalar, order: Order): Combining {
  const identity = encodeLiteral(type, OPS[op].identity(type));
  return {
    operator: builtinOperator(op, type),
    reassociable: OPS[op].exactlyAssociative(type),
    declare: (kind, scope, operands, at) => [
      new DeclaredExpr(type, { kind, op, type, identity, scope, order, of: 0 } as Template, operands, at),
    ],
    taken: (value, at) => normalised(op, value, at),
  };
}

/** A user-defined operator. */
export function authored(operator: Operator): Combining {
  return {
    operator,
    reassociable: false,
    declare: (form, scope, operands, at) => userCollectives(operator, form, scope, operands, at),
    taken: (value) => value,
  };
}

/** How a collective runs. */
export interface Setting {
  readonly scope: Scope;
  readonly seed: readonly DeclaredExpr[] | undefined;
  readonly segments: DeclaredExpr | undefined;
  readonly keys: readonly DeclaredExpr[];
  readonly reverse: boolean;
}

/**
 * The setting of a collective.
 * @param given its options, which `optionsOf` read
 * @param seedOf returns a seed's values, one for each field of the operator
 */
export function settingOf(
  { scope = "device", seed, segments, keys = [], reverse = false }: FloatCollectiveOptions,
  seedOf: (seed: unknown) => readonly DeclaredExpr[],
  at: string | undefined,
): Setting {
  const list = (Array.isArray(keys) ? keys : [keys]) as unknown[];
  if (!list.every((key) => key instanceof DeclaredExpr))
    throw errorOf(
      "bad-usage",
      { reason: "a key is not a value of a pipeline", hint: "pass a value, or a list of values" },
      at,
    );
  return {
    scope,
    seed: seed === undefined ? undefined : seedOf(seed),
    segments: segments === undefined ? undefined : operandOf("bool", segments, "segments", at),
    keys: list as DeclaredExpr[],
    reverse,
  };
}

/** One value for each field of the operator: a collective with all of its options. */
export function collect(
  combining: Combining,
  form: CollectiveForm,
  given: readonly DeclaredExpr[],
  setting: Setting,
  at: string | undefined,
): DeclaredExpr[] {
  const all = [
    ...given,
    ...(setting.seed ?? []),
    ...setting.keys,
    ...(setting.segments ? [setting.segments] : []),
  ];
  const owner = all.find((value) => value.owner)?.owner;
  const make = new Maker(owner, at);
  const places = placesIn(setting.scope, owner, make);
  return new Collecting(combining, setting, make, places).run(form, given);
}

class Collecting {
  private readonly combining: Combining;
  private readonly setting: Setting;
  private readonly make: Maker;
  private readonly places: Places;
  /** True at the first item of a segment; item 0 always begins one. */
  private readonly heads: DeclaredExpr | undefined;

  constructor(combining: Combining, setting: Setting, make: Maker, places: Places) {
    this.combining = combining;
    this.setting = setting;
    this.make = make;
    this.places = places;
    this.heads = this.headsOf();
  }

  run(form: CollectiveForm, given: readonly DeclaredExpr[]): DeclaredExpr[] {
    const { combining, make, heads } = this;
    const operands = given.map((value) => combining.taken(value, make.at));
    if (form !== "reduce") return this.seeded(form, this.plain(form, operands));
    if (!heads) return this.seeded(form, this.plain(form, operands));
    const end = this.places.index(this.setting.reverse ? this.firstPlace(heads) : this.lastPlace(heads));
    const ends = this.plain("scan-inclusive", operands).map((value) => make.gather(value, end));
    return this.seeded("scan-inclusive", ends);
  }

  private headsOf(): DeclaredExpr | undefined {
    const { make, places, setting } = this;
    const before = (): DeclaredExpr => places.index(make.binary("sub", places.place, make.u32(1)));
    const changes = setting.keys.map((key) => make.compare("ne", key, make.gather(key, before())));
    const all = setting.segments ? [setting.segments, ...changes] : changes;
    return all.length === 0 ? undefined : all.reduce((a, b) => make.binary("or", a, b));
  }

  /** The collective without its seed. */
  private plain(form: CollectiveForm, operands: readonly DeclaredExpr[]): DeclaredExpr[] {
    const { make, places, heads } = this;
    if (!this.setting.reverse) return this.forwards(form, operands, heads);
    const mirror = places.index(
      make.binary("sub", make.binary("sub", places.count, make.u32(1)), places.place),
    );
    const mirrored = (values: readonly DeclaredExpr[]): DeclaredExpr[] =>
      values.map((value) => make.gather(value, mirror));
    // In reverse order a segment starts at an item if the next item is the head of another segment.
    const behind = places.index(make.binary("sub", places.count, places.place));
    const results = this.forwards(form, mirrored(operands), heads && make.gather(heads, behind));
    return form === "reduce" ? results : mirrored(results);
  }

  private forwards(
    form: CollectiveForm,
    operands: readonly DeclaredExpr[],
    heads: DeclaredExpr | undefined,
  ): DeclaredExpr[] {
    const { combining, setting, make } = this;
    if (!heads) return combining.declare(form, setting.scope, operands, make.at);
    const operator = lifted(combining.operator);
    return userCollectives(operator, form, setting.scope, [heads, ...operands], make.at).slice(1);
  }

  private seeded(form: CollectiveForm, results: readonly DeclaredExpr[]): DeclaredExpr[] {
    const { combining, setting, make, places, heads } = this;
    const { seed, scope, reverse } = setting;
    const fields = combining.operator.fields;
    const isHead =
      heads &&
      (reverse ? make.gather(heads, places.index(make.binary("add", places.place, make.u32(1)))) : heads);
    if (!seed) {
      if (form !== "scan-exclusive" || !isHead) return [...results];
      const identity = fields.map(
        ({ type, identity: value }) => new DeclaredExpr(type, { kind: "const", type, value }, [], make.at),
      );
      return results.map((value, i) => make.select(isHead, identity[i] as DeclaredExpr, value));
    }
    const first = seed.map((value) => combining.taken(value, make.at));
    const both = instantiate(combining.operator, first, results, make.at);
    const alone = (condition: DeclaredExpr): DeclaredExpr[] =>
      both.map((value, i) => make.select(condition, first[i] as DeclaredExpr, value));
    const { place, count } = places;
    if (form === "scan-exclusive") {
      if (combining.reassociable && !isHead) return both;
      const edge = reverse ? make.binary("sub", count, make.u32(1)) : make.u32(0);
      const isEdge = make.compare("eq", place, edge);
      return alone(isHead ? make.binary("or", isHead, isEdge) : isEdge);
    }
    // Only the whole range can be empty.
    if (form === "scan-inclusive" || scope === "work-group" || combining.reassociable) return both;
    return alone(make.compare("eq", count, make.u32(0)));
  }

  /** The linear id of the first item of the item's segment. */
  private firstPlace(heads: DeclaredExpr): DeclaredExpr {
    const { make, places } = this;
    const marked = make.select(heads, places.place, make.u32(0));
    return this.other("max", "scan-inclusive", marked, false);
  }

  /** The linear id of the last item of the item's segment. */
  private lastPlace(heads: DeclaredExpr): DeclaredExpr {
    const { make, places } = this;
    const marked = make.select(heads, places.place, make.u32(0xffffffff));
    const next = this.other("min", "scan-exclusive", marked, true);
    return make.binary("sub", make.binary("min", next, places.count), make.u32(1));
  }

  private other(op: Op, form: CollectiveForm, value: DeclaredExpr, reverse: boolean): DeclaredExpr {
    const setting: Setting = { ...this.setting, seed: undefined, segments: undefined, keys: [], reverse };
    const scan = new Collecting(builtin(op, "u32", "fixed"), setting, this.make, this.places);
    return scan.run(form, [value])[0] as DeclaredExpr;
  }
}
