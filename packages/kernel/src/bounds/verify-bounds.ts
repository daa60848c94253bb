/**
 * Proves of a lowered module that each index of an array of device memory is below the array's length, whatever the sizes of a run are. It takes
 * many times as long as lowering, so only tests call it. Those of other memory are verified for every module, by intervals.
 *
 * Accesses that are marked as inside are left out: slots that count items, slots of look-back, whole chunks. Where they are made, the
 * reason is given. The interpreter of kernels and debug runs compare them with the lengths.
 */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { evaluate } from "@groupwise/ir/base/formula.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type { Capabilities } from "../capabilities/capabilities.ts";
import type { Expr } from "../language/expr.ts";
import { partsOf } from "../language/map-expr.ts";
import type { Kernel, Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { type AccessStmt, assignedIn, exprsOf, isAccess, spaceOf, widthOf } from "../language/walk.ts";
import { below, Indexes } from "./indexes.ts";
import { constantOf, type Linear, minus, numberIn, plus } from "./linear.ts";
import { LONG, Prover } from "./prover.ts";

/** What holds in every run of a module. */
export interface Launches {
  /** Whether more work-groups may run than a kernel requests. */
  readonly surplusGroups: boolean;
  /** Whether runs without items are refused before they start. */
  readonly needsItems: boolean;
}

/** What holds in every run of a lowered pipeline. */
export const launchesOf = (
  { pipeline }: Pick<Checked, "pipeline">,
  { surplusGroups }: Pick<Capabilities, "surplusGroups">,
): Launches => ({
  surplusGroups,
  needsItems: pipeline.nodes.some((node) => node.kind === "broadcast" && node.scope === "device"),
});

/** @throws GroupwiseError `bad-kernel` for an index that is not proven: a lowering has a bug */
export function verifyBounds(module: Module, launches: Launches): void {
  for (const kernel of module.kernels) new BoundsVerifier(module, kernel, launches).run();
}

type Handlers = { readonly [K in Stmt["kind"]]?: (stmt: Extract<Stmt, { kind: K }>) => unknown };

/** Loops of at most as many rounds are followed round by round. */
const MOST_ROUNDS = 8;
const NO_ITEMS = { globalSize: [0, 0, 0], scalars: { params: {}, lengths: {} } };

class BoundsVerifier {
  private readonly kernel: Kernel;
  private readonly prover: Prover = new Prover();
  private readonly indexes: Indexes;
  private readonly lengths: ReadonlyMap<string, Linear>;

  constructor(module: Module, kernel: Kernel, { surplusGroups, needsItems }: Launches) {
    this.kernel = kernel;
    this.indexes = new Indexes(module, this.prover);
    const { indexes, prover } = this;
    this.lengths = new Map(module.buffers.map(({ name, elements }) => [name, indexes.formula(elements)]));
    const groups = indexes.formula(kernel.groups);
    prover.always(below(indexes.builtin("local-id"), constantOf(kernel.workGroupSize)));
    prover.always(minus(constantOf(kernel.workGroupSize), indexes.builtin("group-size")));
    prover.always(below(constantOf(0), indexes.builtin("group-size")));
    prover.always(below(indexes.builtin("cell"), groups));
    if (!surplusGroups || kernel.groups === 1) prover.always(below(indexes.builtin("group-id"), groups));
    const hasItems =
      needsItems || (numberIn(groups) === undefined && evaluate(kernel.groups, NO_ITEMS) === 0);
    const sides = module.params.filter(({ role }) => role === "size");
    const all = sides.length > 0 ? sides : module.params.filter(({ role }) => role === "length");
    if (hasItems) for (const { name } of all) prover.always(below(constantOf(0), indexes.param(name)));
  }

  run(): void {
    this.block(this.kernel.body);
  }

  private access(array: string, index: Expr, width: number = 1): void {
    const length = this.lengths.get(array);
    if (!length) return;
    const end = plus(this.indexes.number(index), constantOf(width));
    if (numberIn(end) === 1 || this.prover.atMost(end, length) || this.prover.atMost(end, length, LONG))
      return;
    // Hosts allocate an element for an empty array, which uniform values may read.
    const isFirst =
      width === 1 &&
      this.prover.knowing([minus(constantOf(0), length)], () => this.prover.atMost(end, constantOf(1), LONG));
    const isOther =
      isFirst &&
      this.prover.knowing([below(constantOf(0), length)], () => this.prover.atMost(end, length, LONG));
    if (isOther) return;
    throw errorOf(
      "bad-kernel",
      { reason: `an index of ${array} is not proven to be below its length` },
      this.kernel.name,
    );
  }

  private loads(e: Expr): void {
    if (e.kind === "select") {
      const { ifSo, ifNot } = this.indexes.condition(e.condition);
      this.loads(e.condition);
      this.prover.knowing(ifSo, () => this.loads(e.then));
      this.prover.knowing(ifNot, () => this.loads(e.otherwise));
      return;
    }
    if (e.kind === "load" && e.space === "storage" && !e.inside) this.access(e.array, e.index, e.width);
    for (const part of partsOf(e)) this.loads(part);
  }

  private block(stmts: readonly Stmt[]): void {
    for (const stmt of stmts) {
      for (const expr of exprsOf(stmt)) this.loads(expr);
      this.stmt(stmt);
    }
  }

  private stmt(stmt: Stmt): void {
    const follow = this.followed[stmt.kind] as ((stmt: Stmt) => void) | undefined;
    if (follow) {
      follow(stmt);
      return;
    }
    if (isAccess(stmt)) this.accessOf(stmt);
    if ("name" in stmt) this.indexes.forget([stmt.name]);
  }

  /** Statements that give variables values, or have blocks. */
  private readonly followed: Handlers = {
    let: ({ name, value }) => this.indexes.set(name, value),
    var: ({ name, value }) => this.indexes.set(name, value),
    assign: ({ name, value }) => this.indexes.set(name, value),
    "load-row": (s) => {
      this.accessOf(s);
      this.indexes.setRow(s);
    },
    if: (s) => this.either(s),
    choice: (s) => {
      for (const block of [s.native, s.portable]) this.indexes.restoring(() => this.block(block));
      this.indexes.forget(assignedIn([s]));
    },
    for: (s) => this.for(s),
    while: ({ condition, body }) => {
      this.indexes.forget(assignedIn(body));
      this.prover.knowing(this.indexes.condition(condition).ifSo, () => this.block(body));
      this.indexes.forget(assignedIn(body));
    },
  };

  private accessOf(stmt: AccessStmt): void {
    if (spaceOf(stmt) !== "storage" || ("inside" in stmt && stmt.inside)) return;
    const access = (): void => this.access(stmt.array, stmt.index, widthOf(stmt));
    if ("condition" in stmt) this.prover.knowing(this.indexes.condition(stmt.condition).ifSo, access);
    else access();
  }

  private either({ condition, then, otherwise }: Extract<Stmt, { kind: "if" }>): void {
    const { decided, ifSo, ifNot } = this.indexes.condition(condition);
    if (decided !== undefined) {
      this.block(decided ? then : otherwise);
      return;
    }
    this.indexes.restoring(() => this.prover.knowing(ifSo, () => this.block(then)));
    this.indexes.restoring(() => this.prover.knowing(ifNot, () => this.block(otherwise)));
    this.indexes.forget(assignedIn([...then, ...otherwise]));
  }

  private for({ name, from, below: end, step, body }: Extract<Stmt, { kind: "for" }>): void {
    const [first, last] = [this.indexes.number(from), this.indexes.number(end)];
    const [a, b] = [numberIn(first), numberIn(last)];
    if (a !== undefined && b !== undefined && (b - a) / step <= MOST_ROUNDS) {
      for (let i = a; i < b; i += step) {
        this.indexes.setNumber(name, constantOf(i));
        this.block(body);
      }
      return;
    }
    this.indexes.forget(assignedIn(body));
    const i = this.indexes.unknown();
    this.indexes.setNumber(name, i);
    // The last round begins a whole step before the end of whole steps.
    const isWhole = [...minus(last, first).values()].every((coefficient) => coefficient % step === 0);
    const next = plus(i, constantOf(isWhole ? step : 1));
    const ends = [last, ...this.prover.above(last)].map((most) => minus(most, next));
    this.prover.knowing([minus(i, first), ...ends], () => this.block(body));
    this.indexes.forget(assignedIn(body));
  }
}
