"""Reads lines of a name and bytes in hex, and prints of each what it means and its bytes, written anew; see PythonTest.

The first argument is a folder with a generated module ``generated``.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, sys.argv[1])

import generated  # noqa: E402
from slipstream_client import records  # noqa: E402

for line in sys.stdin:
    name, data = line.split()
    try:
        value = getattr(generated, name).decode(bytes.fromhex(data))
        print(value.encode().hex(), value)
    except (records.DecodeError, records.EncodeError) as error:
        print("-", error)
