/** What stands for an operation that a device computes inexactly: changes of the capabilities. */
import type { Capabilities, Expansion, LookBack, Subgroups } from "../capabilities/capabilities.ts";

/**
 * An expansion; `exact-subnormals`: sums and products of f32 by functions; `emulated-…`: the type by other types (i64 with u64); `without-…`:
 * groupwise's own body of a function; others: kernels without what the device lacks.
 */
export type Remedy =
  | Expansion
  | Lowered
  | "exact-subnormals"
  | "emulated-f16"
  | "emulated-f64"
  | "emulated-i64"
  | `without-${string}`;
/** Scans in two passes instead of look-back; its slots read word by word; ranks by bits in work-group memory instead of counts and ballots. */
type Lowered = "two-passes" | "words-alone" | "rank-by-bits";
/** A type that a device may lack, so that its values can be computed by others. */
type Lacking = "f16" | "f64" | "i64";

interface RemedySpec {
  isOn(capabilities: Capabilities): boolean;
  on(capabilities: Capabilities): Capabilities;
  /** Absent for types, of which none is computed in two ways, and for kernels, which probes do not have. */
  off?(capabilities: Capabilities): Capabilities;
}

const SUBNORMALS: RemedySpec = {
  isOn: ({ subnormals }) => subnormals === "exact",
  on: (capabilities) => ({ ...capabilities, subnormals: "exact" }),
  off: (capabilities) => ({ ...capabilities, subnormals: "kept" }),
};

const LOWERED: Readonly<Record<Lowered, RemedySpec>> = {
  "two-passes": {
    isOn: ({ lookBack }) => "unsupported" in lookBack,
    on: (capabilities) => ({
      ...capabilities,
      lookBack: { unsupported: "a probe shows that the device's atomics are not exact" },
    }),
  },
  "words-alone": {
    isOn: ({ lookBack }) => "unsupported" in lookBack || !lookBack.slotRows,
    on: (capabilities) => {
      const { slotRows: _, ...lookBack } = capabilities.lookBack as LookBack;
      return { ...capabilities, lookBack };
    },
  },
  "rank-by-bits": {
    isOn: ({ subgroups }) => "unsupported" in subgroups || !subgroups.ranksByBallots,
    on: (capabilities) => {
      const { ranksByBallots: _, ...subgroups } = capabilities.subgroups as Subgroups;
      return { ...capabilities, subgroups };
    },
  },
};

/** An i64 that two words hold converts to no native f64. */
const TOGETHER: Readonly<Record<Lacking, readonly (keyof Capabilities["scalars"])[]>> = {
  f16: ["f16"],
  f64: ["f64"],
  i64: ["i64", "u64", "f64"],
};
const emulating = (type: Lacking): RemedySpec => ({
  isOn: ({ scalars }) => scalars[type] !== "native",
  on: (capabilities) => {
    const { scalars } = capabilities;
    const others = TOGETHER[type].filter((name) => scalars[name] === "native");
    const changed = Object.fromEntries(others.map((name) => [name, "emulated" as const]));
    return { ...capabilities, scalars: { ...scalars, ...changed } };
  },
});

const without = (name: string): RemedySpec => ({
  isOn: ({ own = [] }) => !own.includes(name),
  on: (capabilities) => ({ ...capabilities, own: (capabilities.own ?? []).filter((one) => one !== name) }),
  off: (capabilities) => ({ ...capabilities, own: [...(capabilities.own ?? []), name] }),
});

const expanding = (name: Expansion): RemedySpec => ({
  isOn: ({ expand }) => expand.includes(name),
  on: (capabilities) => ({ ...capabilities, expand: [...capabilities.expand, name] }),
  off: (capabilities) => ({ ...capabilities, expand: capabilities.expand.filter((one) => one !== name) }),
});

function specOf(remedy: Remedy): RemedySpec {
  if (remedy === "exact-subnormals") return SUBNORMALS;
  if (Object.hasOwn(LOWERED, remedy)) return LOWERED[remedy as Lowered];
  const [, kind, name = ""] = /^(emulated|without)-(.*)$/.exec(remedy) ?? [];
  if (kind === "emulated") return emulating(name as Lacking);
  return kind === "without" ? without(name) : expanding(remedy as Expansion);
}

/** Whether capabilities have a remedy. */
export const isOn = (remedy: Remedy, capabilities: Capabilities): boolean =>
  specOf(remedy).isOn(capabilities);
/** The capabilities with remedies. */
export const withRemedies = (capabilities: Capabilities, remedies: readonly Remedy[]): Capabilities =>
  remedies.reduce((known, remedy) => (isOn(remedy, known) ? known : specOf(remedy).on(known)), capabilities);
/** The capabilities without remedies, as far as these can be without them. */
export const withoutRemedies = (capabilities: Capabilities, remedies: readonly Remedy[]): Capabilities =>
  remedies.reduce(
    (known, remedy) => (isOn(remedy, known) ? (specOf(remedy).off?.(known) ?? known) : known),
    capabilities,
  );
