/** Names of documents for the names in a model, which can be any text. */

/**
 * The first 48 characters of a text, with `_` for characters that names cannot have.
 * @param otherwise the name for a text of which nothing remains
 */
export function nameOf(text: string, otherwise: string): string {
  const plain = text
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, 48)
    .replace(/_+$/, "");
  return plain === "" ? otherwise : plain;
}

/** The name of a pipeline. */
export const pipelineName = (text: string): string => nameOf(text, "model");
