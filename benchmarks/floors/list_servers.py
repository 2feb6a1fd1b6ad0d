"""Start servers, all at once, and list their tools: what `check` cannot do without.

python list_servers.py '[["python", "server.py"], …]'
"""

import json
import subprocess
import sys

GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "floor", "version": "1"},
}
MESSAGES = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": GREETING},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)

processes = [
    subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    for command in json.loads(sys.argv[1])
]
for process in processes:
    for message in MESSAGES:
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
for process in processes:
    process.stdout.readline()
    json.loads(process.stdout.readline())["result"]["tools"]
for process in processes:
    process.stdin.close()
    process.wait()
