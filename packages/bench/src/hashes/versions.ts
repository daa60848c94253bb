/** Versions of what computes the results. */
import { findOpenCl, runProcess } from "@groupwise/testkit/devices";
import { z } from "zod";
import { COMMAND } from "./command-line.ts";

const COMMANDS: Readonly<Record<string, readonly [command: string, pattern: RegExp]>> = {
  "C compiler of Open MPI": ["mpicc.openmpi", /^.*$/m],
  "C compiler of MPICH": ["mpicc.mpich", /^.*$/m],
  "Open MPI": ["mpirun.openmpi", /^.*$/m],
  MPICH: ["mpirun.mpich", /Version:\s*(\S+)/],
};

const DOCTOR = z.object({
  devices: z.array(
    z.object({
      target: z.string(),
      name: z.string(),
      driver: z.string(),
      facts: z.object({ engine: z.string(), adapter: z.string(), version: z.string() }).partial(),
    }),
  ),
});

/** The devices of runs, from the JSON that `groupwise doctor` prints. */
export function deviceVersions(json: unknown): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const { target, name, driver, facts } of DOCTOR.parse(json).devices) {
    if (target === "js") all.JavaScript = [driver, facts.engine].join(", ");
    if (name.includes("llvmpipe")) all.lavapipe = facts.adapter ?? driver;
    if (driver.startsWith("Portable Computing Language"))
      all.PoCL = [driver, name, facts.version].filter(Boolean).join(", ");
  }
  return all;
}

/** By name; without those that this machine does not have. */
export async function versions(): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = {};
  for (const [name, [command, pattern]] of Object.entries(COMMANDS)) {
    const result = await runProcess(command, ["--version"]).catch(() => undefined);
    const match = result?.code === 0 ? pattern.exec(result.stdout) : null;
    if (match) all[name] = match[1] ?? match[0];
  }
  const pocl = findOpenCl("pocl");
  const env = pocl.found ? pocl.value.env : {};
  const doctor = await runProcess(process.execPath, [COMMAND, "doctor", "--json"], { env });
  return { ...all, ...deviceVersions(JSON.parse(doctor.stdout)) };
}
