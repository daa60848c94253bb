/** The arrays of a lowered pipeline: inputs, outputs, and values that stages store for later ones. */
import type { Formula } from "@groupwise/ir/base/formula.js";
import type { Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type {
  NodeId,
  ScatterCombine,
  ScatterNode,
  SinkNode,
  TableNode,
} from "@groupwise/ir/document/node.js";
import { typeOfSink } from "@groupwise/ir/document/sink-type.js";
import type { Uniformity } from "@groupwise/ir/document/uniformity.js";
import { boundOf } from "@groupwise/ir/slots/bounded.js";
import { filledScatters } from "@groupwise/ir/slots/filled.js";
import { valueTypeOf } from "@groupwise/ir/tables/narrow.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { type ArrayRef, type Code, storageRef } from "@groupwise/kernel/language/build.js";
import type { Expr, SharedSpace, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, binary, constant, lt, ne, select, u32, zeroOf } from "@groupwise/kernel/language/make-expr.js";
import type { Buffer } from "@groupwise/kernel/language/module.js";
import type { Geometry, Place } from "../geometry/index.ts";
import { isInside, staysInside } from "../ranks/inside.ts";
import { isPermuted } from "../ranks/permuted.ts";
import { capacityOf } from "./capacity.ts";
import { factsOf } from "./facts.ts";
import { clampTo } from "./site.ts";
import type { SiteValues, TablePlace } from "./values.ts";

/** 32 scatters share one word of the status array. */
const FLAGS = 32;

/** An output with initial values other than zeros, which a pass writes. */
export interface Fill {
  readonly scatter: ScatterNode;
  readonly array: ArrayRef;
  readonly elements: Formula;
  readonly value: Expr;
}

/** The destination of a scatter's values and slots, in addition to its output or instead of it. */
export interface Into {
  /** Whether several items write in the same way, so that a printer may emit a function. */
  readonly repeated?: boolean;
  /** The end of the slots that are written, for {@link Storage.checkEnd}. */
  readonly end?: VarExpr | undefined;
  /** The array that values combine in, and the index of a slot in it. */
  readonly bins?: { readonly array: ArrayRef; at(slot: Expr): Expr };
  /** True if no slot is at or past the length, which is then not needed. */
  readonly fits?: boolean;
}

/** What passes store for later ones. */
export interface Materialized {
  readonly collectives: ReadonlySet<NodeId>;
  /** Values other than collectives. */
  readonly values: ReadonlySet<NodeId>;
  /** Those of them that the same pass writes to an output: later ones read the output. */
  readonly inOutputs?: ReadonlySet<NodeId>;
}

/** A value of a scatter, and its slot. */
interface Put {
  readonly array: ArrayRef;
  readonly slot: Expr;
  readonly value: Expr;
  readonly length: Expr;
}

export class Storage {
  readonly buffers: Buffer[] = [];
  readonly fills: Fill[] = [];
  readonly geometry: Geometry;
  /** Values other than collectives that are read at other items, from memory. */
  readonly materialized: ReadonlySet<NodeId>;
  private readonly checked: Checked;
  private readonly names: Names;
  private readonly homes = new Map<NodeId, ArrayRef>();
  private status: ArrayRef<"storage"> | undefined;

  constructor(checked: Checked, names: Names, geometry: Geometry, kept: Materialized) {
    this.checked = checked;
    this.names = names;
    this.geometry = geometry;
    this.materialized = kept.values;
    for (const { name, type } of checked.inputs) this.add({ name, role: "input", type, elements: "n" });
    for (const { name, type } of checked.tables)
      this.add({ name, role: "table", type, elements: { length: name } });
    for (const node of checked.sinks) {
      const type = checked.types[node.id] as Scalar;
      if (node.kind === "scatter") this.addScatter(node, type);
      else {
        const elements = this.elements(checked.uniformities[node.id] as Uniformity);
        this.add({ name: node.name, role: "output", type: node.as ?? type, elements });
      }
    }
    for (const id of kept.collectives) this.homes.set(id, this.makeHome(id));
    for (const id of kept.values) {
      const own = (): ArrayRef => this.valueArray(`value_${id}`, checked.types[id] as Scalar, "n");
      this.homes.set(id, kept.inOutputs?.has(id) ? this.makeHome(id) : own());
    }
    const scatters = checked.sinks.filter((node) => node.kind === "scatter");
    if (scatters.some((sink) => !staysInside(checked, sink))) {
      const elements = Math.ceil(scatters.length / FLAGS);
      const name = names.fresh("status");
      this.status = this.add({ name, role: "status", type: "u32", elements, cleared: true });
    }
  }

  /** A scratch array of a strategy. */
  scratch(hint: string, type: Scalar, elements: Formula, cleared: boolean = false): ArrayRef<"storage"> {
    const name = this.names.fresh(hint);
    return this.add({ name, role: "scratch", type, elements, cleared });
  }

  private valueArray(hint: string, type: Scalar, elements: Formula): ArrayRef<"storage"> {
    return this.add({ name: this.names.fresh(hint), role: "scratch", type, elements });
  }

  /** The array of a collective's values for later stages; undefined if none needs them. */
  home(id: NodeId): ArrayRef | undefined {
    return this.homes.get(id);
  }

  /** The element of an input, or of a stored collective, that belongs to an item. */
  read(id: NodeId, place: Place, code: Code): Expr {
    const node = this.checked.pipeline.nodes[id];
    if (node?.kind === "input") return code.load(storageRef(node.name, node.type), place.index);
    return code.load(this.homes.get(id) as ArrayRef, this.indexOf(id, place, code));
  }

  private tableAt({ table, index }: TablePlace): Reading {
    const { name, type } = this.checked.pipeline.nodes[table] as TableNode;
    return { name, array: storageRef(name, type), count: this.geometry.lengthOf(name), index };
  }

  /** The element of a table; past the end the last element; 0 for an empty table. */
  readTable(place: TablePlace, code: Code): Expr {
    return elementOf(code, this.tableAt(place));
  }

  /** The element of one of two tables. Compilers make one read of both branches, as neither compares with the length of a table. */
  readEither(condition: Expr, then: TablePlace, otherwise: TablePlace, code: Code): Expr {
    const [a, b] = [this.tableAt(then), this.tableAt(otherwise)];
    const element = code.var(`${a.name}_or_${b.name}`, zeroOf(valueTypeOf(a.array.type)));
    const read = (inner: Code, { array, count, index }: Reading): void =>
      inner.assign(element, inner.load(array, clampedIn(count, index)));
    code.if(
      condition,
      (inner) => read(inner, a),
      (inner) => read(inner, b),
    );
    return select(select(condition, ne(a.count, 0), ne(b.count, 0)), element, zeroOf(element.type));
  }

  /** The element of a scatter; past its length the last element; 0 if it has none. */
  readScatter(node: ScatterNode, index: Expr, lengths: readonly Expr[], code: Code): Expr {
    const { name, capacity } = node;
    const all = capacity === undefined ? [this.geometry.n, ...lengths] : lengths;
    const count = code.named(
      `${name}_count`,
      all.reduce((a, b) => binary("min", b, a)),
    );
    return elementOf(code, { name, array: sinkRef(this.checked, node), count, index });
  }

  /** The index of an item's value of a node in an array of the node's uniformity. */
  indexOf(id: NodeId, place: Place, code: Code): Expr {
    const uniformity = this.materialized.has(id) ? "item" : (this.checked.uniformities[id] as Uniformity);
    return uniformity === "item" ? place.index : uniformity === "group" ? place.group(code) : u32(0);
  }

  /** Writes a value for later stages, unless an output that is written anyway has it. */
  materialize(id: NodeId, values: SiteValues, code: Code): void {
    const home = this.homes.get(id);
    if (home && home.name !== this.outputOf(id)?.name)
      code.store(home, this.indexOf(id, values.site.place, code), values.get(id, code));
  }

  /**
   * Writes an output's element; the caller ensures that this item writes it.
   * @param into the destination of a scatter's values; without `end` the length is checked here
   */
  write(
    sink: SinkNode,
    values: SiteValues,
    code: Code,
    { end, bins, fits = false, repeated = false }: Into = {},
  ): void {
    const array = sinkRef(this.checked, sink);
    if (sink.kind === "output") {
      // The stored value already comes from its collective.
      const isHome = this.homes.get(sink.of)?.name === sink.name && !this.materialized.has(sink.of);
      if (isHome && !values.has(sink.of)) return;
      code.store(array, this.indexOf(sink.id, values.site.place, code), values.get(sink.of, code));
      return;
    }
    const value = values.get(sink.value, code);
    const place = values.get(sink.slot, code);
    if (isInside(this.checked, sink)) {
      const store = (inner: Code): void => inner.store(array, place, value, true);
      if (sink.where === undefined) store(code);
      else code.if(values.get(sink.where, code), store);
      return;
    }
    const hint = `${sink.name}_slot`;
    // A name that is never assigned keeps its known bound by the number of bins.
    const slot = bins && place.kind !== "const" ? code.let(hint, place) : code.named(hint, place);
    const capacity = sink.capacity === undefined ? this.geometry.n : values.get(sink.capacity, code);
    const isKnown = fits || end !== undefined || sink.length === undefined;
    const bound = boundOf(this.checked, sink);
    const most = bound?.isCondition ? u32(bound.below) : capacity;
    const length = isKnown ? most : binary("min", values.get(sink.length, code), capacity);
    const into = (inside: Code): void => {
      if (end) inside.assign(end, binary("max", end, add(slot, 1)));
      if (sink.combine === undefined) inside.store(array, slot, value);
      else combine(inside, sink.combine, bins?.array ?? array, bins?.at(slot) ?? slot, value);
    };
    const scatter = (inner: Code): void => {
      if (bound?.isValue && !bound.isCondition) into(inner);
      else if (!repeated || end || bins || bound || sink.combine !== undefined) {
        inner.if(lt(slot, length), into, (outside) => {
          if (!bound) this.flag(sink, outside);
        });
      } else this.put(sink, inner, { array, slot, value, length });
    };
    if (sink.where === undefined || bound?.isCondition) scatter(code);
    else code.if(values.get(sink.where, code), scatter);
  }

  /** Writes to a slot, or reports that it is at or past the length. */
  private put(sink: SinkNode, code: Code, { array, slot, value, length }: Put): void {
    const doc = `Writes to a slot of ${sink.name}, or reports that there is none.`;
    const given = { slot: [slot], value: [value], length: length.kind === "param" ? [] : [length] };
    code.routine({ title: "put", doc, isBare: true }, given, (args) => {
      const [at, what] = [args.slot[0], args.value[0]] as [Expr, Expr];
      code.if(
        lt(at, args.length[0] ?? length),
        (inside) => inside.store(array, at, what),
        (outside) => this.flag(sink, outside),
      );
      return {};
    });
  }

  /** Reports slots that a scatter wrote at or past its length. */
  checkEnd(
    sink: ScatterNode & { readonly length: NodeId },
    end: VarExpr,
    values: SiteValues,
    code: Code,
  ): void {
    code.if(lt(values.get(sink.length, code), end), (past) => this.flag(sink, past));
  }

  private flag(sink: SinkNode, code: Code): void {
    const number = factsOf(this.checked).scatters.get(sink.id) as number;
    code.atomic("or", this.status as ArrayRef<"storage">, Math.floor(number / FLAGS), 2 ** (number % FLAGS));
  }

  private outputOf(id: NodeId): SinkNode | undefined {
    return factsOf(this.checked).outputs.get(id);
  }

  // A value that is an output unchanged needs no second array.
  private makeHome(id: NodeId): ArrayRef {
    const type = this.checked.types[id] as Scalar;
    const output = this.outputOf(id);
    if (output) return { space: "storage", name: output.name, type };
    const node = this.checked.pipeline.nodes[id];
    const kind = (node?.kind === "user-collective" ? node.form : (node?.kind ?? "value")).replace("-", "_");
    return this.valueArray(`${kind}_${id}`, type, this.elements(this.checked.uniformities[id] as Uniformity));
  }

  /** Elements of an array of the uniformity. */
  elements(uniformity: Uniformity): Formula {
    return uniformity === "item" ? "n" : uniformity === "group" ? this.geometry.groups : 1;
  }

  private addScatter(node: ScatterNode, type: Scalar): void {
    const elements = node.capacity === undefined ? "n" : capacityOf(this.checked, node.capacity);
    const start = node.combine === undefined ? undefined : OPS[node.combine].identity(type);
    const isZero = start === undefined || start === SCALARS[type].wrap(0);
    // All elements up to its length are written; later ones are not part of it.
    const cleared = isZero && !filledScatters(this.checked).has(node.id) && !isPermuted(this.checked, node);
    const array = this.add({
      name: node.name,
      role: "output",
      type: node.as ?? type,
      elements,
      cleared,
      scatter: true,
    });
    if (!isZero) this.fills.push({ scatter: node, array, elements, value: constant(type, start) });
  }

  private add(buffer: Omit<Buffer, "cleared"> & Partial<Buffer>): ArrayRef<"storage"> {
    this.buffers.push({ cleared: false, ...buffer });
    return storageRef(buffer.name, buffer.type);
  }
}

/** Other work-items use the array too, unless it is private. */
function combine(code: Code, op: ScatterCombine, array: ArrayRef, at: Expr, value: Expr): void {
  if (array.space === "private")
    code.store(array, at, binary(OPS[op].elementwise, code.load(array, at), value));
  else code.atomic(op, array as ArrayRef<SharedSpace>, at, value);
}

/** An array, and what an item reads of it. */
interface Reading {
  readonly name: string;
  readonly array: ArrayRef<"storage">;
  /** The number of elements. */
  readonly count: Expr;
  readonly index: Expr;
}

/** An index, or the last one. Hosts allocate an element for an empty array. */
const clampedIn = (count: Expr, index: Expr): Expr => clampTo(index, binary("max", count, 1));

/** The element at an index; past the end the last one; 0 if there is none. */
function elementOf(code: Code, { name, array, count, index }: Reading): Expr {
  // The content of the element of an empty array is arbitrary.
  const at = code.let(`${name}_at`, clampedIn(count, index));
  const element = code.let(`${name}_i`, code.load(array, at));
  return select(ne(count, 0), element, zeroOf(element.type));
}

/** The array of an output. */
export const sinkRef = (checked: Checked, sink: SinkNode): ArrayRef<"storage"> =>
  storageRef(sink.name, typeOfSink(checked, sink));
