/** The binary form of a module (WebAssembly core specification 2.0, 5). */
import { errorOf } from "@groupwise/core/target";
import {
  ACCESSES,
  BLOCKS,
  BRANCHES,
  CONSTANTS,
  NAMED,
  NUMERIC,
  VALUE_TYPES,
  type ValueType,
} from "./instructions.ts";
import { type FunctionTree, IMPORTS, type ModuleTree, type Node } from "./tree.ts";

/** Bytes that grow. */
class Bytes {
  readonly list: number[] = [];

  push(...bytes: readonly number[]): void {
    for (const byte of bytes) this.list.push(byte);
  }

  /** An unsigned number in LEB128. */
  unsigned(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.list.push((rest % 0x80) + 0x80);
    this.list.push(rest);
  }

  /** A signed number in LEB128. */
  signed(value: bigint): void {
    let rest = value;
    for (; rest < -64n || rest > 63n; rest >>= 7n) this.list.push(Number(rest & 0x7fn) + 0x80);
    this.list.push(Number(rest & 0x7fn));
  }

  name(text: string): void {
    this.sized(new TextEncoder().encode(text));
  }

  /** Bytes after their number. */
  sized(bytes: Iterable<number> & { readonly length: number }): void {
    this.unsigned(bytes.length);
    for (const byte of bytes) this.list.push(byte);
  }

  /** A list after its length. */
  vector<T>(list: readonly T[], write: (one: T) => void): void {
    this.unsigned(list.length);
    for (const one of list) write(one);
  }
}

const SECTIONS = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
/** Kinds of imports and exports. */
const EXTERNAL = { function: 0, memory: 2, global: 3 } as const;

/** The bytes of a function's parameters and of its results. */
const signatureOf = ({ params, results }: FunctionTree): string =>
  [params.map(({ type }) => type), results]
    .map((list) => list.map((type) => VALUE_TYPES[type]).join(" "))
    .join(":");

/** The limits of the imported memory: the least, or the least and the most of one that threads share. */
const LIMITS = { own: [0, 1], shared: [3, 1, 0x80, 0x80, 0x04] } as const;

export type MemoryKind = keyof typeof LIMITS;

/**
 * The bytes of a module.
 * @param memory whether threads share the memory that it imports
 */
