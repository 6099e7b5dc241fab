"""The analyzers: one file per finding kind, pure functions of a session.

`ANALYZERS` is the whole list; adding one means adding its module, its cases and its page.
"""

from analyzers.contradicted_claim import contradicted_claims
from analyzers.duplicate_side_effect import duplicate_side_effects
from analyzers.edit_as_replace import edit_as_replace
from analyzers.leaked_tool_call import leaked_tool_call
from analyzers.malformed_arguments import malformed_arguments
from analyzers.misnamed_tool import misnamed_tools
from analyzers.model import SEVERITIES, Finding, OfferedTool, Rescue, Round, Session, Severity, ToolCall
from analyzers.orphan_tool_call import orphan_tool_calls
from analyzers.registry import Analyzer, AnalyzerError, analyzer
from analyzers.repetition_loop import repetition_loops
from analyzers.stalled_run import stalled_runs
from analyzers.unverified_completion import unverified_completion

ANALYZERS: tuple[Analyzer, ...] = (
    contradicted_claims,
    duplicate_side_effects,
    edit_as_replace,
    leaked_tool_call,
    malformed_arguments,
    misnamed_tools,
    orphan_tool_calls,
    repetition_loops,
    stalled_runs,
    unverified_completion,
)

__all__ = [
    "ANALYZERS",
    "SEVERITIES",
    "Analyzer",
    "AnalyzerError",
    "Finding",
    "OfferedTool",
    "Rescue",
    "Round",
    "Session",
    "Severity",
    "ToolCall",
    "analyzer",
]
