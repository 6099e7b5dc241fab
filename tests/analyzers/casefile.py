from analyzers.testing import Case, load_cases, parse_call, parse_session

__all__ = ["Case", "load_cases", "parse_call", "parse_session"]