export function binaryOf(
  { functions, frame }: ModuleTree,
  memory: MemoryKind = "own",
): Uint8Array<ArrayBuffer> {
  const all = new Bytes();
  const section = (id: number, fill: (bytes: Bytes) => void): void => {
    const bytes = new Bytes();
    fill(bytes);
    all.push(id);
    all.sized(bytes.list);
  };
  all.push(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const signatures = functions.map(signatureOf);
  const types = [...new Set(signatures)];
  section(SECTIONS.type, (to) =>
    to.vector(types, (type) => {
      to.push(0x60);
      for (const list of type.split(":"))
        to.vector(list.split(" ").filter(Boolean), (one) => to.push(Number(one)));
    }),
  );
  section(SECTIONS.import, (to) => {
    const external = (name: string, ...kind: readonly number[]): void => {
      to.name(IMPORTS.module);
      to.name(name);
      to.push(...kind);
    };
    to.unsigned(frame > 0 ? 2 : 1);
    external(IMPORTS.memory, EXTERNAL.memory, ...LIMITS[memory]);
    if (frame > 0) external(IMPORTS.frame, EXTERNAL.global, VALUE_TYPES.i32, 0);
  });
  section(SECTIONS.function, (to) => to.vector(signatures, (type) => to.unsigned(types.indexOf(type))));
  section(SECTIONS.export, (to) => {
    to.unsigned(1);
    to.name(functions.at(-1)?.name ?? "");
    to.push(EXTERNAL.function);
    to.unsigned(functions.length - 1);
  });
  section(SECTIONS.code, (to) => {
    const places = new Map(functions.map(({ name }, i) => [name, i]));
    to.vector(functions, (fn) => to.sized(new Code(fn, places).bytes.list));
  });
  return Uint8Array.from(all.list);
}

/** The code of one function. */
class Code {
  readonly bytes: Bytes = new Bytes();
  private readonly functions: ReadonlyMap<string, number>;
  private readonly locals: ReadonlyMap<string, number>;
  /** The innermost last. */
  private readonly labels: string[] = [];

  constructor({ params, locals, body }: FunctionTree, functions: ReadonlyMap<string, number>) {
    this.functions = functions;
    this.locals = new Map([...params, ...locals].map(({ name }, i) => [name, i]));
    const runs: { readonly type: ValueType; count: number }[] = [];
    for (const { type } of locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    this.bytes.vector(runs, ({ type, count }) => {
      this.bytes.unsigned(count);
      this.bytes.push(VALUE_TYPES[type]);
    });
    this.nodes(body);
    this.bytes.push(BLOCKS.end);
  }

  private nodes(nodes: readonly Node[]): void {
    for (const node of nodes) (WRITE[node.kind] as (code: Code, node: Node) => void)(this, node);
  }

  write(node: Node): void {
    this.nodes([node]);
  }

  operands(node: { readonly operands: readonly Node[] }): void {
    this.nodes(node.operands);
  }

  /** A block's type, its nodes, and their end unless more follow. */
  inside(label: string, nodes: readonly Node[]): void {
    this.labels.push(label);
    this.nodes(nodes);
    this.labels.pop();
  }

  placeOf(op: keyof typeof NAMED, name: string): number {
    const place = op === "global.get" ? 0 : (op === "call" ? this.functions : this.locals).get(name);
    if (place === undefined) throw errorOf("bad-kernel", { reason: `nothing declares ${name}` });
    return place;
  }

  depthOf(label: string): number {
    return this.labels.length - 1 - this.labels.lastIndexOf(label);
  }
}

const NO_RESULT = 0x40;
const FLOAT_BYTES = { f32: 4, f64: 8 } as const;

/** The bytes of a float, the lowest first. */
function floatBytes(type: "f32" | "f64", value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(FLOAT_BYTES[type]));
  if (type === "f32") view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return new Uint8Array(view.buffer);
}

type Of<K extends Node["kind"]> = Extract<Node, { kind: K }>;
const WRITE: { readonly [K in Node["kind"]]: (code: Code, node: Of<K>) => void } = {
  comment: () => {},
  numeric: (code, node) => {
    code.operands(node);
    const [name = "", ...immediates] = node.op.split(" ");
    code.bytes.push(...(NUMERIC.get(name) ?? []), ...immediates.map(Number));
  },
  const: ({ bytes }, { type, value }) => {
    bytes.push(CONSTANTS[type]);
    if (type === "i32" || type === "i64") bytes.signed(BigInt(value));
    else bytes.push(...floatBytes(type, value as number));
  },
  access: (code, node) => {
    const [byte, log] = ACCESSES[node.op] as (typeof ACCESSES)[string];
    code.operands(node);
    code.bytes.push(...[byte].flat(), log);
    code.bytes.unsigned(node.offset);
  },
  named: (code, node) => {
    code.operands(node);
    code.bytes.push(NAMED[node.op]);
    code.bytes.unsigned(code.placeOf(node.op, node.name));
  },
  branch: (code, node) => {
    code.operands(node);
    code.bytes.push(BRANCHES[node.op]);
    code.bytes.unsigned(code.depthOf(node.label));
  },
  block: (code, { op, label, body }) => {
    code.bytes.push(BLOCKS[op], NO_RESULT);
    code.inside(label, body);
    code.bytes.push(BLOCKS.end);
  },
  if: (code, { result, condition, then, otherwise }) => {
    code.write(condition);
    code.bytes.push(BLOCKS.if, result === undefined ? NO_RESULT : VALUE_TYPES[result]);
    code.inside("", then);
    if (otherwise.length > 0) {
      code.bytes.push(BLOCKS.else);
      code.inside("", otherwise);
    }
    code.bytes.push(BLOCKS.end);
  },
};
