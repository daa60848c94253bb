#!/usr/bin/env bash
# One would guess that the place that `argmax` gives is in the domain that it searches (Halide.h: the coordinates are those of a point in the RDom), as it
# is for 1, 1, 1 at 2 to 4, whose place is 2.
# Halide 14.0.0 begins with the place 0 and the least value of the type, and takes an item only if it is greater. If all items are that value, the place is
# 0: of -inf, -inf, -inf at 2 to 4 it is 0, which is not searched, and where another item is, though the value is right. So is it with the least integers (0
# of uint8), and with `argmin` of the greatest.
# Source: src/InlineReductions.cpp. Debian 12: python3-halide 14.0.0-3 with LLVM 14.0.6, x86-64. Needs apt-get, dpkg and Python 3.11.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q {python3-halide,libhalide14-0}=14.0.0-3 libllvm14=1:14.0.6-12 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
cat >place.py <<'PY'
import halide as hl

inf = float("inf")
print("Halide 14.0.0")
for type, name, item in (
    (hl.Float(32), "argmax", 1.0),
    (hl.Float(32), "argmax", -inf),
    (hl.Float(32), "argmin", inf),
    (hl.Int(32), "argmax", -(2**31)),
    (hl.Int(32), "argmin", 2**31 - 1),
    (hl.UInt(8), "argmax", 0),
):
    x = hl.Buffer(type, [5])
    for i in range(5):
        x[i] = item if i >= 2 else 9
    searched = hl.RDom([(2, 3)])
    result = hl.Func()
    result[()] = getattr(hl, name)(x[searched.x])
    place, value = (part[()] for part in result.realize())
    print(f"{type} {[x[i] for i in range(5)]}: {name} of 2 to 4 is {place}, value {value}, item there {x[place]}")
PY
cat >expected <<'T'
Halide 14.0.0
float32 [9.0, 9.0, 1.0, 1.0, 1.0]: argmax of 2 to 4 is 2, value 1.0, item there 1.0
float32 [9.0, 9.0, -inf, -inf, -inf]: argmax of 2 to 4 is 0, value -inf, item there 9.0
float32 [9.0, 9.0, inf, inf, inf]: argmin of 2 to 4 is 0, value inf, item there 9.0
int32 [9, 9, -2147483648, -2147483648, -2147483648]: argmax of 2 to 4 is 0, value -2147483648, item there 9
int32 [9, 9, 2147483647, 2147483647, 2147483647]: argmin of 2 to 4 is 0, value 2147483647, item there 9
uint8 [9, 9, 0, 0, 0]: argmax of 2 to 4 is 0, value 0, item there 9
T
LD_LIBRARY_PATH=$PWD/root/usr/lib/x86_64-linux-gnu PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages python3 place.py | tee seen
diff seen expected
