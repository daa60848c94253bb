"""Evaluates the calls of NumPy in the first columns of coming-from-numpy.md, and writes their values:
python3 values.py > values.json; npx biome check --write values.json"""

import json
import pathlib
import re
from itertools import accumulate

import numpy as np

page = (pathlib.Path(__file__).parent / "../../coming-from-numpy.md").read_text()
names = {"np": np, "nan": np.nan, "accumulate": accumulate}
exec(re.search(r"^```py\n(.*?)^```$", page, re.M | re.S)[1], names)


def plain(value):
    """A number as JSON has it: NaN and the infinities as text."""
    return value if isinstance(value, int) or np.isfinite(value) else str(value)


def values(call):
    result = np.atleast_1d(eval(call, names)).ravel()
    return [plain(value) for value in (result.astype(int) if result.dtype == bool else result).tolist()]


calls = [call for call in re.findall(r"^\| `(.*?)` \|", page, re.M)]
rows = ",\n".join(f"    {json.dumps(call)}: {json.dumps(values(call))}" for call in calls)
print(f'{{\n  "numpy": "{np.__version__}",\n  "values": {{\n{rows}\n  }}\n}}')
