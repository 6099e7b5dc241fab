"""Tightrope for the agent's own process: the pure rules that safety nets and analyzers share."""
