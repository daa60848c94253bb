/**
 * Collectives of work-groups that are lines along the first dimension of a range of several, such as rows of an array. A work-item has a vector of
 * neighbours, and a group of work-items as many lines as it has room for: each takes a block of lanes, of the power of two that the longest one needs.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { formOf, isMonoid, isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { CollectiveNode, NodeId } from "@groupwise/ir/document/node.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  eq,
  lt,
  mul,
  select,
  sub,
  unary,
  zeroOf,
} from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { RowWidth } from "@groupwise/kernel/language/stmt.js";
import type { Group } from "../geometry/index.ts";
import { type Blocks, foldBlocks } from "../lanes/blocks.ts";
import { isHeavy } from "../lanes/heavy.ts";
import { componentsOf, operandsAt, placesOf, productOf } from "../parts/components.ts";
import { type Monoid, variables } from "../parts/monoid.ts";
import { siteOf } from "../parts/site.ts";
import { SiteValues } from "../parts/values.ts";
import { type GroupContext, makeKernel, toExpr } from "./context.ts";
import { roundsAt } from "./group-kernel.ts";
import { exclusiveAt } from "./levels.ts";
import { rowOf, rowWidth, type Sinks, sinksOf, writeItem, writeRow } from "./row.ts";
import { prefixesOfFew, totalOfFew } from "./tile.ts";

/** Lines of a pipeline, and how work-groups of a kernel take them. */
interface Lines {
  /** Items of a line, at most. */
  readonly length: number;
  /** Items of a work-item. */
  readonly width: RowWidth;
  readonly rounds: readonly (readonly CollectiveNode[])[];
  readonly sinks: Sinks;
  /** The lanes of the longest line are 2^most. */
  readonly most: number;
}

/** Two kernels, one of which runs: for lines of whole vectors, and for others. Undefined if work-groups have another shape. */
export function lineKernels(context: GroupContext, stage: number): Kernel[] | undefined {
  const lines = linesOf(context, stage);
  if (!lines) return undefined;
  const rest = formula(
    "sub",
    "size_x",
    formula("mul", formula("floor-div", "size_x", lines.width), lines.width),
  );
  const isOdd = formula("min", rest, 1);
  return [
    lineKernel(context, lines, { hint: "lines", runs: formula("sub", 1, isOdd), isWhole: true }),
    {
      ...lineKernel(context, lines, { hint: "lines_of_any", runs: isOdd, isWhole: false }),
      isIndependent: true,
    },
  ];
}

function linesOf(context: GroupContext, stage: number): Lines | undefined {
  const { checked, geometry, tiling, plan, storage, carrying } = context;
  const [length = 1, ...others] = checked.pipeline.workGroupSize;
  const width = rowWidth(storage);
  const most = Math.ceil(Math.log2(length / width));
  if (geometry.dimensions === 1 || others.some((side) => side !== 1) || carrying) return undefined;
  if (length % width !== 0 || 2 ** most > tiling.workGroupSize) return undefined;
  const rounds = roundsAt(context, stage);
  const nodes = rounds.flat();
  const isPerLine = ({ id }: CollectiveNode): boolean => checked.uniformities[id] !== "item";
  if (
    nodes.length === 0 ||
    nodes.some((node) => isPick(node) || (isPerLine(node) && plan.stored.has(node.id)))
  )
    return undefined;
  const perItem = nodes.filter((node) => !isPerLine(node)).map(({ id }) => id);
  return { length, width, most, rounds, sinks: sinksOf(context, stage, perItem) };
}

/** The items of a block of lanes: the least power of two of at least `width` that holds the longest line. */
function pitchOf({ length, width }: Lines): Formula {
  let pitch: Formula = width;
  for (let items: number = width; items < length; items *= 2) {
    const isLonger = formula("min", 1, formula("sub", formula("max", "size_x", items), items));
    pitch = formula("add", pitch, formula("mul", items, isLonger));
  }
  return pitch;
}

interface Form {
  readonly hint: string;
  /** 1 if the kernel runs, else 0. */
  readonly runs: Formula;
  /** Whether lines consist of whole vectors. */
  readonly isWhole: boolean;
}

/** The vector of a work-item in its line. */
interface Own {
  readonly line: Group;
  /** The first item's place in the line. */
  readonly column: Expr;
  /** Its number. */
  readonly first: Expr;
  /** Whether the line exists. */
  readonly exists: Expr;
  readonly blocks: Blocks;
}

