// The gallery: each pipeline with a picture of a run in JavaScript, and a link that opens it in the playground.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { check } from "@groupwise/core";
import { typeOfSink } from "@groupwise/core/target";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { createJiti } from "jiti";
import { parseHTML } from "linkedom";
import { page } from "./markdown.mjs";

const DOCS = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const jiti = createJiti(import.meta.url);
const load = (path) => jiti.import(join(DOCS, path));

const WIDTH = 640;
const HEIGHT = 120;
const TITLE = 22;

/** A row of a picture: its title, and what is below it. */
const titled = (title, height, content) => ({ title, height: height + TITLE, content });

/** Bytes of a text as its characters, each above the bar of its index. */
function charactersOf(text) {
  const step = (WIDTH - 64 - 20) / text.length;
  const spans = [...text].map((c, i) => `<text x="${(64 + (i + 0.5) * step).toFixed(1)}" y="16">${c}</text>`);
  return `<g text-anchor="middle" font-family="monospace" font-size="13">${spans.join("")}</g>`;
}

/** The rows as one drawing on white, which is read on pages of both colours. */
function pictureOf(rows) {
  let y = 8;
  const parts = rows.map(({ title, height, content }) => {
    const part = `<text x="12" y="${y + 15}">${title}</text><g transform="translate(0 ${y + TITLE})">${content}</g>`;
    y += height;
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 4}" viewBox="0 0 ${WIDTH} ${y + 4}" font-family="system-ui, sans-serif" font-size="13"><rect width="100%" height="100%" rx="8" fill="#fff"/>${parts.join("")}</svg>\n`;
}

/** The texts of the page, and the pictures by name. */
export async function gallery() {
  const [{ INPUTS }, { plotOf }, { spansOf }] = await Promise.all(
    ["gallery/inputs.ts", ".vitepress/theme/figures/plot.ts", ".vitepress/theme/engine/spans.ts"].map(load),
  );
  const { document } = parseHTML("<html><body></body></html>");
  const rowOf = (type, name, array) => {
    if (array.length === undefined || array.length === 1)
      return titled(`${name} = ${array.length === undefined ? array : array[0]}`, 4, "");
    if (type === "u8") return titled(name, 26, charactersOf(new TextDecoder().decode(array)));
    return titled(name, HEIGHT, plotOf(spansOf(type, array), name, document).outerHTML);
  };
  const entries = await Promise.all(
    Object.entries(INPUTS).map(async ([name, values]) => {
      const text = readFileSync(join(DOCS, `gallery/${name}.ts`), "utf8");
      const { default: pipeline } = await load(`gallery/${name}.ts`);
      const checked = check(pipeline.ir);
      const results = await (await jsRuntime().compile(pipeline)).run(values);
      const rows = [
        ...[...checked.inputs, ...checked.params].map(({ name: input, type }) =>
          rowOf(type, input, values[input]),
        ),
        ...checked.sinks.map((sink) => rowOf(typeOfSink(checked, sink), sink.name, results[sink.name])),
      ];
      return { name, picture: pictureOf(rows), section: sectionOf(name, text) };
    }),
  );
  return {
    page: page(
      "Gallery",
      "`apps/docs/gallery/`",
      "Small pipelines, each with its inputs and outputs over the indexes of the items: the pictures are drawn from runs when the site is built. " +
        "The tests compare each with a plain loop. [Examples](./examples.md) are programs on real data.",
      ...entries.map(({ section }) => section),
    ),
    pictures: Object.fromEntries(entries.map(({ name, picture }) => [`${name}.svg`, picture])),
  };
}

function sectionOf(name, text) {
  const [, title, about, code] = /^\/\*\* ([^:.]+): (.*) \*\/\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined) throw new Error(`gallery/${name}.ts has no title`);
  const hash = `#code=z.${deflateRawSync(code).toString("base64url")}`;
  return [
    `## ${title}`,
    `${about[0].toUpperCase()}${about.slice(1)} [Open in the playground](/playground${hash})`,
    `\`\`\`ts\n${code.trim()}\n\`\`\``,
    `![Inputs and outputs of ${name}](/gallery/${name}.svg)`,
  ].join("\n\n");
}
