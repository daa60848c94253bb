/** The local variables of a function: those that its statements name, and those that hold operands. */
import { errorOf } from "@groupwise/core/target";
import type { ValueType } from "../encode/instructions.ts";
import type { Variable } from "../encode/tree.ts";

export class Locals {
  readonly all: Variable[] = [];
  private readonly taken = new Set<string>();
  /** The names of each block, the innermost last. */
  private readonly scopes: Map<string, string>[] = [new Map()];
  private readonly free: Record<ValueType, string[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };

  constructor(params: readonly Variable[]) {
    for (const { name } of params) {
      this.taken.add(name);
      this.scopes[0]?.set(name, name);
    }
  }

  /** The variable of a name, in the innermost block that declares it. */
  of(name: string): string {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i]?.get(name);
      if (found !== undefined) return found;
    }
    throw errorOf("bad-kernel", { reason: `nothing declares ${name}` });
  }

  /** A variable for a name that a statement declares; blocks that do not contain one another share it. */
  declare(name: string, type: ValueType): string {
    const isUsed = (local: string): boolean =>
      this.scopes.some((scope) => [...scope.values()].includes(local));
    const local =
      this.all.find((one) => one.type === type && one.name.split(".")[0] === name && !isUsed(one.name))
        ?.name ?? this.add(name, type);
    this.scopes.at(-1)?.set(name, local);
    return local;
  }

  private add(name: string, type: ValueType): string {
    let local = name;
    for (let i = 2; this.taken.has(local); i++) local = `${name}.${i}`;
    this.taken.add(local);
    this.all.push({ name: local, type });
    return local;
  }

  /** What `fill` returns, with the names that it declares in a block of their own. */
  inside<T>(fill: () => T): T {
    this.scopes.push(new Map());
    const made = fill();
    this.scopes.pop();
    return made;
  }

  /** A variable for an operand, until it is released. */
  hold(type: ValueType): string {
    return this.free[type].pop() ?? this.add(`.${type}`, type);
  }

  release(local: string, type: ValueType): void {
    this.free[type].push(local);
  }
}
