/** Every work-item of a subgroup executes a shuffle: none is in a part of an expression that C evaluates in some of them only. */
import { emit } from "@groupwise/core";
import { CASES } from "@groupwise/testkit";
import { describe, expect, test } from "vitest";
import { opencl } from "../src/index.ts";

const TOKEN = /sub_group_shuffle\w*|[a-z]\w*|\?|&&|\|\||[(),;{}]/g;

/** Calls after `?`, `&&` or `||`, in the same brackets or in outer ones. */
function lazyShuffles(text: string): number {
  let found = 0;
  let lazy = [false];
  for (const [token] of text.replace(/\/\/.*|^#.*/gm, "").matchAll(TOKEN)) {
    if (token.startsWith("sub_group_shuffle")) found += Number(lazy.includes(true));
    else if (token === "(") lazy.push(false);
    else if (token === ")") lazy.pop();
    else if (token === "," || token === ":") lazy[lazy.length - 1] = false;
    else if (/^(\?|&&|\|\|)$/.test(token)) lazy[lazy.length - 1] = true;
    else if (/^[;{}]$/.test(token)) lazy = [false];
  }
  return found;
}

/** Every fourth outside of full runs: any scan has such values. */
const isTurn = (_: unknown, i: number): boolean => Boolean(process.env.GROUPWISE_FULL) || i % 4 === 0;

describe("shuffles in OpenCL C are executed by every work-item", () => {
  test.each(CASES.filter(isTurn).map(({ ir }) => [ir.name, ir] as const))("%s", (_, ir) => {
    for (const lookBack of [false, true]) {
      const [file] = emit(ir, opencl, { subgroups: 32, lookBack }).files;
      expect(lazyShuffles(file?.text ?? ""), String(lookBack)).toBe(0);
    }
  });

  test("a shuffle that some work-items do not execute is found", () => {
    expect(lazyShuffles("x = a ? b : sub_group_shuffle(c, 1u);")).toBe(1);
    expect(lazyShuffles("bool x = a && (1u + sub_group_shuffle_xor(c, 1u)) != 0u;")).toBe(1);
    expect(lazyShuffles("x = sub_group_shuffle(a ? b : c, 1u); y = sub_group_shuffle(x, 1u);")).toBe(0);
    expect(lazyShuffles("if (a && b) { x = f(a || b, sub_group_shuffle_xor(c, 2u)); }")).toBe(0);
  });
});
