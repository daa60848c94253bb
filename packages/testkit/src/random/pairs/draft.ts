/** A document under construction: values of a kind, a type and a rate, made or reused, and nodes that use them. */
import { type Literal, type PipelineNode, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { encodeLiteral, itemsIn, NARROW, NARROW_NAMES, operandsOf, SCALARS } from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";
import { specials } from "../../data/special.ts";
import type { DocumentSize } from "./aims.ts";
import {
  type DocumentPlace,
  FORMS,
  type Form,
  isWithin,
  type Loose,
  RATES,
  type Rate,
  type Slot,
} from "./forms.ts";
import { scatter } from "./scatter.ts";
import { type NodeOperand, OPERANDS, ratesOf, type Use, usesOf } from "./table.ts";

/** By dimensions, kind and type. */
const BY_KIND: readonly ReadonlyMap<string, readonly Form[]>[] = FORMS.map((forms) => {
  const groups = new Map<string, Form[]>();
  for (const form of forms) {
    const key = `${form.kind} ${form.type}`;
    groups.set(key, [...(groups.get(key) ?? []), form]);
  }
  return groups;
});
/** By type and rate. */
const GIVING: ReadonlyMap<string, readonly string[]> = new Map(
  SCALAR_NAMES.flatMap((type) =>
    RATES.map((rate) => [
      `${type} ${rate}`,
      OPERANDS.filter((one) => one.type === type && one.rate === rate).map(({ kind }) => kind),
    ]),
  ),
);

const [SCAN, CAST, COLLECTIVE] = [/scan-/, /^cast$/, / of a (device|work-group)$/];
export const isSink = (kind: string): boolean => /output|scatter/.test(kind);

/** A node with a value. */
export interface Value extends NodeOperand {
  readonly id: number;
}

/** A document under construction. */
export class Draft implements DocumentPlace {
  readonly random: Random;
  readonly sides: readonly number[];
  readonly items: number;
  readonly nodes: Loose[] = [];
  readonly values: Value[] = [];
  readonly params: Record<string, Literal> = {};
  readonly tables: Record<string, number> = {};
  readonly operators: number[] = [];
  private readonly knownTables: { id: number; type: Scalar }[] = [];
  private readonly prefix: string;
  private readonly size: DocumentSize;
  /** The part of constants that are 0, which is the place of an item in every work-group. */
  private readonly zeros: number;

  constructor(
    random: Random,
    globalSize: readonly number[],
    prefix: string,
    size: DocumentSize,
    zeros: number,
  ) {
    this.zeros = zeros;
    this.size = size;
    this.prefix = prefix;
    this.random = random;
    this.sides = globalSize;
    this.items = itemsIn(globalSize);
  }

  get dimensions(): number {
    return this.sides.length;
  }
  name(): string {
    return `${this.prefix}${this.nodes.length}`;
  }
  number(most: number): number {
    return this.random.int(0, most);
  }
  literal(type: Scalar): Literal {
    const { random } = this;
    if (type === "bool") return random.chance(0.5);
    if (random.chance(this.zeros)) return encodeLiteral(type, SCALARS[type].whole(0));
    if (random.chance(0.4)) return encodeLiteral(type, random.pick(specials(type)));
    return encodeLiteral(type, SCALARS[type].whole(random.int(SCALARS[type].kind === "uint" ? 0 : -2, 4)));
  }
  table(type: Scalar): number {
    const known = this.knownTables.find((one) => one.type === type);
    if (known) return known.id;
    const narrow = NARROW_NAMES.filter((name) => NARROW[name].value === type);
    const name = this.name();
    this.tables[name] = this.random.pick([0, 1, 2, 5, 9, 40]);
    const id = this.nodes.length;
    const element = narrow.length > 0 && this.random.chance(0.3) ? this.random.pick(narrow) : type;
    this.nodes.push({ id, kind: "table", name, type: element });
    this.knownTables.push({ id, type });
    return id;
  }
  operator(number: number): number {
    const known = this.operators.indexOf(number);
    return known >= 0 ? known : this.operators.push(number) - 1;
  }

  /** Adds a node. @returns its id */
  add(form: Form, ids: readonly number[]): number {
    const node = form.node(ids, this);
    const id = this.nodes.length;
    this.nodes.push({ id, ...node });
    if (node.kind === "param") this.params[node.name as string] = this.literal(form.type);
    if (form.isSink) return id;
    const rates = ids.map((own) => this.rateOf(own));
    const rate =
      form.rate === "index"
        ? (rates.at(-1) as Rate)
        : form.rate === "operands"
          ? (RATES.toReversed().find((one) => rates.includes(one)) ?? "uniform")
          : form.rate;
    this.values.push({ id, kind: form.kind, type: form.type, rate });
    return id;
  }
  valueOf(id: number): Value {
    return this.values.find((value) => value.id === id) as Value;
  }
  rateOf(id: number): Rate {
    return this.values.find((value) => value.id === id)?.rate ?? "uniform";
  }

  private forms(kind: string, type: Scalar): readonly Form[] {
    const all = BY_KIND[this.dimensions - 1]?.get(`${kind} ${type}`) ?? [];
    return kind.startsWith("user ") ? all.filter(({ slots }) => slots.length <= this.size.fields) : all;
  }
  private form(kind: string, type: Scalar, fits: (form: Form) => boolean = () => true): Form {
    const all = this.forms(kind, type).filter(fits);
    const common = all.filter(({ isRare }) => !isRare);
    return this.random.pick(common.length > 0 && this.random.chance(0.9) ? common : all);
  }

  /** A new value of a kind, a type and a rate. */
  make({ kind, type, rate }: NodeOperand, depth: number): number {
    if (kind === "input" || kind === "narrow input") {
      const known = this.values.find((value) => value.kind === kind && value.type === type);
      if (known) return known.id;
    }
    const form = this.form(kind, type, (one) => ratesOf(one).includes(rate));
    const last = form.slots.length - 1;
    const isOfOperands = form.rate === "operands";
    const exact = form.rate === "index" ? last : isOfOperands ? this.number(last) : -1;
    const ids = form.slots.map((slot, i) => {
      const most = isOfOperands ? rate : (slot.most ?? "item");
      return i === exact ? this.operand(slot, rate, rate, depth) : this.operand(slot, most, undefined, depth);
    });
    return this.add(form, ids);
  }

  /** A value for a place: an existing one, or a new one. */
  operand({ name, type }: Slot, most: Rate, exact: Rate | undefined, depth: number): number {
    const { random } = this;
    const fitting = this.values.filter(
      (value) => value.type === type && (exact ? value.rate === exact : isWithin(value.rate, most)),
    );
    // Later values are more likely.
    const known = fitting[fitting.length - 1 - Math.floor(random.unit() ** 2 * fitting.length)];
    const id =
      known && (this.nodes.length > this.size.many || random.chance(0.75))
        ? known.id
        : this.grow(type, exact ?? this.rate(most), depth);
    if (name !== "index" || random.chance(0.5)) return id;
    const most1 = this.constant(random.pick([2, 3, 5, Math.max(1, this.items), Math.max(1, this.items - 1)]));
    return this.plain("binary", { op: "rem", left: id, right: most1 }, "u32", this.rateOf(id));
  }
  private rate(most: Rate): Rate {
    const all = RATES.filter((rate) => isWithin(rate, most));
    return this.random.chance(0.6) ? most : this.random.pick(all);
  }
  private grow(type: Scalar, rate: Rate, depth: number): number {
    if (depth >= 3 || this.nodes.length > this.size.many) return this.leaf(type, rate);
    return this.make(
      { kind: this.random.pick(GIVING.get(`${type} ${rate}`) as string[]), type, rate },
      depth + 1,
    );
  }
  private leaf(type: Scalar, rate: Rate): number {
    if (rate === "uniform")
      return this.make({ kind: this.random.pick(["const", "const", "param"]), type, rate }, 3);
    if (rate === "group") {
      const id = this.plain(
        "query",
        { query: "group-id", dimension: this.number(this.dimensions - 1) },
        "u32",
        "group",
      );
      if (type === "u32") return id;
      if (this.random.chance(0.5)) return this.plain("cast", { to: type, of: id }, type, "group");
      return this.plain("gather", { of: this.leaf(type, "item"), index: id }, type, "group");
    }
    const inputs = this.values.filter(({ kind }) => kind.endsWith("input"));
    const own = inputs.filter((value) => value.type === type);
    if (own.length > 0) return this.random.pick(own).id;
    if (inputs.length < 3) return this.make({ kind: "input", type, rate }, 3);
    return this.plain("cast", { to: type, of: this.random.pick(inputs).id }, type, "item");
  }
  /** A node that no form chose. */
  plain(kind: string, node: Loose, type: Scalar, rate: Rate): number {
    const id = this.nodes.length;
    const own = { ...node, kind: kind === "comparison" ? "binary" : kind.split(" of a ")[0] };
    this.nodes.push({ id, ...own });
    this.values.push({ id, kind, type, rate });
    return id;
  }
  constant(value: number): number {
    return this.plain("const", { type: "u32", value }, "u32", "uniform");
  }

  /** A node that uses a value in a place. */
  use({ kind, type, slot }: Use, id: number): number {
    const own = this.valueOf(id);
    const types = type === undefined ? SCALAR_NAMES : [type];
    const isPlace = (one: Slot): boolean => one.name === slot.name && one.type === own.type;
    const found = this.random.pick(
      types.filter((one) => this.forms(kind, one).some((form) => form.slots.some(isPlace))),
    );
    const form = this.form(kind, found, ({ slots }) => slots.some(isPlace));
    if (form.slots[0]?.name === "value") return scatter(this, form, slot.name, own);
    const places = form.slots.flatMap((one, i) => (isPlace(one) ? [i] : []));
    const at = this.random.pick(places);
    return this.add(
      form,
      form.slots.map((one, i) => (i === at ? id : this.operand(one, one.most ?? "item", undefined, 2))),
    );
  }

  /** Nodes that use one another: scans of casts of scans, or any, half of which are collectives. */
  chain(): void {
    let last = this.random.pick(this.values);
    const isOfScans = this.random.chance(0.5);
    for (let step = 0; step < this.size.chain; step++) {
      const uses = usesOf(last).filter(({ kind, slot }) => !isSink(kind) && slot.name === "of");
      const wanted = isOfScans ? (step % 2 === 0 ? SCAN : CAST) : this.random.chance(0.5) ? COLLECTIVE : /^/;
      const id = this.use(this.random.pick(uses.filter(({ kind }) => wanted.test(kind))), last.id);
      last = this.valueOf(id);
    }
  }

  /** A small value that a host computes. */
  onHost(kind: string): number {
    const u32 = { type: "u32", rate: "uniform" } as const;
    if (kind === "const") return this.constant(this.number(40));
    if (kind === "query")
      return this.plain(
        "query",
        { query: "global-size", dimension: this.number(this.dimensions - 1) },
        "u32",
        "uniform",
      );
    if (kind === "binary") {
      const [left, right] = [this.onHost("query"), this.onHost(this.random.pick(["const", "param"]))];
      return this.plain(
        "binary",
        { op: this.random.pick(["add", "mul", "min", "max"]), left, right },
        "u32",
        "uniform",
      );
    }
    const id = this.make({ kind, ...u32 }, 3);
    const name = this.nodes[id]?.name as string | undefined;
    if (kind === "param" && name !== undefined) this.params[name] = this.number(40);
    return id;
  }

  /** Values as outputs: all that nothing uses, and some of the others. */
  outputs(kept: readonly number[]): void {
    const used = new Set((this.nodes as unknown as PipelineNode[]).flatMap(operandsOf));
    const isWanted = ({ id }: Value): boolean => kept.includes(id) || !used.has(id);
    const others = this.values.filter((value) => !isWanted(value) && value.kind !== "const");
    const some = others.filter(() => this.random.chance(0.3)).slice(0, OTHERS);
    for (const { id, type } of [...this.values.filter(isWanted), ...some])
      this.add(this.form(this.random.chance(0.9) ? "output" : this.narrowOr(type), type), [id]);
  }
  private narrowOr(type: Scalar): string {
    return NARROW_NAMES.some((name) => NARROW[name].value === type) ? "narrow output" : "output";
  }
}
/** The most outputs of values that others use. */
const OTHERS = 6;
