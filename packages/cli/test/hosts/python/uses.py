"""Uses of modules whose types mypy checks: a comment that ignores an error which is none is an error."""

from typing import Any

import line_index
import numpy as np
import tiles
import weighted
from numpy.typing import NDArray


class Tensor:
    def __dlpack__(self, stream: Any = None) -> Any: ...

    def __dlpack_device__(self) -> Any: ...


x = np.zeros(3, np.float32)
results = line_index.run(text=b"")
line: NDArray[np.uint32] = results.line
lines: np.uint32 = results.lines
floats: NDArray[np.float32] = results.line  # type: ignore[assignment]
tensor: Tensor = line_index.run(Tensor()).line
line_index.run([1])  # type: ignore[call-overload]
line_index.run()  # type: ignore[call-overload]
weighted.run(x, x, scale=0.5).sums
weighted.run(x, x, scale="1")  # type: ignore[call-overload]
weighted.run(x, x)  # type: ignore[call-overload]
tiles.run(np.zeros(6, np.int32), size=(2, 3), offset=(1, 1))
tiles.run(np.zeros(6, np.int32), size=(2, 3, 4))  # type: ignore[arg-type]
