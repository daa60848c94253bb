/** Nodes with equal keys have equal values. */
import { expect, it } from "vitest";
import { check } from "../src/document/check.ts";
import { keysOf } from "../src/slots/keys.ts";
import { BINARY, type BinaryOp } from "../src/tables/expr-op.ts";
import { documentOf } from "./support.ts";

const FEW = [0, 1, 3, 5] as const;

it.each(Object.keys(BINARY) as BinaryOp[])(
  "%s of exchanged operands has the same key if the value is the same",
  (op) => {
    const input = (name: string) => ({ kind: "input", name, type: "u32" }) as const;
    const binary = (left: number, right: number) => ({ kind: "binary", op, left, right }) as const;
    const outputs = [2, 3, 4].map((of) => ({ kind: "output", name: `y${of}`, of }) as const);
    const nodes = [input("a"), input("b"), binary(0, 1), binary(1, 0), binary(0, 1), ...outputs];
    const key = keysOf(check(documentOf(nodes)));
    const { apply } = BINARY[op];
    const isSame = FEW.every((a) => FEW.every((b) => apply("u32", a, b) === apply("u32", b, a)));
    expect(key(2) === key(3)).toBe(isSame);
    expect(key(2)).toBe(key(4));
  },
);
