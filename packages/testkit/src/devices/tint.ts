/// <reference types="@webgpu/types" preserve="true" />
import { type Diagnostic, entryPoints, type FileReport, type ReportedFile } from "./verdicts/report.ts";
import { eachTextOnce, versionOf } from "./verdicts/verdicts.ts";

export interface WgslCheckOptions {
  /** Also make a compute pipeline of every entry point (slower: the driver compiles too). */
  readonly pipelines?: boolean;
}

/**
 * The reports of Tint on WGSL texts. Enable `shader-f16` and `subgroups` on the device for texts that use them
 * ({@link openDawn} does).
 */
export async function checkWithTint(
  device: GPUDevice,
  files: readonly ReportedFile[],
  options: WgslCheckOptions = {},
): Promise<FileReport[]> {
  const compiler = ["Tint", versionOf("webgpu"), [...device.features].sort()];
  // Messages of the driver are not Tint's.
  return options.pipelines
    ? readAll(device, files, options)
    : eachTextOnce(compiler, files, (fresh) => readAll(device, fresh, options));
}

async function readAll(
  device: GPUDevice,
  files: readonly ReportedFile[],
  options: WgslCheckOptions,
): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  for (const { name, code } of files) {
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code });
    const info = await module.getCompilationInfo();
    const diagnostics: Diagnostic[] = info.messages.map((message) => ({
      severity: message.type,
      line: message.lineNum,
      column: message.linePos,
      message: message.message,
    }));
    const failed = diagnostics.some(({ severity }) => severity === "error");
    if (options.pipelines && !failed) diagnostics.push(...(await pipelineErrors(device, module, code)));
    const scope = await device.popErrorScope();
    if (scope && !diagnostics.some(({ severity }) => severity === "error")) {
      diagnostics.push({ severity: "error", line: 0, column: 0, message: scope.message });
    }
    reports.push({ name, ok: diagnostics.length === 0, diagnostics });
  }
  return reports;
}

async function pipelineErrors(
  device: GPUDevice,
  module: GPUShaderModule,
  code: string,
): Promise<Diagnostic[]> {
  const errors: Diagnostic[] = [];
  for (const entryPoint of entryPoints(code)) {
    try {
      await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint } });
    } catch (error) {
      const message = `${entryPoint}: ${(error as Error).message}`;
      errors.push({ severity: "error", line: 0, column: 0, message });
    }
  }
  return errors;
}
