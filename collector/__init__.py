"""Tightrope's collector: telemetry in, stored, derived; the query API; the command line."""

__version__ = "0.1.0"
