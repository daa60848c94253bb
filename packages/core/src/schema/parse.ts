import { errorOf } from "../errors.ts";
import { type Checked, check } from "../ir/check.ts";
import { FORMAT_VERSION } from "../ir/node.ts";
import { explainIssue } from "./explain.ts";
import { documentSchema } from "./mirror.ts";
import { plainCopy, printable } from "./plain.ts";

/** Most characters that a document given as text may have. */
export const MAX_TEXT: number = 4 * 1024 * 1024;

/**
 * Reads a pipeline from anywhere: the only way in for a document that this program did not build itself.
 * The result is a fresh frozen copy: what was checked is what is used.
 * @param input the JSON text of a document, or its value
 * @throws GroupwiseError `bad-json`, `too-large`, `bad-version`, `bad-document`, or the code of the rule
 *   that is broken; `where` is a path such as `nodes[3].op`, or the place that the node names
 */
export function parsePipeline(input: unknown): Checked {
  const document = plainCopy(typeof input === "string" ? parseText(input) : input);
  // A later format may differ in all else, so its version is looked at first.
  const version = (document as { version?: unknown } | null)?.version;
  if (version !== undefined && version !== FORMAT_VERSION) {
    throw errorOf("bad-version", { version, supported: FORMAT_VERSION }, "version");
  }
  const parsed = documentSchema().safeParse(document);
  if (parsed.success) return check(parsed.data);
  throw explainIssue(parsed.error.issues[0] as (typeof parsed.error.issues)[number], document);
}

function parseText(text: string): unknown {
  if (text.length > MAX_TEXT) {
    throw errorOf(
      "too-large",
      { what: "characters of the document", got: text.length, limit: MAX_TEXT },
      "document",
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = printable((error as Error).message).slice(0, 200);
    throw errorOf("bad-json", { reason }, "document", error);
  }
}
