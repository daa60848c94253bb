"""Runs the jobs of a file with the host beside the emitted files: driver.py FOLDER JOBS."""

import struct
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import groupwise_host as host  # noqa: E402
import numpy as np  # noqa: E402

FORMATS = {"bool": "?", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e", "f32": "f", "f64": "d"}
programs, queue, run = {}, None, {}
for line in Path(sys.argv[2]).read_text().splitlines():
    word, *rest = line.split()
    if word == "job":
        run = {"values": {}, "size": None, "offset": None}
    elif word == "array":
        run["values"][rest[0]] = np.fromfile(rest[2], host.DTYPES[rest[1]])
    elif word == "number":
        bits = int(rest[2]).to_bytes(8, "little")
        (run["values"][rest[0]],) = struct.unpack_from("<" + FORMATS[rest[1]], bits)
    elif word in ("size", "offset"):
        run[word] = tuple(map(int, rest))
    elif word == "run":
        manifest, out = rest[0], Path(rest[2])
        try:
            if manifest not in programs:
                programs[manifest] = host.load(manifest, queue=queue)
                queue = queue or getattr(programs[manifest].device, "queue", None)
            for name, array in programs[manifest].run(**run).items():
                array.tofile(out / name)
        except host.HostError as error:
            (out / "error").write_text(str(error))
