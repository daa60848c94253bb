/** `groupwise check`: every problem of a pipeline, the targets that support it, and the laws of its operators. */
import { type Checked, type GroupwiseError, LIMITS, type Pipeline, plan, problemsOf } from "@groupwise/core";
import { type OperatorLaws, pipelineLaws, printLaws } from "@groupwise/core/laws";
import { parsePipeline } from "@groupwise/core/schema";
import { type FastUse, fastUseOf } from "@groupwise/core/target";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { isGroupwiseError, type Problem, printProblem, problemOf } from "../base/problem.ts";
import { rangeOf } from "../base/range.ts";
import { withSuggestion } from "../base/suggest-name.ts";
import { targetsOf } from "../base/target-list.ts";
import { TARGET_NAMES, type TargetName, toolsOf } from "../base/targets.ts";
import type { CheckFlags } from "../flags/tables.ts";
import { printStream, streamVerdict } from "../streams/verdict.ts";
import { readValues } from "../values/arguments.ts";
import { bindInputs } from "../values/bind.ts";
import { slotProblem } from "./check-slots.ts";
import { loadDocument } from "./pipeline-file.ts";

interface Verdict {
  readonly target: TargetName;
  readonly supported: boolean;
  readonly strategy?: string;
  readonly problems: readonly Problem[];
}

export async function checkCommand(path: string, flags: CheckFlags, { cwd }: Surroundings): Promise<Outcome> {
  const wanted = flags.target === undefined ? [] : targetsOf(flags.target);
  const { checked, problems } = await inspect(path, flags.export, cwd);
  if (!checked) {
    const text = `${problems.map(printProblem).join("")}${path}: ${problems.length} problem(s)\n`;
    return { code: 1, data: { problems, targets: [], operators: [] }, text };
  }
  const verdicts = (wanted.length ? wanted : TARGET_NAMES).map((target) => judge(checked, target));
  const isRefused = verdicts.some(({ target, supported }) => wanted.includes(target) && !supported);
  const { samples } = flags;
  const operators = flags.laws ? pipelineLaws(checked, samples === undefined ? {} : { samples }) : [];
  const isBroken = operators.some(({ laws }) => laws.some(({ ok }) => !ok));
  const isGiven = flags.input.length + flags.param.length > 0;
  const values = isGiven && (await readValues(checked, bindInputs(checked, flags.input, flags), flags, cwd));
  const conflict = slotProblem(checked, values ? { values, options: rangeOf(flags) } : undefined);
  const { name, nodes } = checked.pipeline;
  const fast = fastUseOf(checked.pipeline);
  const stream = streamVerdict(checked.pipeline);
  const text = [
    `${name}: ${nodes.length} nodes, no problem\n`,
    ...(fast.functions.length ? [printFast(fast)] : []),
    ...verdicts.map(printVerdict),
    printStream(stream),
    ...operators.map(printLaws),
    ...(conflict && isGiven ? [printProblem(conflict)] : []),
  ].join("");
  const data = {
    pipeline: name,
    problems,
    targets: verdicts,
    stream,
    operators,
    ...(fast.functions.length > 0 && { fast }),
    ...(conflict && { conflict }),
  };
  const notes = [...notesOf(operators), ...(conflict && !isGiven ? [noteOn(conflict)] : [])];
  return { code: isRefused || isBroken || (conflict && isGiven) ? 1 : 0, data, text, notes };
}

const printFast = ({ functions, outputs }: FastUse): string =>
  `fast: ${functions.join(", ")}: a target may use its language's own function, within a bound that explain prints; outputs whose bits may differ between targets: ${outputs.join(", ") || "none"}\n`;

/** A conflict on generated values may not occur on the user's data. */
const noteOn = ({ where, what }: Problem): string =>
  `${where ? `${where}: ` : ""}on generated values ${what}; pass --input to check your own data`;

function notesOf(operators: readonly OperatorLaws[]): string[] {
  const unused = operators.filter(({ domain }) => domain === "all").map(({ operator }) => operator);
  return unused.length ? [`no node uses ${unused.join(", ")}: the laws were tested on arbitrary values`] : [];
}

interface Inspected {
  readonly checked?: Checked;
  readonly problems: readonly Problem[];
}

async function inspect(path: string, exportName: string | undefined, cwd: string): Promise<Inspected> {
  let document: unknown;
  try {
    document = await loadDocument(path, cwd, exportName);
    return { checked: parsePipeline(document), problems: [] };
  } catch (error) {
    // A missing file, or a file without a pipeline, is an error of the command and not a problem of a pipeline.
    if (!isGroupwiseError(error) || NOT_ABOUT_PIPELINES.has(error.code)) throw error;
    return { problems: allProblems(error, document) };
  }
}

const NOT_ABOUT_PIPELINES: ReadonlySet<string> = new Set(["missing-file", "bad-file", "bad-usage"]);

/** The first problem, and all others if the document has the shape that the rules need. */
function allProblems(first: GroupwiseError, document: unknown): Problem[] {
  const problems = furtherProblems(document);
  const known = problems.some(({ code, where }) => code === first.code && where === first.where);
  return (known ? problems : [first]).map((error) => problemOf(withSuggestion(error, document)));
}

function furtherProblems(document: unknown): readonly GroupwiseError[] {
  try {
    const value = (typeof document === "string" ? JSON.parse(document) : document) as Pipeline;
    return value.nodes.length <= LIMITS.nodes ? problemsOf(value) : [];
  } catch {
    return []; // not even a list of nodes
  }
}

/** Whether a target supports the pipeline. */
function judge(checked: Checked, target: TargetName): Verdict {
  try {
    const { strategy } = plan(checked.pipeline, toolsOf(target).target);
    return { target, supported: true, strategy, problems: [] };
  } catch (error) {
    if (!isGroupwiseError(error)) throw error;
    return { target, supported: false, problems: [problemOf(error)] };
  }
}

function printVerdict({ target, supported, strategy, problems }: Verdict): string {
  if (supported) return `${target}: supported, by ${strategy}\n`;
  return `${target}: refused\n${problems.map((problem) => printProblem(problem).replace(/^/gm, "  ").trimEnd()).join("\n")}\n`;
}
