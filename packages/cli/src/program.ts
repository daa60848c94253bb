/** The commands and options, for commander. */
import { Command, InvalidArgumentError, Option } from "commander";
import type { Outcome, Surroundings } from "./base/outcome.ts";
import { offsetOption, sizeOptions, whole } from "./base/range.ts";
import {
  DEFAULTS,
  GENERIC_HOSTS,
  HEADER_TARGETS,
  HEADER_TITLES,
  PART_BYTES,
  SCHEMAS,
  TARGET_NAMES,
  TUNE_FILE,
  TUNE_SECONDS,
} from "./base/target-names.ts";
import type { CheckFlags } from "./commands/check.ts";
import type { DoctorFlags } from "./commands/doctor.ts";
import type { EmitFlags } from "./commands/emit-flags.ts";
import type { ExplainFlags } from "./commands/explain.ts";
import type { HeaderFlags } from "./commands/header.ts";
import type { ImportFlags } from "./commands/import.ts";
import type { RunFlags } from "./commands/run.ts";
import { SHELLS } from "./completion/shells.ts";
import type { ExportFlags } from "./onnx/write/command.ts";
import type { TuneFlags } from "./tune/tune.ts";

/** The work of a command, with its options parsed. */
export type Work = (around: Surroundings) => Promise<Outcome>;
type Chosen = (command: string, json: boolean, work: Work) => void;

const CODES = `
Exit codes: 0 success; 1 negative result (a check found problems, results differ, a target or device does not
support the pipeline); 2 incorrect usage or input. Files are written only if all of them can be.`;

const FORMATS = `
Inputs (--input name=FILE; the name may be omitted if the pipeline has one input):
  data.npy           NumPy, of exactly the input's type; several dimensions are rows one after the other
  data.npy:field     a field of a structured array; data.npz:name an array of an archive
  data.csv           without a name: each input takes the column whose heading is its name; also data.arrow
  data.csv:price     the column with this heading, also data.arrow:price; data.csv:2 the third column of a file
                     without headings, where the heading 2 is data.csv:"2" and the number 2 data.csv:#2
  data.bin:u32       raw little-endian elements of a type (f16: its 16 bits; bool: bytes 0 or 1)
  data.csv.gz        the same of a file that gzip compressed
  -:csv, -:npy, -:u32, -:text  the same from stdin; -:csv:price for one column
  text.txt           the characters of a UTF-8 text as u32 code points; FILE:text for any file name
Empty cells and nulls are errors, or the value of --null. Decimal fractions are rounded once, to the nearest float; inf, -inf and nan are accepted; nothing else is converted.`;

const OUTPUTS = `
Outputs: --out DIR writes one .npy file for each; --out FILE.csv, FILE.arrow (with the package apache-arrow) or -:csv, which is stdout, one table
of the outputs of many values, and prints the others; otherwise the first and last values are printed.
  groupwise run sales.ts -i sales.csv -o totals.csv
  cat sales.csv | groupwise run sales.ts -i -:csv -o -:csv > totals.csv
  groupwise run sales.ts --n 1e6 --seed 1       floats from 0 to 1, integers from 0 to 99`;

const MPI = `
With --mpi and the target c or opencl: gw_NAME_mpi.h declares a function that all ranks of a communicator call together, each with its
items; gw_NAME_mpi_main.c runs it on raw and .npy files, and CMakeLists.txt builds both with find_package(MPI):
  groupwise emit sums.ts --target c --mpi --out sums && cmake -S sums -B sums/build && cmake --build sums/build
  mpirun -n 64 sums/build/gw_sums_mpi x=x.npy sums=sums.npy
With opencl, each rank computes on an OpenCL device of its machine (--device of the program chooses another one), and CMake also finds OpenCL.
The results have the bits of one run, for any number of ranks and any MPI library.`;

