/** Links that carry the editor's text in their hash. Their content is untrusted text. */
import { ProblemError } from "../engine/problem.ts";
import type { Mode } from "./lines.ts";

/** The text of the editor, and its language. */
export interface Shared {
  readonly mode: Mode;
  readonly text: string;
}

/** Bytes of a text, as `parsePipeline` limits the characters of a document. */
const MOST_BYTES = 4 * 1024 * 1024;
const NAMES: Readonly<Record<Mode, string>> = { ts: "code", json: "document" };
/** `z`: compressed by deflate; `j`: the text as it is. */
const LINK = /^#(?:code|document)=([zj])\.([A-Za-z0-9_-]+)$/;

const refusal = (what: string): ProblemError =>
  new ProblemError({
    code: "bad-usage",
    what,
    where: "the link",
    hint: "ask for the link again, and copy all of it: a part of a link does not open",
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
      throw refusal(`the link's text is longer than ${limit} bytes`);
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

/** The hash of a link to a text, compressed where the platform does it. */
export async function hashOf({ mode, text }: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  if (typeof CompressionStream === "undefined") return `#${NAMES[mode]}=j.${base64Of(bytes)}`;
  const packed = await collect(
    through(bytes, new CompressionStream("deflate-raw")),
    Number.POSITIVE_INFINITY,
  );
  return `#${NAMES[mode]}=z.${base64Of(packed)}`;
}

/**
 * The untrusted text that a hash carries; undefined for a hash of another kind, such as that of a heading.
 * @throws ProblemError for a hash that begins like a link and is none
 */
export async function sharedIn(hash: string): Promise<Shared | undefined> {
  const [, name] = /^#(code|document)(?:=|$)/.exec(hash) ?? [];
  if (name === undefined) return undefined;
  const [, form, data = ""] = LINK.exec(hash) ?? [];
  if (form === undefined) throw refusal("the link is damaged");
  try {
    const packed = bytesOf(data);
    const bytes =
      form === "j"
        ? packed
        : await collect(through(packed, new DecompressionStream("deflate-raw")), MOST_BYTES);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { mode: name === "code" ? "ts" : "json", text };
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw refusal("the link is damaged");
  }
}
