/** A host that knows a manifest and a module calls the loops, with arrays and scalars of the types that it states. */
import { check, emit, evaluate, reference } from "@groupwise/core";
import { parseManifest } from "@groupwise/core/schema";
import { bool, param, pipeline, u8 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { js } from "../src/index.ts";
import { load } from "../src/runtime.ts";

const flags = pipeline("flags", { flag: bool, byte: u8, turn: param(bool) }, ({ flag, byte, turn }) => ({
  turned: flag.xor(turn),
  kept: byte.scatter({ to: flag.toU32().scanExclusive("add"), where: flag }),
  some: flag.any(),
}));

const VIEWS = { u8: Uint8Array, u32: Uint32Array } as const;
const N = 100;
const flag = Array.from({ length: N }, (_, i) => i % 3 === 0);
const byte = flag.map((_, i) => (i * 37) % 256);

test("the manifest of JavaScript is enough for a host", async () => {
  const { files } = emit(flags, js);
  const textOf = (ending: string): string => files.find(({ path }) => path.endsWith(ending))?.text ?? "";
  const module = await import(`data:text/javascript,${encodeURIComponent(textOf(".mjs"))}`);
  const manifest = parseManifest(textOf(".json"));
  const given: Readonly<Record<string, readonly (boolean | number)[]>> = { flag, byte };
  const arrays = new Map(
    manifest.bindings.map(({ name, memory, bytes }) => {
      const array = new VIEWS[memory as keyof typeof VIEWS](new ArrayBuffer(evaluate(bytes, N)));
      array.set((given[name] ?? []).map(Number));
      return [name, array];
    }),
  );
  const scalars: Readonly<Record<string, unknown>> = { n: N, turn: true };
  const [call] = manifest.calls ?? [];
  module[call?.function ?? ""](
    ...(call?.arguments ?? []).map((one) => ("scalar" in one ? scalars[one.name] : arrays.get(one.name))),
  );
  const want = reference(check(flags.ir), { n: N, inputs: { flag, byte }, params: { turn: true } });
  for (const [name, values] of Object.entries(want))
    expect([...(arrays.get(name) ?? [])].slice(0, values.length), name).toEqual([...values].map(Number));
});

test("a manifest of another version is refused", () => {
  const { manifest } = emit(flags, js);
  expect(() => load({ ...manifest, version: 1 as never }, { kernel: () => {} })).toThrow(
    expect.objectContaining({ code: "bad-version" }),
  );
});
