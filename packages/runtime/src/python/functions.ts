/** What users of a module see: its results, and the function that runs the pipeline, with hints and docstrings. */
import { countOf } from "@groupwise/ir/base/formula.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { inputsOf, tablesOf } from "../checks/host.ts";
import { userParams } from "../checks/user-values.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { argumentInPython, nameInPython } from "./names.ts";
import { DTYPES, literal, shapeOf } from "./tables.ts";

/** A keyword argument of `run`. */
export interface PythonOption {
  readonly name: string;
  readonly hint: string;
  /** The default; absent if the argument must be given. */
  readonly initial?: string;
  readonly about: string;
}

interface Argument extends PythonOption {
  /** The name in the pipeline. */
  readonly of: string;
  /** True for arrays. */
  readonly isArray: boolean;
  /** The type of an array. */
  readonly type: ArrayType;
}

/** The range of a run, as far as inputs do not give it. */
function rangeArguments(manifest: Manifest): readonly PythonOption[] {
  const { length: sides } = manifest.workGroupSize;
  const isOpen = inputsOf(manifest).length === 0;
  const hint = sides === 1 ? "int" : `Tuple[${Array.from({ length: sides }, () => "int").join(", ")}]`;
  const each = sides === 1 ? "" : " of each dimension, dimension 0 first";
  const size = { name: "size", about: `number of items${each}` };
  const offset = { name: "offset", about: `first global id${each}; by default 0` };
  return [
    ...(isOpen ? [{ ...size, hint }] : []),
    ...(!isOpen && sides > 1
      ? [
          {
            ...size,
            hint: `Optional[${hint}]`,
            initial: "None",
            about: `${size.about}; by default those of the inputs`,
          },
        ]
      : []),
    ...(manifest.params.some(({ role }) => role === "offset")
      ? [{ ...offset, hint: `Optional[${hint}]`, initial: "None" }]
      : []),
  ];
}

const HINTS: Readonly<Record<Scalar, string>> = {
  ...{ i32: "int", u32: "int", i64: "int", u64: "int" },
  ...{ f16: "float", f32: "float", f64: "float", bool: "bool" },
};

const aboutType = (type: ArrayType): string =>
  type === "bf16" ? "the bits of bfloat16 as uint16, or bfloat16" : DTYPES[type];

/** The arguments for values, in the order of the manifest: arrays, then parameters. */
function valueArguments(manifest: Manifest): readonly Argument[] {
  const given = (name: string): { readonly of: string; readonly name: string } => ({
    of: name,
    name: argumentInPython(name),
  });
  const array = (name: string, { type, role }: Binding): Argument => ({
    ...given(name),
    ...{ isArray: true, type, hint: "" },
    about: `${aboutType(type)}, ${role === "table" ? "of any length" : "an element for each item"}`,
  });
  return [
    ...inputsOf(manifest).map(({ name, binding }) => array(name, binding)),
    ...tablesOf(manifest).map((binding) => array(binding.name, binding)),
    ...userParams(manifest).map(({ name, type }) => ({
      ...given(name),
      ...{ isArray: false, type, hint: HINTS[type], about: DTYPES[type] },
    })),
  ];
}

/** A field of the results: its variable for types, and its type in NumPy. */
interface Field {
  readonly name: string;
  readonly variable: string;
  readonly numpy: string;
  readonly about: string;
}

function fieldOf(binding: Binding): Field {
  const { name, type, elements, lengthFrom } = binding;
  const shape = shapeOf(binding);
  const dtype = `np.${DTYPES[type] === "bool" ? "bool_" : DTYPES[type]}`;
  const isScalar = shape === "scalar";
  const count =
    lengthFrom === undefined ? countOf(elements, "element") : `at most ${countOf(elements, "element")}`;
  return {
    name: nameInPython(name),
    variable: `_${type.toUpperCase()}${isScalar ? "" : "s"}`,
    numpy: isScalar ? dtype : `NDArray[${dtype}]`,
    about: `${aboutType(type)}, ${isScalar ? "one value" : shape === "items" ? "an element for each item" : count}`,
  };
}

const fieldsOf = ({ bindings }: Manifest): readonly Field[] =>
  bindings.filter(({ role, hidden }) => role === "output" && !hidden).map(fieldOf);

