/** The texts of every target for a case, and those that are checked in. */
import { TARGET_NAMES, TARGETS } from "@groupwise/cli/targets";
import {
  type Artifact,
  emit,
  explain,
  GroupwiseError,
  type Plan,
  plan,
  printExplanation,
  type Target,
} from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { emitChunks, planChunks } from "@groupwise/core/state";
import { CASES, type Case } from "@groupwise/testkit";
import { GOLDENS, type Golden, type Row, VARIANTS } from "./golden-rows.ts";

/** Every target, in the order in which plans are shown. */
export const LANGUAGES: readonly Target[] = TARGET_NAMES.map((name) => TARGETS[name].target);

/** The cases that stand for the others where texts are compiled. */
export const TYPICAL: readonly Case[] = CASES.filter(({ typical }) => typical);

const BY_NAME: ReadonlyMap<string, Case> = new Map(CASES.map((one) => [one.name, one]));

/** The case of a row. @throws Error if there is none of the name */
function caseNamed({ of }: Row): Case {
  const found = BY_NAME.get(of);
  if (!found) throw new Error(`no case has the name ${of}`);
  return found;
}

/** The plan of a row. */
export const planOf = (row: Row): Plan =>
  (row.isChunk ? planChunks : plan)(caseNamed(row).ir, TARGETS[row.target].target, row.options);

/** The files of a row's target. */
export function artifactOf(row: Row): Artifact {
  const { target, flags, options, form, isChunk } = row;
  const command = ["groupwise emit pipeline.json --target", target, ...(flags ? [flags] : [])].join(" ");
  const given = { ...options, command };
  const { ir } = caseNamed(row);
  const write = form === undefined ? undefined : TARGETS[target].forms?.[form];
  if (write) return write(ir, given);
  return (isChunk ? emitChunks : emit)(ir, TARGETS[target].target, given);
}

const folderOf = ({ of, folder }: Row): string => (folder === undefined ? of : `${of}/${folder}`);

type Texts = readonly (readonly [path: string, text: string])[];
const TEXTS = new Map<Row, Texts>();
/** Texts by path, of a row's artifact; goldens are compiled too, and made once. */
function textsOf(row: Row): Texts {
  const texts =
    TEXTS.get(row) ??
    artifactOf(row).files.map(({ path, text }) => [`${folderOf(row)}/${path}`, text] as const);
  TEXTS.set(row, texts);
  return texts;
}

function filesOf(golden: Golden): Texts {
  const document = [`${golden.of}/pipeline.json`, stringifyPipeline(caseNamed(golden).ir)] as const;
  const { file = "" } = golden;
  const texts = textsOf(golden).filter(([path]) => path.endsWith(file));
  if (!golden.whole) return [document, ...texts.slice(0, 1)];
  const [[source = ""] = []] = texts;
  const explained = [`${source}.plan.txt`, printExplanation(explain(planOf(golden)))] as const;
  return [document, ...texts, explained];
}

/** The goldens, by `case/file`. */
export const goldenFiles = (): ReadonlyMap<string, string> => new Map(GOLDENS.flatMap(filesOf));

const isRefusal = (error: unknown): boolean =>
  error instanceof GroupwiseError && error.code === "unsupported";

/** Whether the language of a row takes its case. */
export function isTaken(row: Row): boolean {
  try {
    planOf(row);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** A typical case in every language that takes it. */
export const typicalRows = ({ name: of }: Case): readonly Row[] =>
  TARGET_NAMES.map((target): Row => ({ of, target })).filter(isTaken);

/**
 * What outside compilers take, manifests included: the goldens and the variants, by `case/file`.
 * @param isWhole the typical cases, too
 */
export const compiledFiles = (isWhole: boolean): ReadonlyMap<string, string> =>
  new Map([...(isWhole ? TYPICAL.flatMap(typicalRows) : []), ...GOLDENS, ...VARIANTS].flatMap(textsOf));
