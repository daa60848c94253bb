import { spawn } from "node:child_process";

/** What a process prints on stdout. Rejects with all that it printed if it fails. */
export function output(command, args, { cwd, env = {} }) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, all] = [[], []];
    child.stdout.on("data", (part) => stdout.push(part) && all.push(part));
    child.stderr.on("data", (part) => all.push(part));
    child.on("error", failed);
    child.on("close", (code) => {
      if (code === 0) done(Buffer.concat(stdout).toString());
      else failed(new Error(`${command} ${args.join(" ")} ended with ${code}\n${Buffer.concat(all)}`));
    });
  });
}
