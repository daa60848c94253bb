/** How the rows of the matrix start: programs of this folder in Node, another engine or a Debian root, and pages of browsers. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProbeReport } from "@groupwise/core";
import type { Effort } from "@groupwise/testkit";
import { bundled, type Found, found, inRoot, scratchDirectory } from "@groupwise/testkit/devices";
import { pageRunner } from "@groupwise/testkit/page";
import { type RemoteRunner, remoteRunner } from "@groupwise/testkit/remote";
import { coldCaches } from "../measure/caches.ts";

type Environment = Readonly<Record<string, string>>;
export type Command = readonly [string, ...string[]];
export type Root = "pocl6" | "sid";

/** What a row is asked to run. */
export interface RowAsked {
  readonly effort: Effort;
  /** For an answer. */
  readonly timeoutMs: number;
  /** What the probe of the device in an earlier process showed. */
  readonly probed?: ProbeReport | undefined;
}

/** A device in another process, and the version of what runs it. */
export interface Started {
  readonly runner: RemoteRunner;
  readonly version: string | undefined;
}
export type Start = (asked: RowAsked) => Promise<Found<Started>>;

/** The command of an engine, what its environment must say, and its version. */
export interface Engine {
  readonly command: Command;
  readonly env?: Environment;
  /** Where the driver does not say it. */
  readonly version?: string;
}

type Program = "dawn" | "opencl" | "cuda" | "c" | "web" | "web-page" | "wasm" | "wasm-page";
const built = (program: Program): string =>
  fileURLToPath(new URL(`../../dist/matrix/programs/${program}.js`, import.meta.url));

/** A program in an engine. */
export const inEngine =
  (program: Program, find: () => Promise<Found<Engine>>): Start =>
  async ({ effort, timeoutMs, probed }) => {
    const engine = await find();
    if (!engine.found) return engine;
    const { command, env, version } = engine.value;
    // Node finds the packages of the checkout; other engines have rules of their own.
    const file = command.includes(process.execPath) ? built(program) : await bundled(built(program));
    const kept = probed && { GROUPWISE_PROBED: JSON.stringify(probed) };
    // Each process begins without what drivers kept.
    const how = { name: program, command, file, env: { ...coldCaches(), ...kept, ...env }, timeoutMs };
    return found({ runner: remoteRunner(how, effort, true), version });
  };

/** A command of this system, or in a root. */
export function commandIn(root: Root | undefined, program: string): Found<Command> {
  const prefix = root === undefined ? undefined : inRoot(root);
  if (prefix?.found === false) return prefix;
  return found(prefix ? [...prefix.value, program] : [program]);
}

export const node = (root?: Root): Found<Command> => commandIn(root, process.execPath);

/** A page of a browser. */
export const inBrowser =
  (
    browser: "chromium" | "firefox",
    executable: () => Found<string | undefined> = () => found(undefined),
    program: Program = "web-page",
  ): Start =>
  async ({ effort, timeoutMs, probed }) => {
    const file = executable();
    if (!file.found) return file;
    const page = await pageRunner(
      {
        ...{ browser, timeoutMs, probed },
        ...(file.value !== undefined && { executable: file.value }),
        program: built(program),
      },
      effort,
      true,
    );
    return page.found ? found({ runner: page.value, version: page.value.version }) : page;
  };

/** A file that runs a program of a root. */
export function programInRoot(root: Root, program: string, env: Environment): Found<string> {
  const prefix = inRoot(root);
  if (!prefix.found) return prefix;
  const file = join(scratchDirectory(), "program.sh");
  const settings = Object.entries({ ...coldCaches(), ...env }).flatMap(([name, value]) => [
    "--setenv",
    name,
    value,
  ]);
  const words = [...prefix.value, ...settings, program].map((word) => `'${word}'`);
  writeFileSync(file, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
  return found(file);
}
