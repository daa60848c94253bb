/**
 * Collectives of work-groups that are lines along the first dimension of a range of several, such as rows of an array. A work-item has a vector of
 * neighbours, and a group of work-items as many lines as it has room for: each takes a block of lanes, of the power of two that the longest one needs.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { formOf, isMonoid, isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { CollectiveNode, NodeId } from "@groupwise/ir/document/node.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  unary,
  zeroOf,
} from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { RowWidth } from "@groupwise/kernel/language/stmt.js";
import type { Group, Place } from "../geometry/index.ts";
import { foldBlocks, type LaneBlocks } from "../lanes/blocks.ts";
import { combiningOn, inEitherWayOfGroup, type Test } from "../lanes/either-way.ts";
import { isHeavy } from "../lanes/heavy.ts";
import { type Lanes, wordsAtOnce } from "../lanes/lanes.ts";
import { running } from "../loops/counter.ts";
import { memoryProblem } from "../memory.ts";
import { type Component, componentsOf, operandsAt, placesOf, productOf } from "../parts/components.ts";
import { type Carry, type Monoid, named, presentIf, product, variables } from "../parts/monoid.ts";
import { siteOf } from "../parts/site.ts";
import { SiteValues } from "../parts/values.ts";
import { fromWords, toWords, wordCount } from "../parts/words.ts";
import { type GroupContext, makeKernel, toExpr } from "./context.ts";
import { roundsAt } from "./group-kernel.ts";
import { exclusiveAt } from "./levels.ts";
import { rowOf, rowWidth, type Sinks, sinksOf, writeItem, writeRow } from "./row.ts";
import { prefixesOfFew, recordsOf, totalOfFew } from "./tile.ts";

/** Lines of a pipeline, and how work-groups of a kernel take them. */
interface Lines {
  /** Items of a line, at most. */
  readonly length: number;
  /** Items of a work-item. */
  readonly width: RowWidth;
  readonly rounds: readonly (readonly CollectiveNode[])[];
  readonly sinks: Sinks;
  /** The lanes of a line are at most 2^most. */
  readonly most: number;
  /** Items of a work-group, a power of two. */
  readonly tile: number;
}

/** Two kernels, one of which runs: for lines of whole vectors, and for others. Undefined if work-groups have another shape, or need less memory. */
export function lineKernels(context: GroupContext, stage: number): Kernel[] | undefined {
  const lines = linesOf(context, stage);
  if (!lines) return undefined;
  const rest = formula(
    "sub",
    "size_x",
    formula("mul", formula("floor-div", "size_x", lines.width), lines.width),
  );
  const isOdd = formula("min", rest, 1);
  const kernels: Kernel[] = [
    lineKernel(context, lines, { hint: "lines", runs: formula("sub", 1, isOdd), isWhole: true }),
    {
      ...lineKernel(context, lines, { hint: "lines_of_any", runs: isOdd, isWhole: false }),
      isIndependent: true,
    },
  ];
  const { capabilities, geometry } = context;
  // Work-groups of the pipeline's own size may need less memory.
  const isAlternative = geometry.groupSize <= capabilities.maxWorkGroupSize;
  return isAlternative && kernels.some((kernel) => memoryProblem(kernel, capabilities)) ? undefined : kernels;
}

function linesOf(context: GroupContext, stage: number): Lines | undefined {
  const { checked, geometry, tiling, plan, storage, carrying } = context;
  const [length = 1, ...others] = checked.pipeline.workGroupSize;
  const width = rowWidth(storage);
  const tile = tiling.workGroupSize * width;
  const most = Math.ceil(Math.log2(Math.min(length, tile) / width));
  if (geometry.dimensions === 1 || others.some((side) => side !== 1) || carrying) return undefined;
  if (length % Math.min(length, tile) !== 0 || length % width !== 0) return undefined;
  const rounds = roundsAt(context, stage);
  const nodes = rounds.flat();
  const isPerLine = ({ id }: CollectiveNode): boolean => checked.uniformities[id] !== "item";
  if (
    nodes.length === 0 ||
    nodes.some((node) => isPick(node) || (isPerLine(node) && plan.stored.has(node.id)))
  )
    return undefined;
  // A loop over the tiles of a line does not come back to its items.
  if (length > tile && (rounds.length > 1 || nodes.some(isPerLine) === nodes.some(isScan))) return undefined;
  const perItem = nodes.filter((node) => !isPerLine(node)).map(({ id }) => id);
  const sinks = sinksOf(context, stage, perItem);
  const isRead = sinks.rows.length + sinks.items.length > 0;
  if (length > tile && isRead !== perItem.length > 0) return undefined;
  return { length, width, most, tile, rounds, sinks };
}

