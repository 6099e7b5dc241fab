"""The dialects, in the order in which they are asked: the first that claims a record reads it.

A dialect that extends another's attributes stands before it.
"""

from __future__ import annotations

from collector.dialects.aisdk import AISDK
from collector.dialects.autogen import AUTOGEN
from collector.dialects.chain import Chain
from collector.dialects.claude_code import CLAUDE_CODE
from collector.dialects.codex import CODEX
from collector.dialects.crewai import CREWAI
from collector.dialects.dialect import Dialect
from collector.dialects.gemini_cli import GEMINI_CLI
from collector.dialects.genai import GENAI
from collector.dialects.google_adk import GOOGLE_ADK
from collector.dialects.haystack import HAYSTACK
from collector.dialects.laminar import LAMINAR
from collector.dialects.langfuse import LANGFUSE
from collector.dialects.langsmith import LANGSMITH
from collector.dialects.mastra import MASTRA
from collector.dialects.mlflow import MLFLOW
from collector.dialects.opencode import OPENCODE
from collector.dialects.openinference import OPENINFERENCE
from collector.dialects.pydantic_ai import PYDANTIC_AI
from collector.dialects.qwen_code import QWEN_CODE
from collector.dialects.semantic_kernel import SEMANTIC_KERNEL
from collector.dialects.toolspan import TOOLSPAN
from collector.dialects.traceloop import TRACELOOP

DIALECTS: tuple[Dialect, ...] = (
    CREWAI,
    OPENINFERENCE,
    CLAUDE_CODE,
    CODEX,
    GEMINI_CLI,
    QWEN_CODE,
    OPENCODE,
    AISDK,
    LANGFUSE,
    LANGSMITH,
    MLFLOW,
    LAMINAR,
    HAYSTACK,
    PYDANTIC_AI,
    GOOGLE_ADK,
    SEMANTIC_KERNEL,
    AUTOGEN,
    MASTRA,
    TRACELOOP,
    GENAI,
    TOOLSPAN,
)

CHAIN = Chain(DIALECTS)

__all__ = ["CHAIN", "DIALECTS", "Chain", "Dialect"]
