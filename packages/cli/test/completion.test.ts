/** What shells complete. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SHELLS } from "../src/completion/shells.ts";
import { AXPY_JSON, cli, folder, LINES_TS } from "./support.ts";

const EMPTY = ["x.npy", "tuned.json", "notes.md", "model.onnx", ".hidden.ts"];
const cwd = folder({
  ...{ "sums.ts": LINES_TS, "axpy.json": AXPY_JSON },
  ...Object.fromEntries(EMPTY.map((name) => [name, ""])),
});
mkdirSync(join(cwd, "src"));
writeFileSync(join(cwd, "src", "deep.mjs"), "");

/** The words that may stand in place of the last one, and what the shell does with them. */
async function asked(...words: string[]): Promise<{ values: string[]; about: string[]; directive: string }> {
  const { code, out, err } = await cli(cwd, "complete", "--", ...words);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const lines = out.trimEnd().split("\n");
  const directive = lines.pop() ?? "";
  const [values, about] = [0, 1].map((i) => lines.map((line) => line.split("\t")[i] ?? ""));
  return { values: values ?? [], about: about ?? [], directive };
}

test.each([
  ["e", "emit explain export"],
  ["emit --wa", "--watch"],
  ["--v", "--version"],
  ["emit ", "axpy.json src/ sums.ts tuned.json"],
  ["emit src/", "src/deep.mjs"],
  ["emit .", ".hidden.ts"],
  ["import m", "model.onnx"],
  ["emit sums.ts ", ""],
  ["emit --target js su", "sums.ts"],
  ["emit sums.ts --target w", "wgsl wasm"],
  ["emit -t wgsl,", "wgsl,opencl wgsl,cuda wgsl,js wgsl,wasm wgsl,gpujs wgsl,c wgsl,all"],
  ["header -t ", "opencl wgsl"],
  ["header --target wgsl --functions all,reduce-add-f3", "all,reduce-add-f32"],
  ["emit --host ", "c cpp python rust"],
  ["run sums.ts -i text=x", "text=x.npy"],
  ["run axpy.json -i ", "x= y= src/ x.npy"],
  ["run axpy.json -p ", "a="],
  ["run -i ", "src/ x.npy"],
  ["tune --types u32,f", "u32,f16 u32,f32 u32,f64"],
  ["emit sums.ts --tuning t", "tuned.json"],
  ["completion b", "bash"],
  ["nothing ", ""],
  ["emit none/", ""],
])("%j is completed as %j", async (words, expected) => {
  expect((await asked(...words.split(" "))).values.join(" ")).toBe(expected);
});

test("devices are completed by number, and described by name", async () => {
  const { values, about } = await asked("run", "sums.ts", "--target", "js", "--device", "");
  expect(values).toEqual(["0", "all"]);
  expect(about[0]).toBe("js: JavaScript");
});

test("no space is added after a folder", async () => {
  expect((await asked("emit", "s")).directive).toBe(":6");
  expect((await asked("emit", "su")).directive).toBe(":4");
});

test("an unknown shell is a usage error that lists the known ones", async () => {
  const ran = await cli(cwd, "completion", "bsh", "--json");
  expect(ran.code).toBe(2);
  expect(ran.json().error).toMatchObject({
    code: "bad-usage",
    hint: expect.stringContaining("did you mean bash?"),
  });
});

test.each(SHELLS)("the script of %s calls this command", async (shell) => {
  const { code, out } = await cli(cwd, "completion", shell);
  expect(code).toBe(0);
  expect(out).toContain("groupwise");
});

const hasBash = (() => {
  try {
    return execFileSync("bash", ["-c", "echo yes"], { encoding: "utf8" }) === "yes\n";
  } catch {
    return false;
  }
})();

// What the package bash-completion gives the script, for a line without quotes.
const WORDS_OF_LINE = `_get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; prev=\${words[cword-1]}; }`;

test("bash completes a line with the script, which can be sourced twice", async (context) => {
  if (!hasBash) context.skip("bash is not installed");
  const { out: script } = await cli(cwd, "completion", "bash");
  const answer = (await cli(cwd, "complete", "--", "emit", "--target", "o")).out;
  const line = `${WORDS_OF_LINE}
${script}
${script}
groupwise() { [ "$*" = "complete -- emit --target o" ] && printf '%s' "$ANSWER"; }
compopt() { :; }
COMP_WORDS=(groupwise emit --target o) COMP_CWORD=3
__groupwise_complete
printf '%s,' "\${COMPREPLY[@]}"
[[ $COMP_WORDBREAKS == *=* ]] || echo "no ="`;
  const printed = execFileSync("bash", ["-c", line], {
    encoding: "utf8",
    env: { ...process.env, ANSWER: answer },
  });
  // The second script assigns nothing that the first has made readonly: bash would say so and go on.
  expect(script).not.toContain("readonly");
  expect(printed).toBe("opencl,no =\n");
});
