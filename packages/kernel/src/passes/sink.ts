/** Moves names that only one branch reads into that branch, because compilers warn of unused names. */
import { addTo } from "@groupwise/ir/base/lists.js";
import type { Expr } from "../language/expr.ts";
import { partsOf } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { exprsOf, mapBlocks, walk } from "../language/walk.ts";
import { mapKernels } from "./base/pass.ts";

type Block = readonly Stmt[];
type Let = Extract<Stmt, { kind: "let" }>;

/** One branch, into which names can be moved. */
interface Way {
  readonly block: Stmt[];
  /** The moved names, the last first. */
  readonly sunk: Let[];
  readonly reads: Reads;
  /** The other branch. */
  other?: Way;
}

/** The names that a block reads. */
interface Reads {
  /** Names that it reads in every branch. */
  readonly always: Set<string>;
  /** By name: the branches that read it. */
  readonly ways: Map<string, Way[]>;
}

/** The kernel with its names moved into branches. */
export const sink = (module: Module): Module => mapKernels(module, sinkKernel);

function sinkKernel(kernel: Kernel): Kernel {
  const all = walk(kernel.body);
  if (!all.some(({ kind }) => kind === "choice")) return kernel;
  const sinker = new Sinker(all);
  const { block } = sinker.block(kernel.body);
  sinker.finish();
  return { ...kernel, body: block };
}

class Sinker {
  private readonly changing: ReadonlySet<string>;
  private readonly ways: Way[] = [];

  constructor(all: Block) {
    this.changing = new Set(
      all.flatMap((stmt) => ("name" in stmt && stmt.kind !== "let" ? [stmt.name] : [])),
    );
  }

  block(stmts: Block): { block: Stmt[]; reads: Reads } {
    const reads: Reads = { always: new Set(), ways: new Map() };
    const done: Stmt[] = [];
    // The last first, so that the operands of a moved value can follow it.
    for (const stmt of stmts.toReversed()) {
      if (stmt.kind === "let" && this.isFixed(stmt.value) && !reads.always.has(stmt.name))
        this.intoWays(stmt, reads);
      else done.push(stmt.kind === "choice" ? this.choice(stmt, reads) : this.plain(stmt, reads));
    }
    return { block: done.reverse(), reads };
  }

  /** Inserts the moved names into the branches. */
  finish(): void {
    for (const { block, sunk } of this.ways) block.unshift(...sunk.reverse());
  }

  private plain(stmt: Stmt, reads: Reads): Stmt {
    for (const expr of exprsOf(stmt)) addNames(expr, reads.always);
    return mapBlocks(stmt, (inner) => {
      const { block, reads: its } = this.block(inner);
      for (const name of its.always) reads.always.add(name);
      for (const [name, ways] of its.ways) for (const way of ways) addTo(reads.ways, name, way);
      return block;
    });
  }

  private choice(stmt: Extract<Stmt, { kind: "choice" }>, reads: Reads): Stmt {
    const [native, portable] = [stmt.native, stmt.portable].map((inner): Way => {
      const way: Way = { ...this.block(inner), sunk: [] };
      this.ways.push(way);
      return way;
    }) as [Way, Way];
    for (const [way, other] of [
      [native, portable],
      [portable, native],
    ] as const) {
      way.other = other;
      for (const name of way.reads.always) {
        if (other.reads.always.has(name)) reads.always.add(name);
        addTo(reads.ways, name, way);
      }
      for (const [name, ways] of way.reads.ways)
        if (!way.reads.always.has(name)) for (const inside of ways) addTo(reads.ways, name, inside);
    }
    return { ...stmt, native: native.block, portable: portable.block };
  }

  private intoWays(stmt: Let, reads: Reads): void {
    const names = new Set<string>();
    addNames(stmt.value, names);
    for (const way of reads.ways.get(stmt.name) ?? []) {
      way.sunk.push(stmt);
      for (const name of names) {
        if (way.reads.always.has(name)) continue;
        way.reads.always.add(name);
        addTo(reads.ways, name, way);
        if (way.other?.reads.always.has(name)) reads.always.add(name);
      }
    }
  }

  private isFixed(e: Expr): boolean {
    if (e.kind === "load" || e.kind === "part" || (e.kind === "var" && this.changing.has(e.name)))
      return false;
    return partsOf(e).every((part) => this.isFixed(part));
  }
}

function addNames(e: Expr, names: Set<string>): void {
  if (e.kind === "var") names.add(e.name);
  for (const part of partsOf(e)) addNames(part, names);
}
