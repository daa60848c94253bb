/** The commands and options, for commander. */
import { Command, InvalidArgumentError, Option } from "commander";
import type { Outcome, Surroundings } from "./base/outcome.ts";
import { offsetOption, sizeOptions, whole } from "./base/range.ts";
import { TARGET_NAMES } from "./base/targets.ts";
import { type CheckFlags, checkCommand } from "./commands/check.ts";
import { type DoctorFlags, doctorCommand } from "./commands/doctor.ts";
import { type EmitFlags, emitCommand, PART_BYTES } from "./commands/emit.ts";
import { type ExplainFlags, explainCommand } from "./commands/explain.ts";
import { type HeaderFlags, headerCommand } from "./commands/header.ts";
import { type RunFlags, runCommand } from "./commands/run.ts";
import { schemaCommand } from "./commands/schema.ts";

/** What a command does once its options are known. */
export type Work = (around: Surroundings) => Promise<Outcome>;
type Chosen = (command: string, json: boolean, work: Work) => void;

const CODES = `
Exit codes: 0 success; 1 negative result (a check found problems, results differ, a target or device does not
support the pipeline); 2 incorrect usage or input. Files are written only if all of them can be.`;

const FORMATS = `
Inputs (--input name=FILE; the name may be omitted if the pipeline has one input):
  data.npy           NumPy, one dimension, of exactly the input's type
  data.csv:price     the column with this heading; data.csv:2 the third column of a file without headings
  data.bin:u32       raw little-endian elements of a type (f16: its 16 bits; bool: bytes 0 or 1)
  text.txt           the characters of a UTF-8 text as u32 code points; FILE:text for any file name
Decimal fractions round to the nearest float; inf, -inf and nan are accepted; nothing else is converted.
Outputs: --out DIR writes one .npy file for each; otherwise the first and last values are printed.`;

const positive = (text: string): number => {
  const value = whole(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It must be a positive whole number.");
};
const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const ownHalves = (about: string): Option =>
  new Option("--f16", `${about}compute halves in the language's own type, for devices that support it`);

/** What of a device may be used. */
const forDevices = (): Option[] => [
  new Option("--no-native", "do not use OpenCL's own work-group functions: smaller files, the same results"),
  new Option(
    "--subgroups [least]",
    "shuffle values within subgroups, for devices that have them; optionally their least size",
  ).argParser(positive),
  new Option("--look-back", "scans in one pass with look-back, which waits for other work-groups: for GPUs"),
  ownHalves(""),
  new Option("--f64", "compute doubles in OpenCL's own type, for devices that support it"),
];

const TARGET_LIST = `${TARGET_NAMES.join(", ")}; separated by commas, or all`;

/** The command line; `chosen` is called with what the arguments ask for. */
export function programOf(version: string, chosen: Chosen): Command {
  const program = new Command("groupwise")
    .description("Work-group collectives, declared once: emit, run and check pipelines.")
    .version(version)
    .addHelpText("after", CODES);

  const command = <F>(
    usage: string,
    description: string,
    options: readonly Option[],
    work: (flags: F, around: Surroundings, ...args: string[]) => Promise<Outcome>,
  ): Command => {
    const made = program.command(usage).description(description);
    for (const option of options) made.addOption(option);
    made.option("--json", "one JSON object on stdout");
    return made.action((...received: unknown[]) => {
      const flags = made.opts<F & { json?: boolean }>();
      const args = received.filter((value): value is string => typeof value === "string");
      chosen(made.name(), flags.json === true, (around) => work(flags, around, ...args));
    });
  };

  const exported = new Option(
    "--export <name>",
    "the module's export that holds the pipeline (default export)",
  );
  const target = (text: string): Option => new Option("-t, --target <names>", `${text}: ${TARGET_LIST}`);

  command<EmitFlags>(
    "emit <pipeline>",
    "write the sources and manifests of a pipeline (.ts, .js, .mjs are run as programs; .json is only read)",
    [
      target("targets to emit"),
      new Option("-o, --out <dir>", "folder to write to").default("out"),
      exported,
      new Option(
        "--host <language>",
        "also write a host program for the emitted OpenCL or C; the only language is c",
      ),
      ...forDevices(),
      new Option(
        "--parts <array=count>",
        "split an array that is longer than a binding into parts (wgsl); repeatable",
      )
        .argParser(collect)
        .default([], "none"),
      new Option("--part-bytes <bytes>", "bytes of a part, a power of two")
        .argParser(positive)
        .default(PART_BYTES),
      new Option("--force", "overwrite files that groupwise did not make"),
    ],
    (flags, around, path = "") => emitCommand(path, flags, around),
  );
  command<RunFlags>(
    "run <pipeline>",
    "run a pipeline on data; with several devices also compare the results bit for bit",
    [
      new Option("-i, --input <name=file>", "data of an input, see below")
        .argParser(collect)
        .default([], "none"),
      new Option("-p, --param <name=value>", "value of a parameter").argParser(collect).default([], "none"),
      target("targets to run on; all means every device found").default("js"),
      new Option(
        "-d, --device <which>",
        "part of a device's name, its index among the targets' devices, or all",
      ),
      new Option("-o, --out <dir>", "folder for one .npy file per output; without it, outputs are printed"),
      ...sizeOptions(),
      offsetOption(),
      new Option("--show <count>", "number of leading values to print").argParser(whole),
      new Option("--repeat <count>", "run several times and report the fastest").argParser(positive),
      exported,
    ],
    (flags, around, path = "") => runCommand(path, flags, around),
  ).addHelpText("after", FORMATS);
  command<CheckFlags>(
    "check <pipeline>",
    "report every problem of a pipeline, the targets that support it, and whether its operators obey their laws",
    [
      target("fail if one of them does not support the pipeline"),
      new Option(
        "--samples <count>",
        "number of samples for each law of an operator (default: 2000)",
      ).argParser(positive),
      new Option("--no-laws", "do not test the laws of operators"),
      exported,
    ],
    (flags, around, path = "") => checkCommand(path, flags, around),
  );
  command<ExplainFlags>(
    "explain <pipeline>",
    "print the plan: strategy, passes, memory, bytes moved, and the reasons",
    [target("targets to plan for").default("wgsl"), ...sizeOptions(), ...forDevices(), exported],
    (flags, around, path = "") => explainCommand(path, flags, around),
  );
  command<DoctorFlags>(
    "doctor",
    "list every device and driver found, what each supports, and how to install what is missing",
    [new Option("--require <targets>", "fail if one of these has no device")],
    (flags, around) => doctorCommand(flags, around),
  );
  command<HeaderFlags>(
    "header",
    "write work-group functions for your own kernels: a header for OpenCL C, or a snippet of WGSL",
    [
      new Option("-t, --target <name>", "opencl or wgsl").default("opencl"),
      new Option("-o, --out <file>", "file to write to (default: stdout)"),
      new Option("--prefix <text>", "prefix of names (default: gw_)"),
      new Option(
        "--functions <names>",
        "functions, separated by commas, for example reduce-add-f32,all (OpenCL default: all)",
      ),
      new Option("--work-group-size <count>", "WGSL: number of work-items in the work-group").argParser(
        positive,
      ),
      ownHalves("WGSL: "),
      new Option("--force", "overwrite a file that groupwise did not make"),
    ],
    (flags, around) => headerCommand(flags, around),
  );
  command("schema", "print the JSON Schema of pipeline documents", [], () => schemaCommand());
  return program;
}
