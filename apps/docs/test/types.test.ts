/** The language service of the playground, with the declarations that the build collects. */
import { describe, expect, test } from "vitest";
import { declarations } from "../.vitepress/theme/playground/types/declarations.ts";
import { openService } from "../.vitepress/theme/playground/types/service.ts";

const SUMS = `import { f32, pipeline } from "@groupwise/dsl";
import { compact } from "@groupwise/primitives";

export default pipeline("sums", { x: f32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
}));
console.log(compact);
`;

const NAMED = `import { f32, operator, pipeline, u32 } from "@groupwise/dsl";

const argmax = operator("argmax", { value: f32, index: u32 }, { combine: (left) => left, identity: { value: 0, index: 0 } });
pipeline("names", { text: u32, x: f32 }, ({ text, x }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  const starts = index().scatter({ to: line });
  const best = argmax.reduce({ value: x, index: index() });
  return { starts, best: best.value };
});
`;

describe("types of the playground", () => {
  const files = declarations();
  const service = openService(files, SUMS);

  test("need no path of this machine, and only the library of the language", () => {
    const places = Object.keys(files);
    expect(places).toContain("/lib.es2023.d.ts");
    expect(
      places.filter((place) => !/^\/(lib\.|globals\.d\.ts|node_modules\/@groupwise\/)/.test(place)),
    ).toEqual([]);
    expect(places.some((place) => place.includes("lib.dom"))).toBe(false);
    expect(JSON.stringify(files)).not.toContain(process.cwd());
  });

  test("report no error in a pipeline, and show the type of a name", () => {
    expect(service.getLints()).toEqual([]);
    const hover = service.getHover({ pos: SUMS.indexOf("scanInclusive") + 2 });
    const text = (hover?.quickInfo?.displayParts ?? []).map((part) => part.text).join("");
    expect(text).toContain("scanInclusive");
    expect(text).toContain('"f32"');
  });

  // What editors show of every type, `packages/dsl/test/types.test.ts` has in full runs.
  test.each([
    ["isBreak =", "const isBreak: BoolValue"],
    ["line =", "const line: U32Value"],
    ["starts =", 'const starts: Scatter<"u32">'],
    ["best =", "const best: { readonly value: F32Value; readonly index: U32Value; }"],
  ])("are short over a name: %s", (name, want) => {
    service.update(NAMED);
    const { displayParts = [] } = service.getHover({ pos: NAMED.indexOf(name) })?.quickInfo ?? {};
    expect(
      displayParts
        .map(({ text }) => text)
        .join("")
        .replaceAll(/\s+/g, " "),
    ).toContain(want);
  });

  test("complete the methods of a value", async () => {
    const text = SUMS.replace('x.scanInclusive("add")', "x.scan");
    service.update(text);
    const pos = text.indexOf("x.scan") + 6;
    const found = await service.getAutocompletion({ context: { pos, explicit: true } });
    expect(found?.options.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["scanInclusive", "scanExclusive"]),
    );
  });

  test("report errors at their locations, with the whole chain of messages", () => {
    const text = SUMS.replace('"add"', '"and"');
    service.update(text);
    const [error] = service.getLints();
    expect(error?.severity).toBe("error");
    expect(text.slice(error?.from, error?.to)).toBe('"and"');
    service.update("");
    expect(service.getLints()).toEqual([]);
    service.update("let");
    expect(service.getLints()[0]?.severity).toBe("error");
  });
});
