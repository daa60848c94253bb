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
