import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { htmlOf } from "../src/html/report.ts";

const RESULTS = fileURLToPath(new URL("../results", import.meta.url));

it("has every measured row and loads nothing", () => {
  const html = htmlOf(RESULTS);
  const { document } = parseHTML(html);
  const shown = [...document.querySelectorAll("table tr")].map((row) =>
    [...row.querySelectorAll("td")].slice(0, 3).map((cell) => cell.textContent),
  );
  const keys = new Set(shown.map((cells) => JSON.stringify(cells)));
  const names = readdirSync(RESULTS).filter((name) => /(throughput|primitives)[^/]*\.json$/.test(name));
  const rows = names.flatMap((name) => JSON.parse(readFileSync(join(RESULTS, name), "utf8")).rows);
  expect(rows.length).toBeGreaterThan(50);
  for (const { what, primitive, n, medianMs } of rows)
    expect(keys).toContain(JSON.stringify([what ?? primitive, String(n), medianMs.toPrecision(4)]));
  expect(document.querySelectorAll("svg path[stroke]").length).toBeGreaterThan(20);
  // The empty icon keeps browsers from asking for one.
  const [icon, ...others] = document.querySelectorAll("[src],[href],link,script,iframe,object");
  expect(icon?.getAttribute("href")).toBe("data:,");
  expect(others.length).toBe(0);
  expect(html).not.toMatch(/url\(|@import|https?:\/\/(?!www\.w3\.org\/)/);
});

it("plots rates and shares of the copy of primitives, beside those of peers", () => {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-report-"));
  const ours = (primitive: string, medianMs: number, bytes?: number) => ({
    ...{ primitive, n: 1000, nsPerItem: 1, medianMs, bytes, strategy: "look-back" },
  });
  const theirs = (name: string, medianMs: number) => ({ name, n: 1000, medianMs });
  const result = {
    surroundings: { date: "d", commit: "c" },
    device: { target: "wgsl", name: "D", driver: "1" },
    strategy: "look-back",
    rows: [ours("copy", 0.002, 8000), ours("scan", 0.004, 8000), ours("old", 1)],
    peers: [{ peer: "CUB", rows: [theirs("copy", 0.001), theirs("scan", 0.002), theirs("other", 1)] }],
  };
  try {
    writeFileSync(join(folder, "x-primitives.json"), JSON.stringify(result));
    const { document } = parseHTML(htmlOf(folder));
    expect(document.querySelector("h2")?.textContent).toBe("D: primitives (wgsl, look-back)");
    const titles = [...document.querySelectorAll("h3")].map(({ textContent }) => textContent);
    expect(titles).toEqual(["Throughput", "Share of the copy", "Growth of cost", "Time over that of CUB"]);
    const shown = [...document.querySelectorAll("table tr")].slice(1).map((row) => {
      const cells = [...row.querySelectorAll("td")].map(({ textContent }) => textContent);
      return [cells[0], ...cells.slice(5)];
    });
    expect(shown).toEqual([
      ["copy", "4.0", "0.50", "look-back", "2.00 of CUB"],
      ["scan", "2.0", "0.25", "look-back", "2.00 of CUB"],
      ["old", "", "", "look-back", ""],
      ["CUB: copy", "8.0", "1.00", "", ""],
      ["CUB: scan", "4.0", "0.50", "", ""],
      ["CUB: other", "", "", "", ""],
    ]);
    const [throughput = ""] = [...document.querySelectorAll("svg")]
      .map((svg) => svg.outerHTML)
      .filter((text) => text.includes("GB/s"));
    for (const name of ["copy", "scan", "CUB: copy", "CUB: scan"])
      expect(throughput).toContain(`${name} of 1000: `);
    expect(throughput).not.toContain("other of 1000");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("escapes names, and refuses a result that it cannot read", () => {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-report-"));
  const write = (rows: unknown): void =>
    writeFileSync(
      join(folder, "x-primitives.json"),
      JSON.stringify({
        surroundings: { date: "d", commit: "<img src=x>" },
        device: { name: "<script>1</script>", driver: "&" },
        rows,
      }),
    );
  try {
    write([{ primitive: "<b>", n: 8, medianMs: 1, nsPerItem: 1 }]);
    expect(htmlOf(folder)).not.toMatch(/<script>|<img|<b>/);
    write([{ primitive: "x" }]);
    expect(() => htmlOf(folder)).toThrowError(expect.objectContaining({ code: "bad-file" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