/** The variables of types, each once. */
const variablesOf = (manifest: Manifest): ReadonlyMap<string, string> =>
  new Map(fieldsOf(manifest).map(({ variable, numpy }) => [variable, numpy]));

/** The class of the results. Its fields have the types of the library of the inputs. */
export function resultsLines(manifest: Manifest): readonly string[] {
  const variables = [...variablesOf(manifest).keys()];
  const fields = fieldsOf(manifest).flatMap(({ name, variable, about }) => [
    `    ${name}: ${variable}`,
    `    """${about}"""`,
  ]);
  return [
    ...variables.map((name) => `${name} = TypeVar("${name}")`),
    "",
    "",
    "@dataclass(frozen=True, eq=False)",
    variables.length > 0 ? `class Results(Generic[${variables.join(", ")}]):` : "class Results:",
    '    """The outputs of a run."""',
    ...(fields.length > 0 ? ["", ...fields] : []),
  ];
}

const argument = ({ name, hint, initial }: PythonOption, as: string = hint): string =>
  `${name}: ${as}${initial === undefined ? "" : ` = ${initial}`}`;

/** The arguments of a call of `run`, those without a default: each from a variable of its name. */
export function callOf(manifest: Manifest, options: readonly PythonOption[]): string {
  const all = [...valueArguments(manifest), ...rangeArguments(manifest), ...options];
  return all.flatMap(({ name, initial }) => (initial === undefined ? [`${name}=${name}`] : [])).join(", ");
}

/** The head of `run`, an argument a line if it is long. */
function signature(list: readonly string[], result: string, end: string): string {
  const line = `def run(${list.join(", ")}) -> ${result}:${end}`;
  if (line.length <= WIDTH) return line;
  return ["def run(", ...list.map((one) => `    ${one},`), `) -> ${result}:${end}`].join("\n");
}
const WIDTH = 110;

/** `run`, with a type for each kind of arrays. @param options of the backend */
export function runLines(manifest: Manifest, options: readonly PythonOption[]): readonly string[] {
  const range = rangeArguments(manifest);
  const keywords = [...range, ...options];
  const values = valueArguments(manifest);
  const arrays = values.filter(({ isArray }) => isArray);
  const others = values.filter(({ isArray }) => !isArray);
  const head = (hintOf: (array: Argument) => string, result: string, end: string): string => {
    const named = [...others, ...keywords].map((one) => argument(one));
    const list = [
      ...arrays.map((one) => argument(one, hintOf(one))),
      ...(named.length > 0 ? ["*", ...named] : []),
    ];
    return signature(list, result, end);
  };
  const variables = variablesOf(manifest);
  const results = (types: readonly string[]): string =>
    types.length > 0 ? `Results[${types.join(", ")}]` : "Results";
  const numpy = results([...variables.values()]);
  const overloads = [
    "@overload",
    head(
      ({ type }) => `Union[NDArray[np.${DTYPES[type] === "bool" ? "bool_" : DTYPES[type]}], _Buffer]`,
      numpy,
      " ...",
    ),
    "@overload",
    head(() => "_Given", results([...variables.keys()].map(() => "_Given")), " ..."),
  ];
  const dictOf = (some: readonly Argument[]): string =>
    `{${some.map(({ of, name }) => `${literal(of)}: ${name}`).join(", ")}}`;
  const orNone = (name: string): string => (range.some((one) => one.name === name) ? name : "None");
  const device = [`[${arrays.map(({ name }) => name).join(", ")}]`, ...options.map(({ name }) => name)].join(
    ", ",
  );
  return [
    ...(arrays.length > 0 ? overloads : []),
    head(() => "Any", arrays.length > 0 ? "Any" : numpy, ""),
    '    """Runs the pipeline.',
    ...aboutArguments([...values, ...keywords]),
    "",
    "    Raises:",
    "        GroupwiseError: an argument does not fit, or the run failed; its classes say which.",
    '    """',
    `    return _run(${dictOf(arrays)}, ${dictOf(others)}, ${orNone("size")}, ${orNone("offset")}, _Device(${device}))`,
  ];
}

const aboutArguments = (all: readonly PythonOption[]): readonly string[] =>
  all.length === 0 ? [] : ["", "    Args:", ...all.map(({ name, about }) => `        ${name}: ${about}`)];
