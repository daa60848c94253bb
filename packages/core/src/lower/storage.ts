/** The arrays of a lowered pipeline: inputs, outputs, and what stages leave for one another. */
import type { Formula } from "../formula.ts";
import type { Checked } from "../ir/check.ts";
import type { NodeId, SinkNode } from "../ir/node.ts";
import type { Rate } from "../ir/rate.ts";
import type { ArrayRef, Code, Names } from "../kernel/build.ts";
import { binary, type Expr, lt, u32 } from "../kernel/expr.ts";
import type { Buffer } from "../kernel/stmt.ts";
import type { Scalar } from "../scalar.ts";
import type { Geometry, Place } from "./geometry/index.ts";
import type { Site, Values } from "./values.ts";

/** 32 scatters share one word of the status array. */
const FLAGS = 32;

export class Storage {
  readonly buffers: Buffer[] = [];
  private readonly checked: Checked;
  private readonly names: Names;
  private readonly geometry: Geometry;
  private readonly homes = new Map<NodeId, ArrayRef>();
  private status: ArrayRef | undefined;

  constructor(checked: Checked, names: Names, geometry: Geometry, stored: ReadonlySet<NodeId>) {
    this.checked = checked;
    this.names = names;
    this.geometry = geometry;
    for (const node of checked.inputs) this.add(node.name, "input", node.type, "n");
    for (const node of checked.sinks) {
      const type = checked.types[node.id] as Scalar;
      const rate = node.kind === "scatter" ? "item" : (checked.rates[node.id] as Rate);
      this.add(node.name, "output", type, this.elements(rate), node.kind === "scatter");
    }
    for (const id of stored) this.homes.set(id, this.makeHome(id));
    const scatters = checked.sinks.filter((node) => node.kind === "scatter");
    if (scatters.length > 0) {
      this.status = this.add(
        names.fresh("status"),
        "status",
        "u32",
        Math.ceil(scatters.length / FLAGS),
        true,
      );
    }
  }

  /** A scratch array of its own. */
  scratch(hint: string, type: Scalar, elements: Formula): ArrayRef {
    return this.add(this.names.fresh(hint), "scratch", type, elements);
  }

  /** Where a collective's values stand for later stages; undefined where none needs them. */
  home(id: NodeId): ArrayRef | undefined {
    return this.homes.get(id);
  }

  /** The element of an input, or of a stored collective, that belongs to an item. */
  read(id: NodeId, place: Place, code: Code): Expr {
    const node = this.checked.pipeline.nodes[id];
    if (node?.kind === "input")
      return code.load({ space: "storage", name: node.name, type: node.type }, place.index);
    return code.load(this.homes.get(id) as ArrayRef, this.indexOf(id, place, code));
  }

  /** The index at which an item's value of a node stands in an array of the node's rate. */
  indexOf(id: NodeId, place: Place, code: Code): Expr {
    const rate = this.checked.rates[id] as Rate;
    return rate === "item" ? place.index : rate === "group" ? place.group(code) : u32(0);
  }

  /** Writes the value of a stored collective, unless its home is an output that is written anyway. */
  keep(id: NodeId, values: Values, code: Code): void {
    const home = this.homes.get(id);
    if (home && !this.isOutput(id))
      code.store(home, this.indexOf(id, values.site.place, code), values.get(id, code));
  }

  /** Writes an output's element; the caller has made sure that this item is the one to write it. */
  write(sink: SinkNode, values: Values, code: Code): void {
    const type = this.checked.types[sink.id] as Scalar;
    const array: ArrayRef = { space: "storage", name: sink.name, type };
    if (sink.kind === "output") {
      // What stands there already came from its collective.
      if (this.homes.get(sink.of)?.name === sink.name && !values.has(sink.of)) return;
      code.store(array, this.indexOf(sink.id, values.site.place, code), values.get(sink.of, code));
      return;
    }
    const value = values.get(sink.value, code);
    const slot = code.let(`${sink.name}_slot`, values.get(sink.slot, code));
    const { n } = this.geometry;
    const length = sink.length === undefined ? n : binary("min", values.get(sink.length, code), n);
    const scatter = (inner: Code): void =>
      inner.if(
        lt(slot, length),
        (inside) => inside.store(array, slot, value),
        (outside) => this.flag(sink, outside),
      );
    if (sink.where === undefined) scatter(code);
    else code.if(values.get(sink.where, code), scatter);
  }

  private flag(sink: SinkNode, code: Code): void {
    const number = this.checked.sinks.filter((node) => node.kind === "scatter").indexOf(sink as never);
    code.flag((this.status as ArrayRef).name, u32(Math.floor(number / FLAGS)), u32(2 ** (number % FLAGS)));
  }

  private isOutput(id: NodeId): boolean {
    return this.outputOf(id) !== undefined;
  }

  private outputOf(id: NodeId): SinkNode | undefined {
    return this.checked.sinks.find((sink) => sink.kind === "output" && sink.of === id);
  }

  // A collective that is an output as it stands needs no second array.
  private makeHome(id: NodeId): ArrayRef {
    const type = this.checked.types[id] as Scalar;
    const output = this.outputOf(id);
    if (output) return { space: "storage", name: output.name, type };
    const node = this.checked.pipeline.nodes[id];
    const kind = (node?.kind === "fold" ? node.form : (node?.kind ?? "value")).replace("-", "_");
    return this.scratch(`${kind}_${id}`, type, this.elements(this.checked.rates[id] as Rate));
  }

  /** Elements of an array of the rate. */
  elements(rate: Rate): Formula {
    return rate === "item" ? "n" : rate === "group" ? this.geometry.groups : 1;
  }

  private add(
    name: string,
    role: Buffer["role"],
    type: Scalar,
    elements: Formula,
    cleared: boolean = false,
  ): ArrayRef {
    this.buffers.push({ name, role, type, elements, cleared });
    return { space: "storage", name, type };
  }
}

/** What the kernels of every strategy share. */
export interface Surroundings {
  readonly checked: Checked;
  readonly geometry: Geometry;
  readonly storage: Storage;
}

/** The site of an item, whose leaves are inputs and what earlier stages stored. */
export function siteOf({ checked, storage }: Omit<Surroundings, "geometry">, place: Place): Site {
  return { checked, place, leaf: (node, code) => storage.read(node.id, place, code) };
}

/** The site of the item with a number. */
export function siteAt(around: Surroundings, index: Expr): Site {
  return siteOf(around, around.geometry.place(index));
}
