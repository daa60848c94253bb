/** The arguments of the function of a pipeline, in the order of CUB: workspace, arrays, parameters, the range, the stream. */
import type { Binding, Manifest } from "@groupwise/core";
import { countOf, sidesOf } from "@groupwise/core/target";
import { arrayOf, elementType, type HostArgument, hostType, isGiven, isStatus, paramsOf } from "./names.ts";

function aboutOf({ role, elements, inPlace, lengthFrom, hidden, type }: Binding): string {
  const notes = [
    `${hidden ? "output, the number of valid elements" : role}, ${countOf(elements, "element")}`,
  ];
  if (type === "f16") notes.push("the 16 bits of halves");
  if (type === "bf16") notes.push("the 16 bits of bfloat16");
  if (inPlace !== undefined) notes.push(`which hold ${inPlace} before the call`);
  if (lengthFrom !== undefined) notes.push(`of which ${lengthFrom} is the number of valid elements`);
  return notes.join(", ");
}

function arrayArguments(binding: Binding): readonly HostArgument[] {
  const isRead = binding.role === "input" || binding.role === "table";
  const type = `${isRead ? "const " : ""}${elementType(binding)}*`;
  const array = {
    type,
    name: arrayOf(binding),
    about: binding.role === "table" ? "table" : aboutOf(binding),
  };
  if (binding.role !== "table") return [array];
  return [array, { type: "size_t", name: `length_${binding.name}`, about: "its number of elements" }];
}

/** All arguments. */
export function argumentsOf(manifest: Manifest): readonly HostArgument[] {
  const { bindings, params } = manifest;
  const status = bindings.some(isStatus);
  const given = (name: string, type: string, about: string): HostArgument => ({ name, type, about });
  return [
    given("workspace", "void*", "device memory; nullptr: only its size is returned"),
    given("workspace_bytes", "size_t&", "its size"),
    ...bindings.filter(isGiven).flatMap(arrayArguments),
    ...paramsOf(manifest).map(({ name, type }) =>
      given(name, hostType(type), `parameter${type === "f16" ? ", the 16 bits of a half" : ""}`),
    ),
    ...sidesOf(manifest).map((side) =>
      given(side, "size_t", side === "n" ? "number of items" : "items in the dimension"),
    ),
    ...params
      .filter(({ role }) => role === "offset")
      .map(({ name }) => given(`param_${name}`, "uint32_t", "the first global id in the dimension")),
    ...(status
      ? [
          given(
            "outside",
            "uint32_t*",
            "words in device memory, not 0 if an item wrote outside an output; or nullptr",
          ),
        ]
      : []),
    given("stream", "gw_stream", "where everything is enqueued"),
  ];
}
