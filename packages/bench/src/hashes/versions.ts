/** Versions of what computes the results. */
import { runProcess } from "@groupwise/testkit/devices";

const COMMANDS: Readonly<Record<string, readonly [command: string, pattern: RegExp]>> = {
  "C compiler": ["mpicc.openmpi", /^.*$/m],
  "Open MPI": ["mpirun.openmpi", /^.*$/m],
  MPICH: ["mpirun.mpich", /Version:\s*(\S+)/],
};

/** By name; without those that this machine does not have. */
export async function versions(): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = {};
  for (const [name, [command, pattern]] of Object.entries(COMMANDS)) {
    const result = await runProcess(command, ["--version"]).catch(() => undefined);
    const match = result?.code === 0 ? pattern.exec(result.stdout) : null;
    if (match) all[name] = match[1] ?? match[0];
  }
  return all;
}
