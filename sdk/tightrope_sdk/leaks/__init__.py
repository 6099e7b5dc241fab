"""Tool calls that a model wrote as text and no server parsed: the formats, and how to find them."""

from tightrope_sdk.leaks.formats import FORMATS, MARKER, advice, by_label, format_table
from tightrope_sdk.leaks.model import Call, Format, Leak, Tier
from tightrope_sdk.leaks.scan import SIGNS, find_leaks, may_leak
from tightrope_sdk.leaks.server_errors import ServerError, find_server_error

__all__ = [
    "FORMATS",
    "MARKER",
    "SIGNS",
    "Call",
    "Format",
    "Leak",
    "ServerError",
    "Tier",
    "advice",
    "by_label",
    "find_leaks",
    "find_server_error",
    "format_table",
    "may_leak",
]
