import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Op, SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { BINARY, FUNCTION_ROWS, isOn, OPS, SCALARS, UNARY } from "@groupwise/core/target";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const read = (file: string): string => readFileSync(file, "utf8");
const probe = `${here}probe.ts`;
const TESTS = ["types", "run", "unshared"].map((name) => `${here}${name}.test-d.ts`);
const VALUES = SCALAR_NAMES.map((type) => `${type[0]?.toUpperCase()}${type.slice(1)}Value`);
const PROBE = `
import { operator, pipeline, f32, param, scalar, u32 } from "@groupwise/dsl";
import type { Runtime } from "@groupwise/core";
import type { ${VALUES.join(", ")} } from "@groupwise/dsl";
import type { OpFor } from "@groupwise/core/target";
${SCALAR_NAMES.map((type) => `declare const ${type}_ops: OpFor<"${type}">;`).join("\n")}
${SCALAR_NAMES.map((type, i) => `declare const ${type}_value: ${VALUES[i]};`).join("\n")}
const argmax = operator("argmax", { value: f32, index: u32 }, {
  combine: (left, right) => left,
  identity: { value: 0, index: 0 },
});
export const made = pipeline("made", { text: u32, x: f32, k: param(f32) }, ({ text, x, k }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  const total = x.mul(k).reduce("add");
  const place = index();
  const before = x.previous(0);
  const best = argmax.reduce({ value: x, index: place });
  const starts = place.scatter({ to: line });
  return { line, total, starts };
});
export const out = made;
declare const runtime: Runtime;
const executable = await runtime.compile(pipeline("sums", { x: f32, k: param(f32) }, ({ x, k }) => ({
  y: x.mul(k), total: scalar(x.reduce("add")),
})));
const results = await executable.run({ x: Float32Array.of(1), k: 2 });
const array = results.y;
const single = results.total;
`;

let service: ts.LanguageService;
let program: ts.Program;

/** Making a program of TypeScript takes seconds. In every run the type check of all tests has the type tests, and mapped types have the tables. */
const isFullRun = Boolean(process.env.GROUPWISE_FULL);

