/** A CMake package for an emitted file. */
import type { Manifest } from "@groupwise/core";
import { commentText, Text } from "@groupwise/core/kernel";
import { fileOf } from "../../print/names.ts";

/** The text of `gw_<name>Config.cmake`, for `find_package` and `include`. */
export function printPackage(manifest: Manifest, command: string): string {
  const file = fileOf(manifest.pipeline);
  const { sources = `${file}.c`, parallelHeader } = manifest.flags;
  const paths = String(sources)
    .split(";")
    .map((path) => `"\${CMAKE_CURRENT_LIST_DIR}/${path}"`);
  const headers = [`${file}.h`, ...(parallelHeader === undefined ? [] : [parallelHeader])];
  const text = new Text();
  text.line(
    `# ${manifest.pipeline}: a CMake package. Made by ${manifest.generator}; do not edit; regenerate it with`,
  );
  text.line(`#   ${commentText(command)}`);
  text.line("# find_package finds it if PATHS or CMAKE_PREFIX_PATH names its folder; then link the library");
  text.line(`# groupwise::${manifest.pipeline} and include ${headers.join(" or ")}.`);
  text.line(`if(NOT TARGET ${file})`);
  text.indent(() => {
    if (paths.length === 1) text.line(`add_library(${file} STATIC ${paths[0]})`);
    else {
      text.line(`add_library(${file} STATIC`);
      text.indent(() => {
        for (const path of paths) text.line(`${path}${path === paths.at(-1) ? ")" : ""}`);
      });
    }
    text.line(`add_library(groupwise::${manifest.pipeline} ALIAS ${file})`);
    text.line(`target_include_directories(${file} PUBLIC "\${CMAKE_CURRENT_LIST_DIR}")`);
    text.line(`set_target_properties(${file} PROPERTIES`);
    text.line("  C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)");
    text.line('if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")');
    text.line(`  target_compile_options(${file} PRIVATE -ffp-contract=off)`);
    text.line("endif()");
    if (parallelHeader !== undefined) printOpenMp(text, file);
  });
  text.line("endif()");
  return text.toString();
}

function printOpenMp(text: Text, file: string): void {
  text.line("# Without OpenMP, functions run on one thread.");
  text.line("find_package(OpenMP COMPONENTS C)");
  text.line("if(OpenMP_C_FOUND)");
  text.line(`  target_link_libraries(${file} PRIVATE OpenMP::OpenMP_C)`);
  text.line("endif()");
}
