/**
 * What a compiler built on clang is given of float operations, read from the LLVM IR that it makes: no fused operation, and
 * no flag that allows one, a regrouping, or an operation without NaN, infinities or signed zeros.
 */
import { emit } from "@groupwise/core";
import { f32, f64, pipeline } from "@groupwise/dsl";
import { CASES } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { findClang, llvmOf } from "@groupwise/testkit/devices";
import { describe, expect } from "vitest";
import { opencl, openclCapabilities } from "../src/index.ts";

const tempting = pipeline("tempting", { x: f32, w: f32, d: f64 }, ({ x, w, d }) => ({
  back: x.add(3).sub(3),
  squares: x.mul(x).sub(w.mul(w)),
  zero: f32(0).sub(x).sub(0),
  quotient: x.div(4).add(w),
  doubles: d.mul(d).add(d).sub(d),
  sums: x.mul(w).scanInclusive("add"),
}));
const named = (name: string) => CASES.find(({ ir }) => ir.name === name)?.ir;
const PIPELINES = [tempting.ir, ...["no-algebra", "map", "recurrences", "statistics"].map(named)];

const FUSED = /\bllvm\.(fma|fmuladd)\b|\bcall [^\n]*@_Z\d*(fma|mad)/;
const FLAGS =
  /\b(fadd|fsub|fmul|fdiv|fneg|fcmp|select|phi|call)( (fast|reassoc|nnan|ninf|nsz|arcp|contract|afn))+ /;
const capabilities = openclCapabilities({ divide: "native", fp64: true });
const textOf = (ir: (typeof PIPELINES)[number]): string => {
  if (!ir) throw new Error("a case has another name now");
  return emit(ir, opencl, { capabilities }).files[0]?.text as string;
};

describe("clang fuses and regroups nothing", () => {
  for (const ir of PIPELINES)
    deviceTest(`in ${ir?.name}`, findClang, async () => {
      const llvm = await llvmOf(textOf(ir));
      expect(llvm).toMatch(/\bf(add|sub|mul)\b/);
      expect(llvm).not.toMatch(FUSED);
      expect(llvm).not.toMatch(FLAGS);
    });

  deviceTest("and would without the pragma that every file begins with", findClang, async () => {
    const llvm = await llvmOf(textOf(tempting.ir).replace("#pragma OPENCL FP_CONTRACT OFF", ""));
    expect(llvm).toMatch(FUSED);
  });
});
