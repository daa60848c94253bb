"""Writes models.jsonl: models of the Python package of ONNX, with the results of its reference evaluator.

    pip install onnx==1.23.1 && python models.py models.jsonl
"""
import base64, json, sys
import numpy as np
import onnx
from onnx import TensorProto as T, helper as h
from onnx.reference import ReferenceEvaluator

rng = np.random.default_rng(7)
NP = {T.FLOAT: np.float32, T.DOUBLE: np.float64, T.FLOAT16: np.float16, T.INT8: np.int8, T.UINT8: np.uint8, T.INT16: np.int16,
      T.UINT16: np.uint16, T.INT32: np.int32, T.UINT32: np.uint32, T.INT64: np.int64, T.UINT64: np.uint64, T.BOOL: np.bool_}
NAMES = {T.FLOAT: "f32", T.DOUBLE: "f64", T.FLOAT16: "f16", T.INT8: "i8", T.UINT8: "u8", T.INT16: "i16", T.UINT16: "u16",
         T.INT32: "i32", T.UINT32: "u32", T.INT64: "i64", T.UINT64: "u64", T.BOOL: "bool"}
TYPES = {np.dtype(v): k for k, v in NP.items()}
CASES = []

def raw(a):
    return {"type": NAMES[TYPES[a.dtype]], "bytes": base64.b64encode(np.ascontiguousarray(a).tobytes()).decode()}

def case(name, nodes, inputs, outputs, initializers=(), opset=21, ulps=0, dims=None):
    """inputs: name -> array; outputs: name -> (type, shape)"""
    vis = [h.make_tensor_value_info(n, TYPES[a.dtype], (dims or {}).get(n, ["N"] if a.ndim == 1 and a.size != 1 else list(a.shape)))
           for n, a in inputs.items()]
    outs = [h.make_tensor_value_info(n, t, None) for n, t in outputs.items()]
    graph = h.make_graph(nodes, name, vis, outs, initializer=list(initializers))
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", opset)], ir_version=10)
    for o in model.graph.output: o.type.tensor_type.ClearField("shape")
    want = ReferenceEvaluator(model).run(None, inputs)
    CASES.append({"name": name, "ulps": ulps, "model": base64.b64encode(model.SerializeToString()).decode(),
                  "inputs": {n: raw(np.atleast_1d(a)) for n, a in inputs.items()},
                  "outputs": {n: raw(np.atleast_1d(np.asarray(w, dtype=NP[t]).reshape(-1))) for (n, t), w in zip(outputs.items(), want)}})

f = lambda n=37, s=3, t=np.float32: (rng.standard_normal(n) * s).astype(t)
x = f()
special = np.array([0.0, -0.0, 1.5, -1.5, 2.5, np.inf, -np.inf, np.nan, 0.3, -7.25, 1e30, 1e-40], dtype=np.float32)
init = lambda n, a: onnx.numpy_helper.from_array(np.asarray(a), n)

for op in ["Abs", "Neg", "Sign", "Sqrt", "Floor", "Ceil", "Round", "Relu", "Reciprocal", "IsNaN", "IsInf"]:
    t = T.BOOL if op.startswith("Is") else T.FLOAT
    case(op, [h.make_node(op, ["x"], ["y"])], {"x": special}, {"y": t})
for op, data in [("Exp", x), ("Log", abs(x)), ("Sigmoid", x), ("Erf", x), ("Sin", x), ("Cos", x), ("Tan", x), ("Asin", x / 20), ("Acos", x / 20),
                 ("Atan", x), ("Sinh", x), ("Cosh", x), ("Tanh", x), ("Softplus", x), ("Softsign", x)]:
    case(op, [h.make_node(op, ["x"], ["y"])], {"x": data.astype(np.float32)}, {"y": T.FLOAT}, ulps=16)
