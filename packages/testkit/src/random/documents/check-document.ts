/** Properties of any document, however hostile. */
import {
  ERROR_CODES,
  emit,
  explain,
  GroupwiseError,
  plan,
  printExplanation,
  type SourceFile,
  type Target,
} from "@groupwise/core";
import { parsePipeline, stringifyPipeline } from "@groupwise/core/schema";

/** Control characters, which no message may contain because a terminal would interpret them. */
const RAW = /[\p{C}\p{Zl}\p{Zp}]/u;
/** Largest number of characters of a message: texts of documents are truncated. */
const LONGEST = 4000;

/** The result of checking a document. */
export interface Verdict {
  /** The fault that was found. */
  readonly fault?: string;
  /** The code of the error that refuses it; undefined if it is accepted. */
  readonly refused?: string;
  /** The emitted files. */
  readonly files: readonly SourceFile[];
}

/**
 * Parses a document. If it is accepted, prints it again, and emits and explains it for some targets.
 * @returns the fault that was found, or undefined
 */
export function checkDocument(document: unknown, targets: readonly Target[] = []): string | undefined {
  return judgeDocument(document, targets).fault;
}

/** As {@link checkDocument}, with the emitted files. */
export function judgeDocument(document: unknown, targets: readonly Target[] = []): Verdict {
  const files: SourceFile[] = [];
  try {
    const { pipeline } = parsePipeline(document);
    const text = stringifyPipeline(pipeline);
    if (stringifyPipeline(parsePipeline(text).pipeline) !== text)
      return { fault: "its text reads otherwise", files };
    for (const target of targets) {
      const fault = emitted(() => {
        files.push(...emit(pipeline, target).files);
        printExplanation(explain(plan(pipeline, target), { n: 100 }));
      });
      if (fault !== undefined) return { fault: `${target.name}: ${fault}`, files };
    }
  } catch (error) {
    const fault = faultOf(error);
    return { ...(fault !== undefined && { fault }), refused: (error as GroupwiseError).code, files };
  }
  const fault = files.map(syntaxFault).find((found) => found !== undefined);
  return { ...(fault !== undefined && { fault }), files };
}

function emitted(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof GroupwiseError && error.code === "bad-kernel" ? error.message : faultOf(error);
  }
}

/** The problems of an error itself. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof GroupwiseError)) return `a bare error: ${(error as Error)?.stack ?? String(error)}`;
  if (!ERROR_CODES.includes(error.code)) return `an unknown code: ${error.code}`;
  const texts = [error.message, error.what, error.where, error.hint];
  if (texts.some((text) => RAW.test(text))) return `a raw character: ${JSON.stringify(error.message)}`;
  if (texts.some((text) => text.length > LONGEST)) return `a message of ${error.message.length} characters`;
  return undefined;
}

/** Whether an emitted module parses; the others need compilers. */
function syntaxFault({ path, text }: SourceFile): string | undefined {
  if (!path.endsWith(".mjs")) return undefined;
  try {
    // Never called: it is parsed, in strict mode as modules are.
    new Function(`"use strict"; ${text.replace(/^export (default )?/gm, "")}`);
    return undefined;
  } catch (error) {
    return `${path} does not parse: ${(error as Error).message}\n${text}`;
  }
}
