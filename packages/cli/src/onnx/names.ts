/** Names of documents for those of a model, which are any texts. */

/** The first 48 characters of a text with `_` for what no name has. */
function nameOf(text: string, otherwise: string): string {
  const plain = text
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, 48)
    .replace(/_+$/, "");
  return plain === "" ? otherwise : plain;
}

/** Gives each text a name that no other has. */
export class Naming {
  private readonly given = new Set<string>();

  /** @param otherwise the name for a text of which nothing remains */
  name(text: string, otherwise: string): string {
    const stem = nameOf(text, otherwise);
    let name = stem;
    for (let number = 2; this.given.has(name); number++) name = `${stem}_${number}`;
    this.given.add(name);
    return name;
  }
}

/** The name of a pipeline. */
export const pipelineName = (text: string): string => nameOf(text, "model");