case("LeakyRelu", [h.make_node("LeakyRelu", ["x"], ["y"], alpha=0.25)], {"x": special}, {"y": T.FLOAT})
for op in ["Add", "Sub", "Mul", "Div"]:
    case(op, [h.make_node(op, ["x", "y"], ["z"])], {"x": x, "y": f()}, {"z": T.FLOAT})
    for t in [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, np.float64, np.float16]:
        i = np.iinfo(t) if np.issubdtype(t, np.integer) else None
        a = rng.integers(i.min, i.max, 37, dtype=t) if i else f(t=t)
        b = rng.integers(i.min, i.max, 37, dtype=t) if i else f(t=t)
        if i: b[b == 0] = 3
        if i and op == "Div" and i.min < 0: b[b == -1] = 5
        if op == "Div" and i and i.min < 0: a, b = abs(a // 2), abs(b // 2 + 1) + 1  # numpy floors
        case(f"{op} of {np.dtype(t).name}", [h.make_node(op, ["x", "y"], ["z"])], {"x": a, "y": b}, {"z": TYPES[np.dtype(t)]})
ints = np.array([7, -7, 7, -7, 0, 100], np.int32); by = np.array([3, 3, -3, -3, 5, 7], np.int32)
case("Mod", [h.make_node("Mod", ["x", "y"], ["z"])], {"x": ints, "y": by}, {"z": T.INT32})
case("Mod, as in C", [h.make_node("Mod", ["x", "y"], ["z"], fmod=1)], {"x": ints, "y": by}, {"z": T.INT32})
case("Mod of floats", [h.make_node("Mod", ["x", "y"], ["z"], fmod=1)], {"x": x, "y": np.float32(1.25) + abs(f())}, {"z": T.FLOAT})
case("Pow, constant 2", [h.make_node("Pow", ["x", "c"], ["z"])], {"x": x}, {"z": T.FLOAT}, [init("c", np.float32(2))])
case("Pow", [h.make_node("Pow", ["x", "y"], ["z"])], {"x": abs(x), "y": f(s=1)}, {"z": T.FLOAT}, ulps=16)
case("Equal, Less, Where", [h.make_node("Equal", ["x", "y"], ["e"]), h.make_node("LessOrEqual", ["x", "y"], ["l"]),
     h.make_node("Greater", ["x", "y"], ["g"]), h.make_node("Or", ["e", "g"], ["o"]), h.make_node("Not", ["o"], ["n"]),
     h.make_node("Where", ["n", "x", "y"], ["w"])],
     {"x": special, "y": special[::-1].copy()}, {"e": T.BOOL, "l": T.BOOL, "o": T.BOOL, "w": T.FLOAT})
case("Xor, And", [h.make_node("Xor", ["p", "q"], ["a"]), h.make_node("And", ["p", "q"], ["b"])],
     {"p": x > 0, "q": f() > 0}, {"a": T.BOOL, "b": T.BOOL})
u = rng.integers(0, 256, 37, dtype=np.uint8)
case("bits", [h.make_node("BitwiseAnd", ["x", "y"], ["a"]), h.make_node("BitwiseOr", ["x", "y"], ["b"]), h.make_node("BitwiseXor", ["x", "y"], ["c"]),
     h.make_node("BitwiseNot", ["x"], ["d"])], {"x": u, "y": u[::-1].copy()}, {k: T.UINT8 for k in "abcd"})
s8 = (u % 8).astype(np.uint8)
case("BitShift", [h.make_node("BitShift", ["x", "y"], ["a"], direction="LEFT"), h.make_node("BitShift", ["x", "y"], ["b"], direction="RIGHT")],
     {"x": u, "y": s8}, {"a": T.UINT8, "b": T.UINT8})
case("Clip", [h.make_node("Clip", ["x", "lo", "hi"], ["y"]), h.make_node("Clip", ["x", "", "hi"], ["z"])], {"x": x}, {"y": T.FLOAT, "z": T.FLOAT},
     [init("lo", np.float32(-1.5)), init("hi", np.float32(2.25))])
case("Clip, version 6", [h.make_node("Clip", ["x"], ["y"], min=-1.5, max=0.5)], {"x": x}, {"y": T.FLOAT}, opset=6)
case("Min, Max, Sum, Mean", [h.make_node("Min", ["x", "y", "c"], ["a"]), h.make_node("Max", ["x", "y", "c"], ["b"]), h.make_node("Sum", ["x", "y", "c"], ["d"]),
     h.make_node("Mean", ["x", "y"], ["e"])], {"x": x, "y": f()}, {k: T.FLOAT for k in "abde"}, [init("c", np.float32(0.5))])
for op in ["ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceSumSquare"]:
    a = rng.integers(-9, 9, 37, dtype=np.int32)
    case(op, [h.make_node(op, ["x"], ["y"]), h.make_node(op, ["x", "axes"], ["z"], keepdims=0)], {"x": a}, {"y": T.INT32, "z": T.INT32}, [init("axes", np.array([-1], np.int64))])
    case(f"{op} of int8", [h.make_node(op, ["x"], ["y"])], {"x": rng.integers(-128, 127, 37, dtype=np.int8)}, {"y": T.INT8}) if op in ("ReduceMax", "ReduceMin") else None
for op in ["ReduceSum", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceProd"]:
    case(f"{op} of floats", [h.make_node(op, ["x"], ["y"])], {"x": abs(x) + 1 if op == "ReduceLogSum" else x}, {"y": T.FLOAT}, ulps=64)
case("ReduceMean of doubles, axes by attribute", [h.make_node("ReduceMean", ["x"], ["y"], axes=[0])], {"x": f(t=np.float64)}, {"y": T.DOUBLE}, opset=13, ulps=64)
case("ReduceSum over all of two axes", [h.make_node("ReduceSum", ["x"], ["y"]), h.make_node("Sub", ["x", "y"], ["z"])],
     {"x": rng.integers(-9, 9, (5, 7), dtype=np.int64)}, {"y": T.INT64, "z": T.INT64}, dims={"x": ["A", "B"]})
case("ReduceMax of bools", [h.make_node("ReduceMax", ["x"], ["y"]), h.make_node("ReduceMin", ["x"], ["z"])], {"x": x > 0}, {"y": T.BOOL, "z": T.BOOL}, opset=20)
case("noop", [h.make_node("ReduceSum", ["x"], ["y"], noop_with_empty_axes=1)], {"x": x}, {"y": T.FLOAT})
for e in (0, 1):
    for r in (0, 1):
        case(f"CumSum {e}{r}", [h.make_node("CumSum", ["x", "a"], ["y"], exclusive=e, reverse=r)], {"x": rng.integers(-2**40, 2**40, 37)}, {"y": T.INT64}, [init("a", np.int32(0))])
case("CumSum of floats, axis -1", [h.make_node("CumSum", ["x", "a"], ["y"])], {"x": f(300)}, {"y": T.FLOAT}, [init("a", np.array(-1, np.int64))], ulps=2000)
case("CumSum of a row", [h.make_node("CumSum", ["x", "a"], ["y"], exclusive=1)], {"x": rng.integers(0, 99, (1, 37), dtype=np.int32)}, {"y": T.INT32}, [init("a", np.array(1, np.int64))], dims={"x": [1, "N"]})
ties = rng.integers(0, 4, 37).astype(np.float32)
for op in ["ArgMax", "ArgMin"]:
    case(op, [h.make_node(op, ["x"], ["y"], keepdims=0), h.make_node(op, ["x"], ["z"], select_last_index=1)], {"x": ties}, {"y": T.INT64, "z": T.INT64})
for v in (11, 13):
    case(f"Softmax {v}", [h.make_node("Softmax", ["x"], ["y"], axis=0), h.make_node("LogSoftmax", ["x"], ["z"], axis=0)], {"x": x}, {"y": T.FLOAT, "z": T.FLOAT}, opset=v, ulps=64)
for t in [T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT8, T.UINT8, T.INT16, T.UINT16, T.INT32, T.UINT32, T.INT64, T.UINT64, T.BOOL]:
    case(f"Cast to {NAMES[t]}", [h.make_node("Cast", ["x"], ["y"], to=t), h.make_node("Cast", ["y"], ["z"], to=T.INT32)],
         {"x": np.array([0, 1, 2, 100, 127, 5, 64], np.float32)}, {"y": t, "z": T.INT32})
    case(f"Cast of i32 to {NAMES[t]}", [h.make_node("Cast", ["x"], ["y"], to=t)], {"x": rng.integers(-2000, 70000, 37, dtype=np.int32)}, {"y": t}) if t != T.FLOAT16 else None
case("Constant, Identity, Unsqueeze", [h.make_node("Constant", [], ["c"], value_float=2.5), h.make_node("Constant", [], ["k"], value_ints=[0]),
     h.make_node("Constant", [], ["d"], value=init("d", np.array([[4.0]], np.float32))),
     h.make_node("Unsqueeze", ["x", "k"], ["u"]), h.make_node("Mul", ["u", "c"], ["v"]), h.make_node("Add", ["v", "d"], ["w"]), h.make_node("Squeeze", ["w", "k"], ["s"]),
     h.make_node("Identity", ["s"], ["y"])], {"x": x}, {"y": T.FLOAT})
case("parameters", [h.make_node("Mul", ["x", "a"], ["m"]), h.make_node("Add", ["m", "b"], ["y"])], {"x": x, "a": np.array([1.5], np.float32), "b": np.array(-2, np.float32)}, {"y": T.FLOAT})
case("typed data", [h.make_node("Add", ["x", "c"], ["y"]), h.make_node("Cast", ["h"], ["g"], to=T.FLOAT), h.make_node("Add", ["y", "g"], ["z"])], {"x": x}, {"z": T.FLOAT},
     [h.make_tensor("c", T.FLOAT, [], [0.75]), h.make_tensor("h", T.FLOAT16, [1], [1.5])])
case("normalised", [h.make_node("ReduceMean", ["x"], ["m"]), h.make_node("Sub", ["x", "m"], ["d"]), h.make_node("ReduceL2", ["d"], ["n"]), h.make_node("Div", ["d", "n"], ["y/out:0"])],
     {"x": x}, {"y/out:0": T.FLOAT}, ulps=256)
for t in [np.int8, np.uint8, np.int16, np.uint16]:
    i = np.iinfo(t)
    a, b = rng.integers(i.min, i.max, 37, dtype=t), rng.integers(i.min, i.max, 37, dtype=t)
    case(f"{np.dtype(t).name} wraps between nodes", [h.make_node("Add", ["x", "y"], ["s"]), h.make_node("Cast", ["s"], ["z"], to=T.INT32),
         h.make_node("Less", ["s", "x"], ["l"])], {"x": a, "y": b}, {"z": T.INT32, "l": T.BOOL})
for op, data in [("Asinh", 8 * x), ("Acosh", 1 + abs(8 * x)), ("Atanh", x / 20), ("Mish", x), ("Gelu", x), ("Swish", x), ("HardSwish", 2 * x)]:
    case(op, [h.make_node(op, ["x"], ["y"])], {"x": data.astype(np.float32)}, {"y": T.FLOAT}, ulps=16, opset=24)
for op in ["Asinh", "Atanh"]:
    case(f"{op} of doubles", [h.make_node(op, ["x"], ["y"])], {"x": x.astype(np.float64) / 20}, {"y": T.DOUBLE}, ulps=16)
case("Gelu by tanh", [h.make_node("Gelu", ["x"], ["y"], approximate="tanh")], {"x": x}, {"y": T.FLOAT}, ulps=16)
for op, given in [("Elu", {"alpha": 0.75}), ("Selu", {"alpha": 1.5, "gamma": 1.25}), ("Celu", {"alpha": 2.0}), ("HardSigmoid", {"alpha": 0.25, "beta": 0.375}),
                  ("ThresholdedRelu", {"alpha": 0.5}), ("Shrink", {"lambd": 1.5, "bias": 0.25}), ("Swish", {"alpha": 0.5})]:
    case(f"{op}, attributes left out", [h.make_node(op, ["x"], ["y"])], {"x": x}, {"y": T.FLOAT}, ulps=16, opset=24)
    case(f"{op}, attributes given", [h.make_node(op, ["x"], ["y"], **given)], {"x": x}, {"y": T.FLOAT}, ulps=16, opset=24)
case("PRelu", [h.make_node("PRelu", ["x", "c"], ["y"]), h.make_node("PRelu", ["x", "s"], ["z"])], {"x": x, "s": f()}, {"y": T.FLOAT, "z": T.FLOAT}, [init("c", np.float32(0.25))])
case("CastLike", [h.make_node("CastLike", ["x", "c"], ["y"]), h.make_node("CastLike", ["y", "x"], ["z"])], {"x": x}, {"y": T.INT32, "z": T.FLOAT}, [init("c", np.int32(0))])
m, cube = f((5, 7)), f((3, 6, 4))
axes = lambda *a: init("a", np.array(a, np.int64))
for op in ["ReduceSum", "ReduceMean", "ReduceL2", "ReduceMax", "ReduceLogSumExp"]:
    for keep in (0, 1):
        case(f"{op} of rows, keepdims {keep}", [h.make_node(op, ["x", "a"], ["y"], keepdims=keep)], {"x": m}, {"y": T.FLOAT}, [axes(1)], ulps=64, dims={"x": ["N", 7]})
for by in [(0,), (1,), (2,), (-1, 1), (0, 1)]:
    case(f"ReduceSum of a cube over {by}", [h.make_node("ReduceSum", ["x", "a"], ["y"], keepdims=0)], {"x": rng.integers(-99, 99, (3, 6, 4))}, {"y": T.INT64}, [axes(*by)])
for by in (0, 1, 2):
    case(f"CumSum of a cube along {by}", [h.make_node("CumSum", ["x", "a"], ["y"]), h.make_node("CumSum", ["x", "a"], ["z"], exclusive=1, reverse=1)],
         {"x": rng.integers(-99, 99, (3, 6, 4))}, {"y": T.INT64, "z": T.INT64}, [init("a", np.int64(by))])
    case(f"ArgMax of a cube along {by}", [h.make_node("ArgMax", ["x"], ["y"], axis=by, keepdims=0), h.make_node("ArgMin", ["x"], ["z"], axis=by, select_last_index=1)],
         {"x": rng.integers(0, 4, (3, 6, 4)).astype(np.float32)}, {"y": T.INT64, "z": T.INT64})
    case(f"Softmax of a cube along {by}", [h.make_node("Softmax", ["x"], ["y"], axis=by), h.make_node("LogSoftmax", ["x"], ["z"], axis=by)], {"x": cube}, {"y": T.FLOAT, "z": T.FLOAT}, ulps=64)
case("along an axis of one item", [h.make_node("CumSum", ["x", "b"], ["y"], exclusive=1), h.make_node("ReduceSum", ["x", "a"], ["z"], keepdims=0), h.make_node("ArgMax", ["x"], ["w"], axis=1, keepdims=0)],
     {"x": f((37, 1))}, {"y": T.FLOAT, "z": T.FLOAT, "w": T.INT64}, [axes(1), init("b", np.int64(1))], dims={"x": ["N", 1]})
case("rows normalised", [h.make_node("ReduceMean", ["x", "a"], ["m"]), h.make_node("Sub", ["x", "m"], ["d"]), h.make_node("Mul", ["d", "d"], ["q"]), h.make_node("ReduceMean", ["q", "a"], ["v"]),
     h.make_node("Sqrt", ["v"], ["s"]), h.make_node("Div", ["d", "s"], ["y"]), h.make_node("Size", ["s"], ["n"])], {"x": m}, {"y": T.FLOAT, "s": T.FLOAT, "n": T.INT64}, [axes(1)], ulps=256, dims={"x": ["N", 7]})
case("rows without their axis", [h.make_node("ReduceMax", ["x", "a"], ["r"], keepdims=0), h.make_node("Add", ["r", "r"], ["s"]), h.make_node("Unsqueeze", ["s", "a"], ["u"]), h.make_node("Sub", ["x", "u"], ["y"]),
     h.make_node("Cast", ["u"], ["w"], to=T.INT8), h.make_node("Squeeze", ["w", "a"], ["z"])], {"x": m}, {"s": T.FLOAT, "y": T.FLOAT, "z": T.INT8}, [axes(1)], dims={"x": ["N", 7]})
case("columns and rows", [h.make_node("ReduceSum", ["x", "a"], ["r"]), h.make_node("ReduceSum", ["x", "b"], ["c"], keepdims=0), h.make_node("Add", ["r", "c"], ["y"])],
     {"x": rng.integers(-99, 99, (5, 7))}, {"r": T.INT64, "c": T.INT64, "y": T.INT64}, [axes(1), init("b", np.array([0], np.int64))])
case("ReduceMax of rows of bools", [h.make_node("ReduceMax", ["x", "a"], ["y"])], {"x": m > 2}, {"y": T.BOOL}, [axes(1)], opset=20)
def fixed(name, nodes, inputs, outputs, *rest, **more):
    case(name, nodes, inputs, outputs, *rest, dims={n: list(a.shape) for n, a in inputs.items()}, **more)
ints = lambda *a: np.array(a, np.int64)
def whole(shape, low=-99, high=99, t=np.int64): return rng.integers(low, high, shape).astype(t)
grid, wide = whole((3, 4, 5)), whole((2, 3))
fixed("sides that are broadcast", [h.make_node("Add", ["x", "r"], ["y"]), h.make_node("Sub", ["c", "x"], ["z"]), h.make_node("Mul", ["r", "c"], ["o"])],
     {"x": grid, "r": whole((5,)), "c": whole((4, 1))}, {k: T.INT64 for k in "yzo"})
fixed("Transpose", [h.make_node("Transpose", ["x"], ["y"]), h.make_node("Transpose", ["x"], ["z"], perm=[1, 0, 2])], {"x": grid}, {"y": T.INT64, "z": T.INT64})
fixed("Reshape, Flatten, Expand, Tile", [h.make_node("Reshape", ["x", "s"], ["a"]), h.make_node("Flatten", ["a"], ["y"], axis=2), h.make_node("Expand", ["r", "e"], ["z"]),
     h.make_node("Tile", ["r", "t"], ["w"])], {"x": grid, "r": whole((1, 3))}, {"y": T.INT64, "z": T.INT64, "w": T.INT64},
     [init("s", ints(0, 2, -1, 5)), init("e", ints(2, 4, 1)), init("t", ints(3, 2))])
fixed("Concat, Split, Slice", [h.make_node("Concat", ["x", "y", "x"], ["c"], axis=1), h.make_node("Split", ["c", "p"], ["a", "b"], axis=1),
     h.make_node("Slice", ["c", "from", "to", "axes", "by"], ["d"])], {"x": whole((3, 2)), "y": whole((3, 4))}, {k: T.INT64 for k in "abd"},
     [init("p", ints(5, 3)), init("from", ints(-1, 0)), init("to", ints(-9, 9)), init("axes", ints(1, 0)), init("by", ints(-2, 2))])
for mode in ("constant", "edge", "reflect", "wrap"):
    fixed(f"Pad, {mode}", [h.make_node("Pad", ["x", "p"], ["y"], mode=mode)], {"x": whole((3, 4))}, {"y": T.INT64}, [init("p", ints(1, 2, 0, 3))])
fixed("Trilu", [h.make_node("Trilu", ["x", "k"], ["y"], upper=0), h.make_node("Trilu", ["x"], ["z"])], {"x": grid}, {"y": T.INT64, "z": T.INT64}, [init("k", np.int64(-1))])
fixed("Gather, GatherElements, GatherND", [h.make_node("Gather", ["x", "i"], ["a"], axis=1), h.make_node("GatherElements", ["w", "j"], ["b"], axis=1), h.make_node("GatherND", ["x", "k"], ["d"])],
     {"x": grid, "i": ints(3, -1, 0), "w": wide, "j": np.array([[2, -1], [0, 1]]), "k": np.array([[0, 1], [2, -1]])}, {k: T.INT64 for k in "abd"})
fixed("OneHot", [h.make_node("OneHot", ["i", "d", "v"], ["y"], axis=0)], {"i": ints(0, 3, -1, 7), "v": np.array([2, 9], np.float32)}, {"y": T.FLOAT}, [init("d", np.int64(4))])
for reduction in ("none", "add", "mul", "max", "min"):
    fixed(f"ScatterElements, ScatterND, {reduction}", [h.make_node("ScatterElements", ["x", "i", "u"], ["y"], axis=1, reduction=reduction), h.make_node("ScatterND", ["x", "k", "v"], ["z"], reduction=reduction)],
         {"x": whole((3, 4)), "i": np.array([[1, 0], [3, -1], [2, 0]]) if reduction == "none" else np.array([[1, 1], [3, -1], [0, 0]]), "u": whole((3, 2)),
          "k": np.array([[2], [0]]) if reduction == "none" else np.array([[2], [2]]), "v": whole((2, 4))}, {"y": T.INT64, "z": T.INT64})
fixed("TopK", [h.make_node("TopK", ["x", "k"], ["v", "i"], axis=1), h.make_node("TopK", ["x", "k"], ["w", "j"], axis=-1, largest=0)], {"x": rng.permutation(60).reshape(3, 4, 5).astype(np.float32)},
     {"v": T.FLOAT, "i": T.INT64, "w": T.FLOAT, "j": T.INT64}, [init("k", ints(3))])
for order in (0, 1):
    fixed(f"Unique, sorted {order}", [h.make_node("Unique", ["x"], ["y", "i", "r", "n"], sorted=order)], {"x": whole((20,), 0, 6, np.float32)}, {"y": T.FLOAT, "i": T.INT64, "r": T.INT64, "n": T.INT64})
fixed("Compress", [h.make_node("Compress", ["x", "c"], ["y"], axis=1), h.make_node("Compress", ["x", "c"], ["z"])], {"x": grid, "c": np.array([True, False, True])}, {"y": T.INT64, "z": T.INT64})
fixed("NonZero", [h.make_node("NonZero", ["x"], ["y"])], {"x": whole((4, 5), 0, 2)}, {"y": T.INT64})
fixed("Hardmax", [h.make_node("Hardmax", ["x"], ["y"], axis=1)], {"x": whole((3, 4, 5), 0, 4, np.float32)}, {"y": T.FLOAT})
fixed("Range, ConstantOfShape, EyeLike", [h.make_node("Range", ["a", "b", "d"], ["r"]), h.make_node("Add", ["x", "r"], ["y"]), h.make_node("ConstantOfShape", ["s"], ["c"], value=h.make_tensor("v", T.INT64, [1], [7])),
     h.make_node("Mul", ["c", "x"], ["z"]), h.make_node("EyeLike", ["x"], ["e"], k=1)], {"x": whole((3, 4))}, {"y": T.INT64, "z": T.INT64, "e": T.INT64},
     [init("a", np.int64(10)), init("b", np.int64(-2)), init("d", np.int64(-3)), init("s", ints(3, 4))])
fixed("MatMul", [h.make_node("MatMul", ["x", "y"], ["a"]), h.make_node("MatMul", ["x", "v"], ["b"])], {"x": grid, "y": whole((5, 2)), "v": whole((5,))}, {"a": T.INT64, "b": T.INT64})
fixed("axes that are computed from constants", [h.make_node("Shape", ["x"], ["s"]), h.make_node("Gather", ["s", "one"], ["side"]), h.make_node("Sub", ["side", "three"], ["axis"]), h.make_node("Cast", ["axis"], ["narrow"], to=T.INT32),
     h.make_node("CumSum", ["x", "narrow"], ["y"]), h.make_node("Unsqueeze", ["axis", "zero"], ["axes"]), h.make_node("Identity", ["axes"], ["same"]), h.make_node("ReduceSum", ["x", "same"], ["z"], keepdims=0)],
     {"x": grid}, {"y": T.INT64, "z": T.INT64}, [init("one", np.int64(1)), init("three", np.int64(3)), init("zero", ints(0))])
fixed("ReduceSum over axes that are no neighbours", [h.make_node("ReduceSum", ["x", "a"], ["y"], keepdims=0), h.make_node("ReduceSum", ["y", "b"], ["z"])], {"x": grid}, {"y": T.INT64, "z": T.INT64}, [axes(0, 2), init("b", ints(0))])
with open(sys.argv[1], "w") as out:
    for one in CASES:
        out.write(json.dumps(one) + "\n")
print(len(CASES), "models")