const ONNX = `
Element-wise nodes, CumSum, reductions, Softmax, ArgMax and ArgMin, along all axes or some, become a pipeline over one range: all inputs of more
than one element have the same shape. Inputs of one element become parameters. If a part of the model is not supported, the error lists each such
part with the reason, and nothing is written. The command needs the package protobufjs.`;
const TO_ONNX = `
A model holds element-wise operators that ONNX has, sums, products, minima and maxima of the whole range, and its running sums and products. Other parts are
refused in one error, which lists each with the reason. Other runtimes round as they do. The command needs the package protobufjs.`;

const COMPLETION = `
bash (with the package bash-completion): echo 'source <(groupwise completion bash)' >> ~/.bashrc
zsh: echo 'source <(groupwise completion zsh)' >> ~/.zshrc
fish: groupwise completion fish > ~/.config/fish/completions/groupwise.fish`;

const positive = (text: string): number => {
  const value = whole(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It must be a positive whole number.");
};
const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const ownHalves = (about: string): Option =>
  new Option("--f16", `${about}compute halves in the language's own type, for devices that support it`);

/** Values of inputs and parameters. */
const valuesOptions = (about: string): Option[] => [
  new Option("-i, --input <name=file>", about).argParser(collect).default([], "none"),
  new Option("-p, --param <name=value>", "value of a parameter").argParser(collect).default([], "none"),
  new Option("--null <value>", "value for empty cells and nulls, which are errors without it"),
  new Option("--raw", "FILE:type means raw elements, also where the extension says another format"),
];

const subnormals = (): Option =>
  new Option(
    "--subnormals <how>",
    "sums and products as the device computes them: shorter WGSL, whose results may differ on a device that flushes subnormal numbers",
  ).choices(["flush"]);

/** Optional features of devices. */
const forDevices = (): Option[] => [
  new Option("--no-native", "do not use OpenCL's own work-group functions: smaller files, the same results"),
  new Option(
    "--subgroups [least]",
    "shuffle values within subgroups, for devices that have them; optionally their minimum size",
  ).argParser(positive),
  new Option("--look-back", "scans in one pass with look-back, which waits for other work-groups: for GPUs"),
  new Option(
    "--cores <number>",
    "for a device of few wide cores, such as a CPU: each work-item loops over a chunk of the range",
  ).argParser(positive),
  ownHalves(""),
  new Option("--f64", "compute doubles in OpenCL's own type, for devices that support it"),
  subnormals(),
];

const tuning = (): Option =>
  new Option("--tuning <file>", "sizes of tiles for a device, measured by `groupwise tune`");

const GENERIC_LIST = Object.entries(GENERIC_HOSTS)
  .map(([language, { targets }]) => `${language} (${targets.join(", ")})`)
  .join(", ");
const TARGET_LIST = `${TARGET_NAMES.join(", ")}; separated by commas, or all`;

/** A command: its name, and its function of the options. */
interface CommandSpec {
  readonly usage: string;
  readonly description: string;
  /** Called for each program, because commander stores state in options. */
  readonly options: () => readonly Option[];
  readonly work: (flags: never, around: Surroundings, ...args: string[]) => Promise<Outcome>;
  /** The text of the help after the options. */
  readonly after?: string;
}

const spec = <F>(
  usage: string,
  description: string,
  options: CommandSpec["options"],
  work: (flags: F, around: Surroundings, ...args: string[]) => Promise<Outcome>,
  after = "",
): CommandSpec => ({ usage, description, options, work, after });

const exported = (): Option =>
  new Option("--export <name>", "the module's export that holds the pipeline (default export)");
const target = (text: string): Option => new Option("-t, --target <names>", `${text}: ${TARGET_LIST}`);

const COMMANDS: readonly CommandSpec[] = [
  spec<EmitFlags>(
    "emit <pipeline>",
    "write the sources and manifests of a pipeline (.ts, .js, .mjs are run as programs; .json is only read)",
    () => [
      target("targets to emit"),
      new Option("-o, --out <dir>", "folder to write to").default("out"),
      exported(),
      new Option(
        "--host <language>",
        `also write a host for the emitted files: c (a program for this pipeline; c, opencl), or a file that reads any manifest: ${GENERIC_LIST}`,
      ),
      new Option(
        "--mpi",
        "write functions and a program for the ranks of MPI, with a CMake project (c, opencl), see below",
      ),
      new Option(
        "--openmp",
        "also write a function that computes parts of the range in threads of OpenMP (c)",
      ),
      ...forDevices(),
      tuning(),
      new Option(
        "--items <count>",
        "with --tuning: the number of items that sizes are for (default: a large one)",
      ).argParser(whole),
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
      new Option("--watch", "emit again whenever the pipeline file or a file that it imports changes"),
    ],
    async (flags, around, path = "") =>
      flags.watch
        ? (await import("./commands/watch.ts")).watchCommand(path, flags, around)
        : (await import("./commands/emit.ts")).emitCommand(path, flags, around),
    MPI,
  ),
  spec<RunFlags>(
    "run <pipeline>",
    "run a pipeline on data; with several devices also compare the results bit for bit",
    () => [
      ...valuesOptions("data of an input, see below"),
      target("targets to run on; all means every device found").default(DEFAULTS.run),
      new Option(
        "-d, --device <which>",
        "part of a device's name, its index among the targets' devices, or all",
      ),
      new Option(
        "-o, --out <where>",
        "folder for one .npy file per output, or a table: FILE.csv, FILE.arrow, -:csv; without it, outputs are printed",
      ),
      ...sizeOptions(),
      offsetOption(),
      new Option(
        "--seed <number>",
        "generate the inputs without data: with --n 1e6, so many items",
      ).argParser(whole),
      new Option("--show <count>", "number of leading values to print").argParser(whole),
      new Option("--repeat <count>", "run several times after the first and report the fastest").argParser(
        positive,
      ),
      new Option("--workers <count>", "number of threads that compute parts of the range (js, c)").argParser(
        positive,
      ),
      new Option(
        "--stream [items]",
        "compute in chunks, of a length that suits the device or of so many items, for files larger than memory; needs --out",
      ).argParser(positive),
      tuning(),
      subnormals(),
      new Option("--resume", "with --stream: continue from the last state that was written"),
      exported(),
    ],
    async (flags, around, path = "") =>
      flags.stream
        ? (await import("./commands/stream.ts")).streamCommand(path, flags, around)
        : (await import("./commands/run.ts")).runCommand(path, flags, around),
    FORMATS + OUTPUTS,
  ),
  spec<CheckFlags>(
    "check <pipeline>",
    "report every problem of a pipeline, the targets that support it, and whether its operators obey their laws",
    () => [
      target("fail if one of them does not support the pipeline"),
      new Option(
        "--samples <count>",
        "number of samples for each law of an operator (default: 2000)",
      ).argParser(positive),
      new Option("--no-laws", "do not test the laws of operators"),
      ...valuesOptions("sample data on which no two items may write one slot of a scatter"),
      ...sizeOptions(),
      offsetOption(),
      exported(),
    ],
    async (flags, around, path = "") =>
      (await import("./commands/check.ts")).checkCommand(path, flags, around),
    FORMATS,
  ),
  spec<ExplainFlags>(
    "explain <pipeline>",
    "print the plan: strategy, passes, memory, bytes moved, and the reasons",
    () => [
      target("targets to plan for").default(DEFAULTS.explain),
      ...sizeOptions(),
      ...forDevices(),
      tuning(),
      new Option("--stream", "print the plan of `run --stream` for a chunk"),
      new Option("--picture <file.mmd>", "also write the passes and arrays as a Mermaid flowchart"),
      new Option("--force", "overwrite a file that groupwise did not make"),
      exported(),
    ],
    async (flags, around, path = "") =>
      (await import("./commands/explain.ts")).explainCommand(path, flags, around),
  ),
  spec<DoctorFlags>(
    "doctor",
    "list every device and driver found, what each supports, and how to install what is missing",
    () => [new Option("--require <targets>", "fail if one of these has no device")],
    async (flags, around) => (await import("./commands/doctor.ts")).doctorCommand(flags, around),
  ),
  spec<TuneFlags>(
    "tune",
    "measure sizes of tiles on a device, and write the fastest to a file for --tuning; no size changes a result",
    () => [
      new Option("-t, --target <name>", "target of the device").default(DEFAULTS.tune),
      new Option(
        "-d, --device <which>",
        "part of the device's name, or its index among the target's devices",
      ),
      new Option("--types <names>", "types of the sums that are measured (default: u32,f32,i64)"),
      new Option("--sizes <counts>", "numbers of items that are measured (default: 2^16,2^20,2^24)"),
      new Option("--seconds <count>", "time for all of it").argParser(positive).default(TUNE_SECONDS),
      new Option("-o, --out <file>", "file to write to").default(TUNE_FILE),
      new Option("--force", "overwrite a file that groupwise did not make"),
    ],
    async (flags, around) => (await import("./tune/tune.ts")).tuneCommand(flags, around),
  ),
  spec<HeaderFlags>(
    "header",
    `write work-group functions for your own kernels: ${Object.values(HEADER_TITLES).join(", or ")}`,
    () => [
      new Option("-t, --target <name>", HEADER_TARGETS.join(" or ")).default(DEFAULTS.header),
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
      subnormals(),
      new Option("--force", "overwrite a file that groupwise did not make"),
    ],
    async (flags, around) => (await import("./commands/header.ts")).headerCommand(flags, around),
  ),
  spec<ImportFlags>(
    "import <model>",
    "write the pipeline of an ONNX model (.onnx) as a document, which the other commands take",
    () => [
      new Option("-o, --out <file>", "file to write to, ending in .json (default: stdout)"),
      new Option("--set <name=values>", "make an input of the model a constant, for example axes=0,1")
        .argParser(collect)
        .default([], "none"),
      new Option("--force", "overwrite a file that groupwise did not make"),
    ],
    async (flags, around, path = "") =>
      (await import("./commands/import.ts")).importCommand(path, flags, around),
    ONNX,
  ),
  spec<ExportFlags>(
    "export <pipeline>",
    "write a pipeline as an ONNX model, if ONNX has all of its operators",
    () => [
      new Option("-o, --out <file>", "file to write to, ending in .onnx"),
      exported(),
      new Option("--force", "overwrite a file that groupwise did not make"),
    ],
    async (flags, around, path = "") =>
      (await import("./onnx/write/command.ts")).exportCommand(path, flags, around),
    TO_ONNX,
  ),
  spec(
    "schema [document]",
    `print the JSON Schema of documents: ${SCHEMAS.join(" (the default), ")}`,
    () => [],
    async (_, __, of = SCHEMAS[0]) => (await import("./commands/schema.ts")).schemaCommand(of),
  ),
  spec(
    `completion <shell>`,
    `print a script that completes commands, options, targets, devices and files in a shell: ${SHELLS.join(", ")}`,
    () => [],
    async (_, __, shell = "") => (await import("./commands/completion.ts")).completionCommand(shell),
    COMPLETION,
  ),
];

function addCommand(
  program: Command,
  { usage, description, options, work, after }: CommandSpec,
  chosen: Chosen,
): void {
  const made = program.command(usage).description(description);
  for (const option of options()) made.addOption(option);
  made.option("--json", "one JSON object on stdout");
  if (after) made.addHelpText("after", after);
  made.action((...received: unknown[]) => {
    const flags = made.opts<{ json?: boolean }>();
    const args = received.filter((value): value is string => typeof value === "string");
    chosen(made.name(), flags.json === true, (around) => work(flags as never, around, ...args));
  });
}

/** The command line; `chosen` is called with the command that the arguments name. */
export function programOf(version: string, chosen: Chosen): Command {
  const program = new Command("groupwise")
    .description("Work-group collectives, declared once: emit, run and check pipelines.")
    .version(version)
    .addHelpText("after", CODES);
  for (const command of COMMANDS) addCommand(program, command, chosen);
  return program;
}
