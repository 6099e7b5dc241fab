"""How arguments break a tool's schema, for `malformed_arguments`."""
