// The catalogue of errors. Each code is a heading, whose anchor is in GroupwiseError.docs.
import { ERROR_CODES } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { code, page } from "./markdown.mjs";

/** A placeholder for any detail of a wording: as a text, and as a list. */
const blank = (name) => Object.assign(new String(`‹${name}›`), { join: () => `‹${name}›` });
const blanks = new Proxy({}, { get: (_, name) => blank(String(name)) });

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
const literal = (text) => text.replaceAll("<", "\\<");

export function errorsPage() {
  const entries = ERROR_CODES.map((name) => {
    const { what, hint } = errorOf(name, blanks);
    return `## ${name} {#${name}}\n\n${literal(sentence(what))}\n\n*What to do:* ${literal(sentence(hint))}`;
  });
  return page(
    "Errors",
    "the catalogue of errors in `@groupwise/core`",
    `Every error is a ${code("GroupwiseError")}. Programs test its ${code("code")}, which is stable; ` +
      `the texts may change. ${code("what")} says what happened, ${code("where")} gives the source location, ` +
      `the node or the file, ${code("hint")} says what to do, and ${code("docs")} is the address of an entry below. ` +
      "‹…› stands for details of the case.",
    ...entries,
  );
}
