"""The Model Context Protocol: the same services as REST, for clients that speak MCP (design section 7)."""
