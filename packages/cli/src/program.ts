/** The commands, for commander. Their flags are rows of `flags/tables.ts`. */
import { Command } from "commander";
import type { Outcome, Surroundings } from "./base/outcome.ts";
import { HEADER_TITLES, SCHEMAS } from "./base/target-names.ts";
import { SHELLS } from "./completion/shells.ts";
import type { FlagTable } from "./flags/flag.ts";
import { optionsOf } from "./flags/option.ts";
import * as flags from "./flags/tables.ts";

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

/** A command: its name, and its function of the options. */
interface CommandSpec {
  readonly usage: string;
  readonly description: string;
  readonly flags: readonly FlagTable[];
  readonly work: (flags: never, around: Surroundings, ...args: string[]) => Promise<Outcome>;
  /** The text of the help after the options. */
  readonly after?: string;
}

const spec = <F>(
  usage: string,
  description: string,
  flags: readonly FlagTable[],
  work: (flags: F, around: Surroundings, ...args: string[]) => Promise<Outcome>,
  after = "",
): CommandSpec => ({ usage, description, flags, work, after });

const COMMANDS: readonly CommandSpec[] = [
  spec<flags.EmitFlags>(
    "emit <pipeline>",
    "write the sources and manifests of a pipeline (.ts, .js, .mjs are run as programs; .json is only read)",
    [
      flags.EMIT,
      flags.MODULE,
      flags.HOST,
      flags.FORMS,
      flags.DEVICE,
      flags.SUBNORMALS,
      flags.TUNING,
      flags.ITEMS,
      flags.PARTS,
      flags.FORCE,
    ],
    async (given, around, path = "") =>
      given.watch
        ? (await import("./commands/watch.ts")).watchCommand(path, given, around)
        : (await import("./commands/emit.ts")).emitCommand(path, given, around),
    MPI,
  ),
  spec<flags.RunFlags>(
    "run <pipeline>",
    "run a pipeline on data; with several devices also compare the results bit for bit",
    [
      flags.RUN,
      flags.VALUES,
      flags.SIZES,
      flags.OFFSET,
      flags.TUNING,
      flags.SUBNORMALS,
      flags.CACHE,
      flags.MODULE,
    ],
    async (given, around, path = "") =>
      given.stream
        ? (await import("./commands/stream.ts")).streamCommand(path, given, around)
        : (await import("./commands/run.ts")).runCommand(path, given, around),
    FORMATS + OUTPUTS,
  ),
  spec<flags.CheckFlags>(
    "check <pipeline>",
    "report every problem of a pipeline, the targets that support it, and whether its operators obey their laws",
    [flags.CHECK, flags.VALUES, flags.SIZES, flags.OFFSET, flags.MODULE],
    async (given, around, path = "") =>
      (await import("./commands/check.ts")).checkCommand(path, given, around),
    FORMATS,
  ),
  spec<flags.ExplainFlags>(
    "explain <pipeline>",
    "print the plan: strategy, passes, memory, bytes moved, and the reasons",
    [flags.EXPLAIN, flags.SIZES, flags.DEVICE, flags.SUBNORMALS, flags.TUNING, flags.FORCE, flags.MODULE],
    async (given, around, path = "") =>
      (await import("./commands/explain.ts")).explainCommand(path, given, around),
  ),
  spec<flags.DoctorFlags>(
    "doctor",
    "list every device and driver found, what each supports as a new probe shows, and how to install what is missing",
    [flags.DOCTOR],
    async (given, around) => (await import("./commands/doctor.ts")).doctorCommand(given, around),
  ),
  spec<flags.TuneFlags>(
    "tune",
    "measure sizes of tiles on a device, and write the fastest to a file for --tuning; no size changes a result",
    [flags.TUNE, flags.CACHE, flags.FORCE],
    async (given, around) => (await import("./tune/tune.ts")).tuneCommand(given, around),
  ),
  spec<flags.HeaderFlags>(
    "header",
    `write work-group functions for your own kernels: ${Object.values(HEADER_TITLES).join(", or ")}`,
    [flags.HEADER, flags.SUBNORMALS, flags.HEADER_TEXT, flags.FORCE],
    async (given, around) => (await import("./commands/header.ts")).headerCommand(given, around),
  ),
  spec<flags.ImportFlags>(
    "import <model>",
    "write the pipeline of an ONNX model (.onnx) as a document, which the other commands take",
    [flags.IMPORT, flags.FORCE],
    async (given, around, path = "") =>
      (await import("./commands/import.ts")).importCommand(path, given, around),
    ONNX,
  ),
  spec<flags.ExportFlags>(
    "export <pipeline>",
    "write a pipeline as an ONNX model, if ONNX has all of its operators",
    [flags.EXPORT, flags.MODULE, flags.FORCE],
    async (given, around, path = "") =>
      (await import("./onnx/write/command.ts")).exportCommand(path, given, around),
    TO_ONNX,
  ),
  spec(
    "schema [document]",
    `print the JSON Schema of documents: ${SCHEMAS.join(" (the default), ")}`,
    [],
    async (_, __, of = SCHEMAS[0]) => (await import("./commands/schema.ts")).schemaCommand(of),
  ),
  spec(
    `completion <shell>`,
    `print a script that completes commands, options, targets, devices and files in a shell: ${SHELLS.join(", ")}`,
    [],
    async (_, __, shell = "") => (await import("./commands/completion.ts")).completionCommand(shell),
    COMPLETION,
  ),
];

function addCommand(
  program: Command,
  { usage, description, flags: tables, work, after }: CommandSpec,
  chosen: Chosen,
): void {
  const made = program.command(usage).description(description);
  for (const option of optionsOf([...tables, flags.JSON_OUT])) made.addOption(option);
  if (after) made.addHelpText("after", after);
  made.action((...received: unknown[]) => {
    const given = made.opts<{ json?: boolean }>();
    const args = received.filter((value): value is string => typeof value === "string");
    chosen(made.name(), given.json === true, (around) => work(given as never, around, ...args));
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