function lineKernel(context: GroupContext, lines: Lines, { hint, runs, isWhole }: Form): Kernel {
  const { geometry, tiling } = context;
  const { length, width, most, rounds, sinks } = lines;
  const { workGroupSize } = tiling;
  const items = workGroupSize * width;
  const groups = formula(
    "mul",
    runs,
    formula("ceil-div", formula("mul", geometry.groups, pitchOf(lines)), items),
  );
  const doc = [
    `Lines of at most ${length} items, ${width} to a work-item${isWhole ? `, as one vec${width}` : ""}, and several lines to a work-group.`,
  ];
  return makeKernel(
    context,
    { hint, doc, workGroupSize, groups, isGuarded: true },
    ({ code, lanes, group }) => {
      const extent = code.let("extent", binary("min", geometry.variable("size_x"), length));
      const bits = sub(32, unary("clz", sub(extent, 1)));
      const shift = binary("max", bits, Math.log2(width));
      const folded = code.let("rounds", binary("min", sub(shift, Math.log2(width)), most));
      const perGroup = binary("shr", workGroupSize, folded);
      const number = code.let("line", add(mul(group, perGroup), binary("shr", lanes.lane, folded)));
      const lane = code.let("own_lane", and(lanes.lane, sub(binary("shl", 1, folded), 1)));
      const all = code.let("lines", toExpr(context, geometry.groups));
      const line = geometry.group(code, code.let("near_line", binary("min", number, sub(all, 1))));
      const monoids = rounds.map((round) =>
        productOf(componentsOf(round.filter(isMonoid), context.checked.pipeline.operators)),
      );
      // A round that may be in memory has a barrier, and compilers that split kernels at barriers copy what follows one that may be left out.
      const unrolled =
        lanes.near?.kind === "const" &&
        !monoids.some((monoid) => isHeavy(monoid, context.capabilities.scalars));
      const column = code.let("column", mul(lane, width));
      const own: Own = {
        line,
        column,
        first: code.let("first", add(line.first.index, column)),
        exists: code.let("exists", lt(number, all)),
        blocks: { lanes, lane, rounds: folded, most, unrolled },
      };
      const vectors = isWhole
        ? wholeVector(context, code, lines, own)
        : singleItems(context, code, lines, own);
      const known = new Map<NodeId, readonly Expr[]>();
      for (const [i, round] of rounds.entries())
        for (const [id, values] of combine(context, code, {
          lines,
          own,
          vectors,
          round,
          known,
          monoid: monoids[i] as Monoid,
        }))
          known.set(id, values);
      vectors.write(code, known);
      if (sinks.groups.length === 0) return;
      code.if(and(own.exists, eq(lane, 0)), (one) => {
        const values = new SiteValues(siteOf(context, line.first));
        for (const [id, [first]] of known) values.set(id, first as Expr);
        for (const sink of sinks.groups) context.storage.write(sink, values, one);
      });
    },
  );
}

type Known = ReadonlyMap<NodeId, readonly Expr[]>;

/** The items of a work-item. */
interface Vectors {
  /** Calls `use` for each item that exists with its values. @param roots the nodes whose values it needs */
  read(
    code: Code,
    roots: readonly NodeId[],
    known: Known,
    use: (code: Code, values: SiteValues, j: number) => void,
  ): void;
  write(code: Code, known: Known): void;
}

const setAll = (values: SiteValues, known: Known, j: number): void => {
  for (const [id, each] of known) values.set(id, each[j] as Expr);
};

/** All items exist, or none does. */
function wholeVector(context: GroupContext, code: Code, { width, sinks }: Lines, own: Own): Vectors {
  const { line, column, first } = own;
  const row = code.let("row", binary("shr", first, Math.log2(width)));
  const isInside = code.let(
    "has_items",
    and(and(own.exists, lt(column, line.count)), lt(row, binary("shr", context.n, Math.log2(width)))),
  );
  const at = (
    inner: Code,
  ): { base: Expr; width: RowWidth; place(j: number): ReturnType<Group["place"]> } => ({
    base: inner.let("base", mul(row, width)),
    width,
    place: (j) => line.place(inner, add(column, j)),
  });
  return {
    read: (outer, roots, known, use) =>
      outer.if(isInside, (inner) => {
        const items = rowOf(context, inner, { ...at(inner), roots, known: new Set(known.keys()) });
        for (const [j, values] of items.entries()) {
          setAll(values, known, j);
          use(inner, values, j);
        }
      }),
    write: (outer, known) =>
      outer.if(isInside, (inner) =>
        writeRow(context, inner, {
          ...at(inner),
          sinks: { ...sinks, groups: [] },
          known: new Set(known.keys()),
          set: (values, j) => setAll(values, known, j),
        }),
      ),
  };
}

