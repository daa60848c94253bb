/** The command `functions`: functions of one operand on devices against C or JavaScript. */
import { Command, Option } from "commander";
import { replaceFile } from "../print/replace.ts";
import type { SweepOptions, Sweeps } from "./across.ts";

type Counts = (text: string) => number;
interface Flags extends Omit<SweepOptions, "devices" | "names" | "say" | "save"> {
  readonly function?: readonly string[];
  readonly device?: readonly string[];
  readonly all?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

const note = (line: string): void => void process.stderr.write(`${line}\n`);

async function onDevices(flags: Flags): Promise<void> {
  const { isEqual, sweepAcross } = await import("./across.ts");
  const { printSweeps } = await import("./result.ts");
  const { function: names, device = [], all, out, json, markdown } = flags;
  const result = await sweepAcross({
    ...flags,
    stride: all || flags.type === "f16" ? 1 : flags.stride,
    devices: device,
    ...(names && { names }),
    ...(out !== undefined && { save: (sweeps: Sweeps) => replaceFile(out, sweeps) }),
    say: note,
  });
  process.stdout.write(json ? `${JSON.stringify(result, null, 1)}\n` : printSweeps(result, markdown));
  process.exitCode = isEqual(result) ? 0 : 1;
}

/** @param itemsIn reads numbers such as 2^30 */
export const functionsCommand = (itemsIn: Counts): Command =>
  new Command("functions")
    .description("functions of one operand on devices against C on all cores, bit for bit")
    .option("--device <words...>", "devices whose name holds one of the words")
    .addOption(new Option("--base <name>", "what they are compared with").choices(["c", "js"]).default("c"))
    .option("--function <names...>", "only these")
    .addOption(new Option("--type <type>", "the type of the operands").choices(["f16", "f32"]).default("f32"))
    .option("--stride <n>", "every so many of the inputs of f32, a prime", Number, 257)
    .option("--all", "all 2^32 inputs: minutes for each function")
    .option("--chunk <n>", "items of a chunk, at most 2^31", itemsIn, 2 ** 24)
    .option("--out <file>", "write the result there after each function, as JSON")
    .option("--json", "the result as JSON")
    .option("--markdown", "the result as Markdown")
    .action(onDevices);
