/** What is loaded before the arguments are known, and what stands in for it. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { HEADER_TITLES, OWN_HOSTS, TARGET_NAMES } from "../src/base/target-names.ts";
import { TARGETS } from "../src/base/targets.ts";
import { helpTexts } from "../src/help-texts.ts";
import { main } from "../src/main.ts";
import { programOf } from "../src/program.ts";
import { savedHelp } from "../src/saved/help.ts";
import { folder } from "./support.ts";

const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?"([^"]+)"/gm;

/** What a file loads at once: own files, and modules from elsewhere. */
function loadedBy(start: string): { files: number; others: string[] } {
  const [files, others] = [new Set<string>(), new Set<string>()];
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(STATIC)) {
      if (name.startsWith(".")) visit(resolve(dirname(file), name));
      else others.add(name);
    }
  };
  visit(join(import.meta.dirname, "../src", start));
  return { files: files.size, others: [...others] };
}

test("the command loads no package and only a few small modules until it knows that help is not requested", () => {
  const { files, others } = loadedBy("bin.ts");
  expect(others.filter((name) => !name.startsWith("node:"))).toEqual([]);
  expect(files).toBeLessThanOrEqual(6);
});

test("arguments are parsed with commander and a dozen small modules, without core and targets", () => {
  const { files, others } = loadedBy("main.ts");
  expect(others.filter((name) => !name.startsWith("node:"))).toEqual(["commander"]);
  expect(files).toBeLessThanOrEqual(12);
});

const TEXTS = { plain: { "--help": "all", "run --help": "one" }, coloured: { "--help": "red" } };
test.each([
  [["--help"], {}, "all"],
  [["-h"], { columns: 120 }, "all"],
  [["help"], { hasOutColours: true }, "red"],
  [["run", "-h"], {}, "one"],
  [["help", "run"], {}, "one"],
  [["run", "--help"], { columns: 79 }, undefined],
  [["run", "p.ts", "--help"], {}, undefined],
  [["toString", "--help"], {}, undefined],
  [["run", "p.ts"], {}, undefined],
  [[], {}, undefined],
])("%j prints the text that the build saved", (argv, around, want) => {
  expect(savedHelp(argv, around, () => TEXTS)).toBe(want);
});

test("the build saves commander's text for every command, with and without colours", async () => {
  const texts = await helpTexts();
  expect(texts.plain["run --help"]).toContain("data.csv:price");
  expect(texts.coloured["run --help"]).toContain(ESCAPE);
  expect(Object.keys(texts.plain)).toHaveLength(2 + programOf("0", () => {}).commands.length);
  for (const [form, text] of Object.entries(texts.plain))
    expect((await printed(form.split(" "), false)).out).toBe(text);
  if (process.env.GROUPWISE_BUILT) {
    const saved = readFileSync(join(import.meta.dirname, "../dist/saved/help.json"), "utf8");
    expect(JSON.parse(saved)).toEqual(texts);
  }
});

test("the reader of .npy files, which the site uses too, imports no module of Node", () => {
  const { others } = loadedBy("values/npy.ts");
  expect(others).toContain("@groupwise/core/target");
  expect(others.filter((name) => name.startsWith("node:"))).toEqual([]);
});

test("help lists the targets of the registry", () => {
  expect(Object.keys(TARGETS)).toEqual([...TARGET_NAMES]);
  const languages = Object.values(TARGETS).flatMap(({ hosts }) => Object.keys(hosts));
  expect(Object.keys(OWN_HOSTS)).toEqual([...new Set(languages)]);
  for (const [language, { targets }] of Object.entries(OWN_HOSTS))
    expect(targets).toEqual(TARGET_NAMES.filter((name) => TARGETS[name].hosts[language]));
  const titles = TARGET_NAMES.flatMap((name) => {
    const { header } = TARGETS[name];
    return header ? [[name, header.title]] : [];
  });
  expect(Object.fromEntries(titles)).toEqual(HEADER_TITLES);
});

const ESCAPE = "\u001b[";

async function printed(argv: readonly string[], hasColours: boolean): Promise<{ out: string; err: string }> {
  let [out, err] = ["", ""];
  await main(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    cwd: folder(),
    isTerminal: false,
    hasColours,
    hasOutColours: hasColours,
  });
  return { out, err };
}

test("help and errors have colours only on terminals that show them, and the same text without", async () => {
  for (const argv of [["emit", "--help"], ["check", "none.json"], ["emitt"]]) {
    const [plain, coloured] = [await printed(argv, false), await printed(argv, true)];
    expect(plain.out + plain.err).not.toContain(ESCAPE);
    expect(coloured.out + coloured.err).toContain(ESCAPE);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are
    const bare = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, "");
    expect({ out: bare(coloured.out), err: bare(coloured.err) }).toEqual(plain);
  }
});
