/**
 * Checks a lowered module: names and types, barriers only where the whole work-group comes, and indexes
 * of private and work-group arrays within their bounds. It runs after every lowering.
 */
import { errorOf } from "../errors.ts";
import { BINARY } from "../ir/expr-op.ts";
import { SCALARS, type Scalar } from "../scalar.ts";
import { type Expr, partsOf } from "./expr.ts";
import { EVERYTHING, type Interval, intervalOf } from "./interval.ts";
import { exprsOf, type Fn, type Kernel, type Module, type Stmt } from "./stmt.ts";

interface Known {
  readonly type: Scalar;
  readonly mutable: boolean;
  readonly uniform: boolean;
  readonly interval: Interval;
}
interface Sized {
  readonly type: Scalar;
  readonly length: number;
}

/** @throws GroupwiseError `bad-kernel`: a lowering has a bug */
export function verify(module: Module): void {
  for (const fn of module.functions) new Verifier(module, fn.name, undefined, fn).run();
  for (const kernel of module.kernels) new Verifier(module, kernel.name, kernel, undefined).run();
}

class Verifier {
  private readonly module: Module;
  private readonly place: string;
  private readonly kernel: Kernel | undefined;
  private readonly fn: Fn | undefined;
  private readonly scopes: Map<string, Known>[] = [new Map()];
  private readonly arrays = new Map<string, Sized>();
  /** False inside control flow that only some work-items of the group may take. */
  private together = true;

  constructor(module: Module, place: string, kernel: Kernel | undefined, fn: Fn | undefined) {
    this.module = module;
    this.place = place;
    this.kernel = kernel;
    this.fn = fn;
  }

  run(): void {
    for (const { name, type } of this.fn?.params ?? []) {
      this.declare(name, { type, mutable: false, uniform: false, interval: EVERYTHING });
    }
    for (const { name, type, length } of this.kernel?.shared ?? []) this.arrays.set(name, { type, length });
    this.block(this.kernel?.body ?? this.fn?.body ?? []);
  }

  private fail(reason: string): never {
    throw errorOf("bad-kernel", { reason }, this.place);
  }

  private declare(name: string, known: Known): void {
    if (this.lookup(name)) this.fail(`${name} is declared twice`);
    (this.scopes.at(-1) as Map<string, Known>).set(name, known);
  }

  private lookup(name: string): Known | undefined {
    for (const scope of this.scopes) {
      const known = scope.get(name);
      if (known) return known;
    }
    return undefined;
  }

  private block(stmts: readonly Stmt[]): void {
    this.scopes.push(new Map());
    for (const stmt of stmts) this.stmt(stmt);
    this.scopes.pop();
  }

  private nested(uniform: boolean, stmts: readonly Stmt[]): void {
    const before = this.together;
    this.together = before && uniform;
    this.block(stmts);
    this.together = before;
  }

  private stmt(stmt: Stmt): void {
    for (const expr of exprsOf(stmt)) this.expr(expr);
    switch (stmt.kind) {
      case "let":
        return this.declare(stmt.name, {
          type: stmt.value.type,
          mutable: false,
          uniform: this.uniform(stmt.value),
          interval: this.interval(stmt.value),
        });
      case "var":
        // A variable that only uniform control flow assigns to uniform values would be uniform too; none needs it.
        return this.declare(stmt.name, {
          type: stmt.value.type,
          mutable: true,
          uniform: false,
          interval: EVERYTHING,
        });
      case "assign": {
        const known = this.lookup(stmt.name);
        if (!known?.mutable) return this.fail(`${stmt.name} cannot be assigned`);
        return this.want(known.type, stmt.value, stmt.name);
      }
      case "array":
        if (this.arrays.has(stmt.name)) return this.fail(`${stmt.name} is declared twice`);
        this.arrays.set(stmt.name, stmt);
        return;
      case "store": {
        const type = this.arrayType(stmt.space, stmt.array, stmt.index);
        const buffer = this.module.buffers.find((b) => b.name === stmt.array);
        if (stmt.space === "storage" && buffer?.role === "input")
          this.fail(`the input ${stmt.array} is written`);
        return this.want(type, stmt.value, stmt.array);
      }
      case "flag":
        return this.want("u32", stmt.bits, stmt.array);
      case "barrier":
        if (!this.together) this.fail("a barrier stands where not every work-item comes");
        return;
      case "if": {
        this.want("bool", stmt.condition, "a condition");
        const uniform = this.uniform(stmt.condition);
        this.nested(uniform, stmt.then);
        return this.nested(uniform, stmt.otherwise);
      }
      case "for": {
        this.want("u32", stmt.from, stmt.name);
        this.want("u32", stmt.below, stmt.name);
        const uniform = this.uniform(stmt.from) && this.uniform(stmt.below);
        const interval: Interval = [
          this.interval(stmt.from)[0],
          Math.max(0, this.interval(stmt.below)[1] - 1),
        ];
        this.scopes.push(new Map([[stmt.name, { type: "u32", mutable: false, uniform, interval }]]));
        this.nested(uniform, stmt.body);
        this.scopes.pop();
        return;
      }
      case "while":
        this.want("bool", stmt.condition, "a condition");
        return this.nested(false, stmt.body);
      case "return":
        if (!this.fn) return this.fail("a kernel returns a value");
        return this.want(this.fn.returns, stmt.value, "the result");
      case "comment":
        return;
    }
  }

