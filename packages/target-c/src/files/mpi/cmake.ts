/** The CMake project of emitted files for MPI. */
import type { Manifest } from "@groupwise/core";
import { commentText } from "@groupwise/core/kernel";
import { fileOf } from "../../print/names.ts";
import type { DeviceParts } from "../state/device.ts";

/** The text of `CMakeLists.txt`. @param sources C files, the program's last @param device the files of the device that runs long pieces */
export function printProject(manifest: Manifest, sources: readonly string[], device?: DeviceParts): string {
  const base = fileOf(manifest.pipeline);
  const own = sources.filter((path) => !path.endsWith("_main.c"));
  return `# ${manifest.pipeline}: a CMake project. Made by ${manifest.generator}; do not edit; regenerate it with
#   ${commentText(manifest.command)}
# The library groupwise::${manifest.pipeline} holds the functions of ${base}_mpi.h, and ${base}_mpi runs them on files.
cmake_minimum_required(VERSION 3.16)
project(${base} C)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(MPI REQUIRED COMPONENTS C)${device ? `\nfind_package(${device.cmakePackage} REQUIRED)` : ""}
add_library(${base} STATIC
  ${own.join("\n  ")})
add_library(groupwise::${manifest.pipeline} ALIAS ${base})
target_include_directories(${base} PUBLIC "\${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(${base} PUBLIC MPI::MPI_C)${device ? `\ntarget_link_libraries(${base} PRIVATE ${device.library})` : ""}
add_executable(${base}_mpi ${base}_mpi_main.c)
target_link_libraries(${base}_mpi PRIVATE ${base})
set_target_properties(${base} ${base}_mpi PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(${base} PRIVATE -ffp-contract=off)
endif()
`;
}
