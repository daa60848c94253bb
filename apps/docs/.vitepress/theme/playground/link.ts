/** Links that carry a document in their hash. Their content is untrusted text. */
import { ProblemError } from "../engine/problem.ts";

/** Bytes of a document, as `parsePipeline` limits its characters. */
const MOST_BYTES = 4 * 1024 * 1024;
const PREFIX = "#document=";
/** `z`: compressed by deflate; `j`: the JSON as it is. */
const LINK = /^#document=([zj])\.([A-Za-z0-9_-]+)$/;

const refusal = (what: string): ProblemError =>
  new ProblemError({
    code: "bad-usage",
    what,
    where: "the link",
    hint: "ask for the link again; a link carries one document as the playground writes it",
  });

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** All bytes of a stream, read only as far as the limit. */
async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    chunks.push(next.value);
    if (length > limit) {
      await reader.cancel();
      throw refusal(`the link's document is longer than ${limit} bytes`);
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

const through = (bytes: Uint8Array<ArrayBuffer>, stream: ReadableWritablePair<Uint8Array, BufferSource>) =>
  new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);

/** The hash of a link to a document: its JSON without white space, compressed where the platform does it. */
export async function hashOf(document: string): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(JSON.parse(document)));
  if (typeof CompressionStream === "undefined") return `${PREFIX}j.${base64Of(bytes)}`;
  const packed = await collect(
    through(bytes, new CompressionStream("deflate-raw")),
    Number.POSITIVE_INFINITY,
  );
  return `${PREFIX}z.${base64Of(packed)}`;
}

/**
 * The untrusted text that a hash carries; undefined for a hash of another kind, such as that of a heading.
 * @throws ProblemError for a hash that begins like a link and is none
 */
export async function textOfHash(hash: string): Promise<string | undefined> {
  if (!hash.startsWith(PREFIX.slice(0, -1))) return undefined;
  const [, form, data = ""] = LINK.exec(hash) ?? [];
  if (form === undefined) throw refusal("the link is damaged");
  try {
    const packed = bytesOf(data);
    const bytes =
      form === "j"
        ? packed
        : await collect(through(packed, new DecompressionStream("deflate-raw")), MOST_BYTES);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw refusal("the link is damaged");
  }
}
