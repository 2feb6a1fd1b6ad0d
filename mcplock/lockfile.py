"""mcp.lock <-> Lock."""
