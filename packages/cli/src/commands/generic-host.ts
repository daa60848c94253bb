/** Hosts that read any manifest at run time: `emit --host` copies them beside the emitted files. */
import { readFileSync } from "node:fs";
import type { Artifact, SourceFile } from "@groupwise/core";
import type { HostWriter } from "@groupwise/core/target";
import { GENERIC_HOSTS, type TargetName } from "../base/target-names.ts";

/** The writer of a language's host for a target, if there is one. */
export function genericHost(target: TargetName, language: string): HostWriter | undefined {
  const host = Object.hasOwn(GENERIC_HOSTS, language) ? GENERIC_HOSTS[language] : undefined;
  if (!host?.targets.includes(target)) return undefined;
  const path = new URL(`../../hosts/${host.file}`, import.meta.url);
  return (artifact) => [
    { path: host.file, text: readFileSync(path, "utf8") },
    ...(language === "cpp" ? embedded(artifact) : []),
  ];
}

/** The sources and the manifest as strings of C++. */
function embedded({ manifest, files }: Artifact): readonly SourceFile[] {
  const { pipeline, generator } = manifest;
  const text = (isManifest: boolean): string =>
    literals(
      files
        .filter(({ path }) => path.endsWith(".json") === isManifest)
        .map((file) => file.text)
        .join(""),
    );
  const lines = [
    `// ${pipeline}: kernels and manifest as strings, for groupwise_host.hpp. Made by ${generator}; do not edit.`,
    "#pragma once",
    "#include <string_view>",
    "",
    `namespace gw_${pipeline.replaceAll("-", "_")} {`,
    `inline constexpr std::string_view source = ${text(false)};`,
    `inline constexpr std::string_view manifest = ${text(true)};`,
    "}",
    "",
  ];
  return [{ path: `${pipeline}.cl.hpp`, text: lines.join("\n") }];
}

/** Characters of a literal: MSVC takes at most 16 kB, and joins several. */
const LONGEST = 8000;

function literals(text: string): string {
  let end = "gw";
  while (text.includes(`)${end}"`)) end += "_";
  const pieces = text.match(new RegExp(`[^]{1,${LONGEST}}`, "g")) ?? [""];
  return pieces.map((piece) => `\nR"${end}(${piece})${end}"`).join("");
}
