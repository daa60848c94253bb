/** Rewrites elements of bf16 to their 16 bits, because no language has the type. */
import type { Expr } from "../../language/expr.ts";
import { mapParts } from "../../language/map-expr.ts";
import type { Module } from "../../language/module.ts";
import type { Stmt } from "../../language/stmt.ts";
import { mapStmt } from "../../language/walk.ts";
import { bfloatBitsOf, floatOfBfloatBits } from "../../library/types/bfloat.ts";
import { mapKernels } from "../base/pass.ts";

const BITS = { type: "u32", memory: "u16" } as const;

/** The module with 16-bit integers in place of bf16. */
export function bfloatBits(module: Module): Module {
  if (!module.buffers.some(({ type }) => type === "bf16")) return module;
  const buffers = module.buffers.map((buffer) =>
    buffer.type === "bf16" ? { ...buffer, memory: BITS.memory } : buffer,
  );
  return mapKernels({ ...module, buffers }, (kernel) => ({ ...kernel, body: bitsIn(kernel.body) }));
}

function bitsIn(body: readonly Stmt[]): readonly Stmt[] {
  /** Names of vec4s. */
  const rows = new Set<string>();
  const expr = (e: Expr): Expr => {
    const inner = mapParts(e, expr);
    if (inner.kind === "load" && inner.memory === "bf16") return floatOfBfloatBits({ ...inner, ...BITS });
    if (inner.kind === "part" && rows.has(inner.of)) return floatOfBfloatBits({ ...inner, type: BITS.type });
    return inner;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => {
      const made = mapStmt(stmt, expr, block);
      if ("name" in made) rows.delete(made.name);
      if (!("memory" in made) || made.memory !== "bf16") return made;
      if (made.kind === "store") return { ...made, memory: BITS.memory, value: bfloatBitsOf(made.value) };
      if (made.kind === "store-row")
        return { ...made, memory: BITS.memory, values: made.values.map(bfloatBitsOf) };
      rows.add(made.name);
      return { ...made, ...BITS };
    });
  return block(body);
}
