/** A CMake package for the function of a pipeline. */
import type { Manifest } from "@groupwise/core";
import { Text } from "@groupwise/core/kernel";
import { printFirst } from "./header.ts";
import { fileOf } from "./names.ts";

/** The text of `gw_<name>Config.cmake`, for `find_package` and `include`. */
export function printPackage(manifest: Manifest, command: string): string {
  const file = fileOf(manifest);
  const source = `"\${CMAKE_CURRENT_LIST_DIR}/${file}.cu"`;
  const text = new Text();
  printFirst(text, manifest, "a CMake package", command, "#");
  text.line("# find_package finds it if PATHS or CMAKE_PREFIX_PATH names its folder; then link the library");
  text.line(
    `# groupwise::${manifest.pipeline} and include ${file}.hpp. The language is CUDA, or HIP with GROUPWISE_HIP set.`,
  );
  text.line(`if(NOT TARGET ${file})`);
  text.indent(() => {
    text.line("if(GROUPWISE_HIP)");
    text.indent(() => {
      text.line("enable_language(HIP)");
      text.line(`set_source_files_properties(${source} PROPERTIES LANGUAGE HIP)`);
    });
    text.line("else()");
    text.indent(() => {
      text.line("enable_language(CUDA)");
      text.line("find_package(CUDAToolkit REQUIRED)");
    });
    text.line("endif()");
    text.line(`add_library(${file} STATIC ${source})`);
    text.line(`add_library(groupwise::${manifest.pipeline} ALIAS ${file})`);
    text.line(`target_include_directories(${file} PUBLIC "\${CMAKE_CURRENT_LIST_DIR}")`);
    text.line(`target_compile_features(${file} PUBLIC cxx_std_17)`);
    text.line(`set_target_properties(${file} PROPERTIES POSITION_INDEPENDENT_CODE ON)`);
    text.line("if(GROUPWISE_HIP)");
    text.indent(() => {
      text.line("find_package(hip REQUIRED)");
      text.line(`target_link_libraries(${file} PUBLIC hip::host)`);
    });
    text.line("else()");
    text.indent(() => {
      text.line(`set_target_properties(${file} PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)`);
      text.line(`target_link_libraries(${file} PUBLIC CUDA::cudart)`);
    });
    text.line("endif()");
  });
  text.line("endif()");
  return text.toString();
}