  private want(type: Scalar, expr: Expr, what: string): void {
    if (expr.type !== type) this.fail(`${what} is ${type}, and gets ${expr.type}`);
  }

  private arrayType(space: string, array: string, index: Expr): Scalar {
    this.want("u32", index, `the index of ${array}`);
    if (space === "storage") {
      const buffer = this.module.buffers.find((b) => b.name === array);
      return buffer ? buffer.type : this.fail(`there is no array ${array}`);
    }
    const sized = this.arrays.get(array);
    if (!sized) return this.fail(`there is no array ${array}`);
    const [low, high] = this.interval(index);
    if (low < 0 || high >= sized.length) {
      this.fail(`an index of ${array} runs from ${low} to ${high}, and the array holds ${sized.length}`);
    }
    return sized.type;
  }

  private expr(expr: Expr): void {
    for (const part of partsOf(expr)) this.expr(part);
    switch (expr.kind) {
      case "var": {
        const known = this.lookup(expr.name);
        if (!known) this.fail(`${expr.name} is used before it is declared, or outside of its block`);
        else if (known.type !== expr.type)
          this.fail(`${expr.name} is ${known.type}, and is used as ${expr.type}`);
        return;
      }
      case "param": {
        const found = this.module.params.find((p) => p.name === expr.name);
        if (found?.type !== expr.type) this.fail(`there is no parameter ${expr.name} of ${expr.type}`);
        return;
      }
      case "load":
        if (this.arrayType(expr.space, expr.array, expr.index) !== expr.type)
          this.fail(`${expr.array} is not of ${expr.type}`);
        return;
      case "binary": {
        const { on, rightType } = BINARY[expr.op];
        if (!on.includes(SCALARS[expr.left.type].kind))
          this.fail(`${expr.op} is applied to ${expr.left.type}`);
        return this.want(rightType ?? expr.left.type, expr.right, `the right side of ${expr.op}`);
      }
      case "select":
        this.want("bool", expr.condition, "a condition");
        return this.want(expr.then.type, expr.otherwise, "a choice");
      case "call": {
        const fn = this.module.functions.find((f) => f.name === expr.fn);
        if (!fn) this.fail(`there is no function ${expr.fn}`);
        else if (fn.returns !== expr.type || fn.params.length !== expr.args.length)
          this.fail(`${expr.fn} is called wrongly`);
        fn?.params.forEach((p, i) => {
          this.want(p.type, expr.args[i] as Expr, `an argument of ${expr.fn}`);
        });
        return;
      }
      default:
        return;
    }
  }

  private uniform(expr: Expr): boolean {
    if (expr.kind === "const" || expr.kind === "param") return true;
    if (expr.kind === "var") return this.lookup(expr.name)?.uniform ?? false;
    if (expr.kind === "builtin") return expr.builtin === "group-id";
    // What another work-item may have written can differ by the time it is read.
    if (expr.kind === "load") return false;
    return partsOf(expr).every((part) => this.uniform(part));
  }

  private interval(expr: Expr): Interval {
    return intervalOf(expr, {
      variable: (name) => this.lookup(name)?.interval ?? EVERYTHING,
      workGroupSize: this.kernel?.workGroupSize ?? 1,
    });
  }
}
