"""Acts in the world: which calls are such, and when two of them are one and the same."""