/** Some of the items exist. */
function singleItems(
  context: GroupContext,
  code: Code,
  { width, sinks }: Lines,
  { line, column, first, exists }: Own,
): Vectors {
  const found = Array.from({ length: width }, (_, j) => {
    const isIn = and(exists, lt(add(column, j), line.count));
    return code.let("has_item", and(isIn, lt(add(first, j), context.n)));
  });
  const each = (
    outer: Code,
    known: Known,
    use: (code: Code, values: SiteValues, j: number) => void,
  ): void => {
    for (const [j, isHere] of found.entries())
      outer.if(isHere, (inner) => {
        const values = new SiteValues(siteOf(context, line.place(inner, add(column, j))));
        setAll(values, known, j);
        use(inner, values, j);
      });
  };
  return {
    read: (outer, _, known, use) => each(outer, known, use),
    write: (outer, known) =>
      each(outer, known, (inner, values) =>
        writeItem(context, inner, values, { ...sinks, groups: [] }, true),
      ),
  };
}

/** The collectives of a round, which do not depend on one another. */
interface Combined {
  readonly lines: Lines;
  readonly own: Own;
  readonly vectors: Vectors;
  readonly round: readonly CollectiveNode[];
  readonly known: Known;
  readonly monoid: Monoid;
}

/** The results of the items of a work-item, by node. */
function combine(
  context: GroupContext,
  code: Code,
  { lines: { width }, own, vectors, round, known, monoid }: Combined,
): Map<NodeId, readonly Expr[]> {
  const components = componentsOf(round.filter(isMonoid), context.checked.pipeline.operators);
  const nothingYet = monoid.reassociable ? monoid.identity : monoid.types.map(zeroOf);
  const items = Array.from({ length: width }, () => variables(code, monoid, "item", nothingYet));
  const roots = components.flatMap(({ of }) => of);
  vectors.read(code, roots, known, (inner, values, j) =>
    inner.assignAll(
      items[j] as VarExpr[],
      components.flatMap((component) => operandsAt(component, values, inner)),
    ),
  );
  const scans = round.some(isScan) || !monoid.reassociable;
  const { total, pair } = totalOfFew(code, monoid, items);
  const folded = foldBlocks(code, own.blocks, monoid, total, scans);
  const before = folded.prefixes ? prefixesOfFew(code, monoid, folded.prefixes.exclusive, items, pair) : [];
  const after = folded.prefixes ? [...before.slice(1), folded.prefixes.inclusive] : [];
  const reduces = round.some((node) => !isScan(node));
  const whole = !reduces ? [] : monoid.reassociable ? folded.total : announceLast(code, own, after);
  return new Map(
    placesOf(components).map(({ node, at }) => {
      const form = formOf(node);
      const exclusive = (values: readonly Expr[], j: number): Expr =>
        j === 0 ? exclusiveAt(monoid, at, eq(own.blocks.lane, 0), values[at] as Expr) : (values[at] as Expr);
      const results = {
        reduce: () => Array.from({ length: width }, () => whole[at] as Expr),
        "scan-inclusive": () => after.map((values) => values[at] as Expr),
        "scan-exclusive": () => before.map(exclusive),
      }[form]();
      return [node.id, results] as const;
    }),
  );
}

/** The prefix up to the last item of the line, in all of its lanes. */
function announceLast(
  code: Code,
  { line, blocks: { lanes, lane, rounds } }: Own,
  after: readonly (readonly Expr[])[],
): Expr[] {
  const width = after.length;
  const last = code.let("last", sub(line.count, 1));
  const found = (after[0] as readonly Expr[]).map((_, i) =>
    after
      .map((values) => values[i] as Expr)
      .reduce((early, late, j) => select(lt(and(last, width - 1), j), early, late)),
  );
  const shared = found.map((v, i) => lanes.shared.take(v.type, i, lanes.size as number));
  const slot = binary("shr", lanes.lane, rounds);
  code.barrier();
  code.if(eq(lane, binary("shr", last, Math.log2(width))), (then) => then.storeAll(shared, slot, found));
  code.barrier();
  return shared.map((array) => code.let("announced", code.load(array, slot)));
}