beforeAll(() => {
  if (!isFullRun) return;
  const config = ts.getParsedCommandLineOfConfigFile(
    `${here}../../../tsconfig.test.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (d) => {
        throw new Error(String(d.messageText));
      },
    },
  );
  const files = [...TESTS, probe];
  service = ts.createLanguageService({
    ...ts.sys,
    getCompilationSettings: () => ({ ...config?.options, incremental: false, noEmit: true }),
    getScriptFileNames: () => files,
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      if (file === probe) return ts.ScriptSnapshot.fromString(PROBE);
      return ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(read(file)) : undefined;
    },
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCurrentDirectory: () => here,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file === probe || ts.sys.fileExists(file),
  });
  program = service.getProgram() as ts.Program;
});

/** What an editor shows over the first occurrence of the text in the probe. */
function hover(text: string, offset = 0): string {
  const info = service.getQuickInfoAtPosition(probe, PROBE.indexOf(text) + offset);
  return ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, " ");
}

/** The names that an editor offers after `value.`. */
function completions(type: Scalar): string[] {
  const symbol = variable(`${type}_value`);
  return symbol.getProperties().map(({ name }) => name);
}

function variable(name: string): ts.Type {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(probe) as ts.SourceFile;
  const found = source.statements
    .flatMap((statement) => (ts.isVariableStatement(statement) ? statement.declarationList.declarations : []))
    .find((declaration) => declaration.name.getText() === name);
  return checker.getTypeAtLocation(found as ts.Node);
}

describe.skipIf(!isFullRun)("in the full run: types", () => {
  it("reject incorrect uses and allow others", () => {
    const wrong = [...TESTS, probe].flatMap((file) => [
      ...service.getSyntacticDiagnostics(file),
      ...service.getSemanticDiagnostics(file),
    ]);
    const lines = wrong.map((d) => {
      const line =
        d.file && d.start !== undefined ? d.file.getLineAndCharacterOfPosition(d.start).line + 1 : 0;
      return `${d.file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`;
    });
    expect(lines).toEqual([]);
  });

  const everywhere = [
    ..."type at perItem broadcast scatter reduce scanInclusive scanExclusive scanWithTotal".split(" "),
    ...["moving", "previous", "next", "window"],
  ];
  const casts = SCALAR_NAMES.map((type) => `to${type[0]?.toUpperCase()}${type.slice(1)}`);

  it.each(SCALAR_NAMES)("of %s have the methods of the tables, no more", (type) => {
    const { kind, bits } = SCALARS[type];
    const rows = { ...UNARY, ...BINARY, ...FUNCTION_ROWS };
    const operators = Object.entries(rows).flatMap(([op, row]) => (isOn(row, type) ? [op] : []));
    const votes = OPS["logical-and"].on.includes(kind) ? ["all", "any"] : [];
    const bitcast = SCALAR_NAMES.filter((other) => SCALARS[other].bits === bits).length > 1 ? ["bitsAs"] : [];
    const own = { bool: ["select"], u32: ["rank"] }[type as string] ?? [];
    const differences = kind === "bool" ? [] : ["diff"];
    const want = [...everywhere, ...differences, ...casts, ...operators, ...votes, ...bitcast, ...own];
    expect(completions(type).sort()).toEqual(want.sort());
  });

  it.each(SCALAR_NAMES)("of %s have the collective operators of the table", (type) => {
    const union = variable(`${type}_ops`) as ts.UnionType;
    const names = union.types.map((one) => (one as ts.StringLiteralType).value);
    const want = (Object.keys(OPS) as Op[]).filter((op) => OPS[op].on.includes(SCALARS[type].kind));
    expect(names.sort()).toEqual(want.sort());
  });

  it("are readable as hover texts", () => {
    expect(hover("isBreak =")).toBe("const isBreak: BoolValue");
    expect(hover("line =")).toBe("const line: U32Value");
    expect(hover("total =")).toBe("const total: F32Value");
    expect(hover("starts =")).toBe('const starts: Scatter<"u32">');
    expect(hover("best =")).toBe("const best: { readonly value: F32Value; readonly index: U32Value; }");
    expect(hover("(left, right)", 1)).toBe(
      "(parameter) left: { readonly value: F32Value; readonly index: U32Value; }",
    );
    expect(hover("text, x, k }, {")).toContain("text: U32Value");
    expect(hover("x.previous", 2)).toBe(
      '(method) Value<"f32">.previous(fill: number | F32Value, k?: number, options?: NeighbourOptions): F32Value',
    );
    expect(hover("x.mul", 2)).toBe('(method) Numeric<"f32">.mul(right: number | F32Value): F32Value');
    expect(hover("out =")).toBe(
      'const out: PipelineDefinition<{ text: ScalarType<"u32">; x: ScalarType<"f32">; k: ParamType<"f32">; }, ' +
        '{ line: U32Value; total: F32Value; starts: Scatter<"u32">; }>',
    );
    expect(hover("executable =")).toBe(
      'const executable: Executable<PipelineDefinition<{ x: ScalarType<"f32">; k: ParamType<"f32">; }, ' +
        '{ y: F32Value; total: ScalarOutput<"f32">; }>, never>',
    );
    expect(hover("executable.run", 11)).toContain(
      ".run(values: { readonly x: Float32Array<ArrayBufferLike>; readonly k: number; }, options?: RunOptions): " +
        "Promise<{ readonly y: Float32Array<ArrayBuffer>; readonly total: number; }>",
    );
    expect(hover("results =")).toBe(
      "const results: { readonly y: Float32Array<ArrayBuffer>; readonly total: number; }",
    );
    expect(hover("array =")).toBe("const array: Float32Array<ArrayBuffer>");
    expect(hover("single =")).toBe("const single: number");
  });
});
