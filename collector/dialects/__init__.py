"""The dialects, in the order in which they are asked: the first that claims a record reads it.

A dialect that extends another's attributes stands before it.
"""

from __future__ import annotations

from collector.dialects.aisdk import AISDK
from collector.dialects.dialect import Dialect
from collector.dialects.genai import GENAI
from collector.dialects.opencode import OPENCODE
from collector.dialects.openinference import OPENINFERENCE
from collector.dialects.pydantic_ai import PYDANTIC_AI
from collector.dialects.semantic_kernel import SEMANTIC_KERNEL
from collector.dialects.toolspan import TOOLSPAN

DIALECTS: tuple[Dialect, ...] = (
    OPENINFERENCE,
    OPENCODE,
    AISDK,
    PYDANTIC_AI,
    SEMANTIC_KERNEL,
    GENAI,
    TOOLSPAN,
)

__all__ = ["DIALECTS", "Dialect"]
