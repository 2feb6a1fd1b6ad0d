"""Read a lock and hash each of its tools: what `check --offline` cannot do without.

python hash_lock.py mcp.lock
"""

import hashlib
import json
import sys

with open(sys.argv[1], "rb") as file:
    servers = json.loads(file.read())["servers"]
for server in servers.values():
    for tool in server["tools"].values():
        hashlib.sha256(json.dumps(tool, sort_keys=True).encode()).hexdigest()