/** The items of a block of lanes: the least power of two of at least `width` that holds the longest line, or a tile. */
function pitchOf({ length, width, tile }: Lines): Formula {
  let pitch: Formula = width;
  for (let items: number = width; items < Math.min(length, tile); items *= 2) {
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

/** The line of a work-item. */
interface Own {
  readonly line: Group;
  /** Whether the line exists. */
  readonly exists: Expr;
  readonly blocks: LaneBlocks;
}

function lineKernel(context: GroupContext, lines: Lines, { hint, runs, isWhole }: Form): Kernel {
  const { geometry, tiling, checked, capabilities } = context;
  const { tile, rounds, sinks } = lines;
  const { workGroupSize } = tiling;
  const blocks = formula("ceil-div", formula("mul", geometry.groups, pitchOf(lines)), tile);
  const groups = formula("mul", runs, blocks);
  const frame = { hint, doc: docOf(lines, isWhole), workGroupSize, groups, isGuarded: true } as const;
  return makeKernel(context, frame, ({ code, lanes, group }) => {
    const [first, ...others] = rounds.map((round): Round => {
      const components = componentsOf(round.filter(isMonoid), checked.pipeline.operators);
      return { components, monoid: productOf(components) };
    }) as [Round, ...Round[]];
    const writes = [...sinks.items, ...sinks.groups];
    // What is read again is not written over, and what is written again goes to the same places.
    const isRepeatable =
      others.length === 0 && !context.isInPlace && writes.every(({ kind }) => kind === "output");
    inEitherWayOfGroup(code, {
      combining: isRepeatable
        ? combiningOn(code, lanes, capabilities, first.monoid, false)
        : { lanes, monoid: first.monoid, native: undefined, found: undefined },
      heading: { title: `take_${hint}`, doc: "Takes the lines of a work-group.", returns: "taken" },
      given: {},
      compute: (inner, _, monoid, test) => {
        const parts = [{ ...first, monoid }, ...others];
        takeLines(context, inner, { lines, isWhole, lanes, group, parts, test });
        return [];
      },
      store: () => {},
    });
  });
}

/** Collectives that do not depend on one another. */
interface Round {
  readonly components: readonly Component[];
  readonly monoid: Monoid;
}

/** The lines of a work-group. */
interface GroupOfLines {
  readonly lines: Lines;
  readonly isWhole: boolean;
  readonly lanes: Lanes;
  readonly group: Expr;
  readonly parts: readonly Round[];
  readonly test: Test;
}

/** Combines the items of the lines, and writes. */
function takeLines(
  context: GroupContext,
  code: Code,
  { lines, isWhole, lanes, group, parts, test }: GroupOfLines,
): void {
  const { geometry, tiling, capabilities, storage } = context;
  const { length, width, most, tile, sinks } = lines;
  const { workGroupSize } = tiling;
  const extent = code.let("extent", binary("min", geometry.variable("size_x"), length));
  const bits = sub(32, unary("clz", sub(extent, 1)));
  const shift = binary("max", bits, Math.log2(width));
  const folded = code.let("rounds", binary("min", sub(shift, Math.log2(width)), most));
  const perGroup = binary("shr", workGroupSize, folded);
  const number = code.let("line", add(mul(group, perGroup), binary("shr", lanes.lane, folded)));
  const lane = code.let("own_lane", and(lanes.lane, sub(binary("shl", 1, folded), 1)));
  const all = code.let("lines", toExpr(context, geometry.groups));
  const line = geometry.group(code, code.let("near_line", binary("min", number, sub(all, 1))));
  const exists = code.let("exists", lt(number, all));
  const isLight = parts.every(({ monoid }) => !isHeavy(monoid, capabilities.scalars));
  // A round that may be in memory has a barrier, and compilers that split kernels at barriers copy what follows one that may be left out.
  const unrolled = lanes.near?.kind === "const" && isLight;
  const own = { line, exists, blocks: { lanes, lane, rounds: folded, most, unrolled } };
  const known = new Map<NodeId, readonly Expr[]>();
  if (length <= tile) {
    const vector = vectorAt(context, code, { lines, own, isWhole, column: mul(lane, width) });
    for (const part of parts) {
      const [found] = combine(code, { ...part, own, vectors: [vector], known, test });
      for (const [id, values] of found as Known) known.set(id, values);
    }
    vector.write(code, known);
  } else {
    const part = parts[0] as Round;
    const { monoid } = part;
    const along = runningAlong(code, monoid, line, tile);
    const count = isLight ? tilesAtOnce(monoid) : 1;
    const loops = binary("div", add(extent, count * tile - 1), count * tile);
    code.for("step", 0, loops, (body, step) => {
      const first = body.let("tile", mul(step, count));
      const vectors = Array.from({ length: count }, (_, t) => {
        const column = add(mul(add(first, t), tile), mul(lane, width));
        return vectorAt(context, body, { lines, own, isWhole, column });
      });
      const found = combine(body, { ...part, own, vectors, known, test, along: along(first) });
      for (const [t, vector] of vectors.entries()) vector.write(body, found[t] as Known);
      for (const [id, values] of found[0] as Known) known.set(id, values);
    });
  }
  if (sinks.groups.length === 0) return;
  code.if(and(exists, eq(lane, 0)), (one) => {
    const values = new SiteValues(siteOf(context, line.first));
    for (const [id, [first]] of known) values.set(id, first as Expr);
    for (const sink of sinks.groups) storage.write(sink, values, one);
  });
}

const docOf = ({ length, width, tile }: Lines, isWhole: boolean): string[] => [
  `Lines of at most ${length} items, ${width} to a work-item${isWhole ? `, as one vec${width}` : ""}, and several lines to a work-group.`,
  ...(length > tile ? [`A line of more than ${tile} items is taken tile after tile.`] : []),
];

type Values = readonly Expr[];
type Known = ReadonlyMap<NodeId, readonly Expr[]>;

/** The items of a work-item. */
interface Vector {
  readonly width: RowWidth;
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

interface VectorPlace {
  readonly lines: Lines;
  readonly own: Own;
  /** Whether all items exist or none does. */
  readonly isWhole: boolean;
  /** The first item's place in its line. */
  readonly column: Expr;
}

function vectorAt(
  context: GroupContext,
  code: Code,
  { lines, own: { line, exists }, isWhole, column: given }: VectorPlace,
): Vector {
  const { width } = lines;
  const sinks = { ...lines.sinks, groups: [] };
  const column = code.let("column", given);
  const first = code.let("first", add(line.first.index, column));
  const place = (inner: Code, j: number): Place => line.place(inner, add(column, j));
  if (isWhole) {
    const row = code.let("row", binary("shr", first, Math.log2(width)));
    const isThere = lt(row, binary("shr", context.n, Math.log2(width)));
    const isHere = code.let("has_items", and(and(exists, lt(column, line.count)), isThere));
    const rowIn = (inner: Code, known: Known) => ({
      ...{ base: inner.let("base", mul(row, width)), width, known: new Set(known.keys()) },
      place: (j: number) => place(inner, j),
    });
    return {
      width,
      read: (outer, roots, known, use) =>
        outer.if(isHere, (inner) => {
          for (const [j, values] of rowOf(context, inner, { ...rowIn(inner, known), roots }).entries()) {
            setAll(values, known, j);
            use(inner, values, j);
          }
        }),
      write: (outer, known) =>
        outer.if(isHere, (inner) =>
          writeRow(context, inner, {
            ...rowIn(inner, known),
            sinks,
            set: (values, j) => setAll(values, known, j),
          }),
        ),
    };
  }
  const found = Array.from({ length: width }, (_, j) => {
    const isIn = and(exists, lt(add(column, j), line.count));
    return code.let("has_item", and(isIn, lt(add(first, j), context.n)));
  });
  const read: Vector["read"] = (outer, _, known, use) => {
    for (const [j, isHere] of found.entries())
      outer.if(isHere, (inner) => {
        const values = new SiteValues(siteOf(context, place(inner, j)));
        setAll(values, known, j);
        use(inner, values, j);
      });
  };
  const write: Vector["write"] = (outer, known) =>
    read(outer, [], known, (inner, values) => writeItem(context, inner, values, sinks, true));
  return { width, read, write };
}

/** What precedes tiles of a line, and what is carried on. */
interface Along {
  /** The number of the first of them. */
  readonly first: Expr;
  /** The last place of the line, counted from the first tile. */
  readonly last: Expr;
  /** Adds tiles. @returns the prefixes before and after each */
  push(code: Code, totals: readonly Values[]): { readonly seed: Carry; readonly ends: readonly Values[] };
  /** The results of reduces, after the last tile. */
  readonly results: readonly VarExpr[];
}

/** Tiles of a line that work-items fold side by side, so that one waits while others compute. */
const tilesAtOnce = ({ types, neutral, isRecord }: Monoid): number =>
  neutral && !isRecord && types.length === 1 && wordCount(types[0] as Scalar) === 1 ? 4 : 1;

/** @returns what precedes the tiles from one on */
function runningAlong(code: Code, monoid: Monoid, line: Group, tile: number): (first: Expr) => Along {
  const so = running(code, monoid, "so_far");
  const { neutral, reassociable, types } = monoid;
  const results = reassociable ? so.latest : variables(code, monoid, "result", types.map(zeroOf));
  return (first) => {
    const isAfter = ne(first, 0);
    const before = neutral ? so.latest.map((v, i) => select(isAfter, v, neutral[i] as Expr)) : so.latest;
    return {
      first,
      last: sub(sub(line.count, 1), mul(first, tile)),
      push: (inner, totals) => {
        const seeds: Values[] = [];
        const ends = totals.map((total, t) => {
          seeds.push(named(inner, monoid, "seed", t === 0 ? before : so.latest));
          so.pushUnrolled(inner, first, t, total, totals.length);
          return named(inner, monoid, "end", so.latest);
        });
        return { seed: { values: seeds.flat(), present: presentIf(monoid, () => isAfter) }, ends };
      },
      results,
    };
  };
}

/** The collectives of a round, and what they combine. */
interface Combined extends Round {
  readonly own: Own;
  /** One, or those of several tiles of a line. */
  readonly vectors: readonly Vector[];
  readonly known: Known;
  readonly test: Test;
  /** Given if lines have several tiles. */
  readonly along?: Along;
}

/** The results of the items of each vector, by node. */
function combine(code: Code, { components, monoid, own, vectors, known, test, along }: Combined): Known[] {
  const { blocks } = own;
  const nodes = components.flatMap((component) => component.nodes);
  const roots = components.flatMap(({ of }) => of);
  const nothingYet = monoid.reassociable ? monoid.identity : monoid.types.map(zeroOf);
  const tiles = vectors.map((vector) => {
    const items = Array.from({ length: vector.width }, () => variables(code, monoid, "item", nothingYet));
    vector.read(code, roots, known, (inner, values, j) =>
      inner.assignAll(
        items[j] as VarExpr[],
        components.flatMap((component) => operandsAt(component, values, inner)),
      ),
    );
    test(code, items.flat());
    return items;
  });
  const few = tiles.map((items) => totalOfFew(code, monoid, items));
  const scans = nodes.some(isScan) || !monoid.reassociable;
  const all = product(vectors.map(() => monoid));
  let ends: readonly Values[] | undefined;
  const seedOf =
    along &&
    ((total: Values): Carry => {
      const pushed = along.push(code, recordsOf(monoid, total));
      ends = pushed.ends;
      return pushed.seed;
    });
  const totals = few.flatMap(({ total }) => total);
  const { total, prefixes } = foldBlocks(code, blocks, all, totals, scans, seedOf);
  const isLast = eq(blocks.lane, sub(binary("shl", 1, blocks.rounds), 1));
  const around = prefixes
    ? tiles.map((items, t) => {
        const [exclusive, inclusive] = [prefixes.exclusive.values, prefixes.inclusive].map(
          (flat) => recordsOf(monoid, flat)[t] as Expr[],
        ) as [Expr[], Expr[]];
        const carry = { values: exclusive, present: prefixes.exclusive.present };
        const before = prefixesOfFew(code, monoid, carry, items, few[t]?.pair);
        // The last prefix of a tile ends a larger block too, which the order combines first.
        const end = ends?.[t];
        const upTo = end ? inclusive.map((v, i) => select(isLast, end[i] as Expr, v)) : inclusive;
        return { before, after: [...before.slice(1), end ? named(code, monoid, "upto", upTo) : upTo] };
      })
    : [];
  const reduces = nodes.some((node) => !isScan(node));
  const whole = !reduces
    ? []
    : monoid.reassociable
      ? (along?.results ?? total)
      : announceLast(
          code,
          monoid,
          own,
          around.map(({ after }) => after),
          along,
        );
  return vectors.map((_, t) => {
    const { before, after } = around[t] ?? { before: [], after: [] };
    const isFirst = eq(along ? binary("or", blocks.lane, add(along.first, t)) : blocks.lane, 0);
    const exclusive = (values: Values, j: number, at: number): Expr =>
      j === 0 ? exclusiveAt(monoid, at, isFirst, values[at] as Expr) : (values[at] as Expr);
    const results = placesOf(components).map(({ node, at }) => {
      const found = {
        reduce: () => (tiles[t] as Expr[][]).map(() => whole[at] as Expr),
        "scan-inclusive": () => after.map((values) => values[at] as Expr),
        "scan-exclusive": () => before.map((values, j) => exclusive(values, j, at)),
      }[formOf(node)]();
      return [node.id, found] as const;
    });
    return new Map(results);
  });
}

/** The prefix up to the last item of each line, in all of its lanes. @param tiles by tile and item: the prefixes up to it */
function announceLast(
  code: Code,
  monoid: Monoid,
  { line, blocks: { lanes, lane, rounds } }: Own,
  tiles: readonly (readonly Values[])[],
  along: Along | undefined,
): Values {
  const width = (tiles[0] as readonly Values[]).length;
  const size = lanes.size as number;
  const last = code.let("last", along?.last ?? sub(line.count, 1));
  const owner = code.let("owner", binary("shr", last, Math.log2(width)));
  const found = tiles.map((after) =>
    (after[0] as Values).map((_, i) =>
      after
        .map((values) => values[i] as Expr)
        .reduce((early, late, j) => select(lt(and(last, width - 1), j), early, late)),
    ),
  );
  const slot = binary("shr", lanes.lane, rounds);
  const passed = found.map((values) =>
    monoid.isRecord ? values.flatMap((v) => toWords(code.named("last", v))) : values,
  );
  const { length } = passed[0] as Values;
  const perTurn = monoid.isRecord ? wordsAtOnce(lanes, { length: size }, length) : length;
  const got: Expr[] = [];
  for (let from = 0; from < length; from += perTurn) {
    const parts = passed.map((values) => values.slice(from, from + perTurn));
    const shared = (parts[0] as Values).map((v, i) => lanes.shared.take(v.type, i, size));
    code.barrier();
    for (const [t, values] of parts.entries())
      code.if(eq(add(lane, t * size), owner), (then) => then.storeAll(shared, slot, values));
    code.barrier();
    got.push(...shared.map((array) => code.let("announced", code.load(array, slot))));
  }
  const announced = monoid.isRecord
    ? fromWords(monoid.types, got).map((v) => code.named("announced", v))
    : got;
  if (!along) return announced;
  code.if(lt(owner, tiles.length * size), (then) => then.assignAll(along.results, announced));
  return along.results;
}
