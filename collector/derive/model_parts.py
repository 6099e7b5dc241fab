"""One model call out of its parts: its span, the events on it, its log records, spans nested in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collector.derive.canonical import ModelCall
from collector.derive.tree import Tree
from collector.dialects import messages
from collector.dialects.decode import text_of

_FIELDS = (
    "agent_name",
    "model",
    "provider",
    "server_address",
    "finish_reason",
    "error",
    "definitions",
    "session_id",
)
_SHARED = ("agent_name", "model", "provider", "server_address", "definitions")
"""What a span around several calls says of each of them."""
_COUNTS = ("input_tokens", "output_tokens", "emitter_step")


def join_parts(parts: Iterable[ModelCall]) -> list[ModelCall]:
    """The calls of `parts`, which are ordered by time: those of one span are one call.

    Parts without a span: a record of a whole call is a call by itself; records of single messages
    of one agent and kind belong together up to the model's answer.
    """
    groups: dict[tuple[str, ...], list[ModelCall]] = {}
    loose: dict[tuple[str, ...], int] = {}
    for part in parts:
        key: tuple[str, ...] = (part.trace_id, part.span_id)
        if not part.span_id:
            kind = (part.trace_id, part.agent_name, part.record)
            number = loose.setdefault(kind, 0)
            key = (*kind, str(number))
            loose[kind] = number + (part.rank < 2 or has_answer(part))
        groups.setdefault(key, []).append(part)
    calls = [_join(group) for group in groups.values()]
    return [call for call in calls if call.rank == 0 or has_answer(call)]


def has_answer(call: ModelCall) -> bool:
    """Whether the call holds anything the model answered, what that cost, or that it failed."""
    return call.output_tokens is not None or bool(
        call.text or call.calls or call.reasoning or call.finish_reason or call.error
    )


def has_content(call: ModelCall) -> bool:
    """Whether the call holds anything that the model said or asked for."""
    return bool(call.text or call.calls or call.reasoning)


def _join(parts: list[ModelCall]) -> ModelCall:
    if len(parts) == 1:
        return parts[0]
    single = [part for part in parts if part.rank == 2]
    wholes = sorted((part for part in parts if part.rank < 2), key=lambda part: part.rank)
    if single:
        wholes.append(_join_messages(single))
    call = wholes[0]
    for other in wholes[1:]:
        fill(call, other)
    return call


def _join_messages(parts: list[ModelCall]) -> ModelCall:
    whole = parts[0]
    asked = [part for part in parts if part.input_length]
    for part in parts[1:]:
        _fill_fields(whole, part, ("text", "reasoning", "calls", *_FIELDS))
        for name in _COUNTS:
            if getattr(whole, name) is None:
                setattr(whole, name, getattr(part, name))
        whole.end_ns = max(whole.end_ns, part.end_ns)
    if len(asked) == 1:  # stays as it came: decoded, a long history takes many times the memory
        whole.input, whole.input_length, whole.news = asked[0].input, asked[0].input_length, asked[0].news
    else:
        messages.read_history(whole, [raw for part in asked for raw in messages.as_list(part.input)])
    return whole


def fill(call: ModelCall, other: ModelCall) -> None:
    """Fill what `call` lacks from `other`, another report of the same call.

    An exporter's length limit cuts text and JSON: the longer of two texts is the whole one, the longer
    of two histories too, and arguments that did not parse are replaced by those that did.
    """
    if not has_content(call):
        call.text, call.reasoning, call.calls = other.text, other.reasoning, other.calls
    else:
        if len(other.text) > len(call.text) and other.text.startswith(call.text):
            call.text = other.text
        _fill_calls(call, other)
    if other.input_length > call.input_length:
        call.input, call.input_length, call.news = other.input, other.input_length, other.news
    if other.definitions and len(text_of(other.definitions)) > len(text_of(call.definitions)):
        call.definitions = other.definitions  # some spans hold the tools' names, their records the schemas
    _fill_fields(call, other, _FIELDS)
    for name in _COUNTS:
        if getattr(call, name) is None:
            setattr(call, name, getattr(other, name))


def _fill_fields(call: ModelCall, other: ModelCall, names: Iterable[str]) -> None:
    for name in names:
        if not getattr(call, name):
            setattr(call, name, getattr(other, name))


def _fill_calls(call: ModelCall, other: ModelCall) -> None:
    own = [proposed.call_id for proposed in call.calls]
    if own == [proposed.call_id for proposed in other.calls[: len(own)]]:
        call.calls = [*call.calls, *other.calls[len(own) :]]
    known = {proposed.call_id: proposed.arguments for proposed in other.calls if proposed.call_id}
    for proposed in call.calls:
        better = known.get(proposed.call_id)
        if proposed.arguments is None or (isinstance(proposed.arguments, str) and isinstance(better, dict)):
            proposed.arguments = better if better is not None else proposed.arguments


def join_nested(calls: list[ModelCall], tree: Tree, around: Mapping[str, object]) -> list[ModelCall]:
    """The calls without double reports: a model span inside a model span is the same call.

    `around` gives for each span the nearest record at or above it: an agent or a tool in between
    makes the inner call another agent's. A span around several model spans is no call but their sum:
    it is dropped, but for what it says of all of them (whose they are, of which model).
    """
    inner: dict[str, list[ModelCall]] = {}
    for call in calls:
        outer = around.get(tree.parent(call.span_id))
        if isinstance(outer, ModelCall) and outer is not call and call.span_id in tree:
            inner.setdefault(outer.span_id, []).append(call)
    if not inner:
        return calls
    by_span = {call.span_id: call for call in calls}
    dropped: set[str] = set()
    for span_id in sorted(inner, key=lambda key: (-by_span[key].start_ns, key)):
        nested = [call for call in inner[span_id] if call.span_id not in dropped]
        if len(nested) > 1:
            dropped.add(span_id)
            outer = by_span[span_id]
            for call in nested:
                _fill_fields(call, outer, _SHARED)
            # Tries that export no content: the last of them was answered with what the outer span holds.
            if not any(has_content(call) for call in nested):
                last = max(nested, key=lambda call: (not call.error, call.start_ns, call.span_id))
                last.text, last.reasoning, last.calls = outer.text, outer.reasoning, outer.calls
                last.input, last.input_length, last.news = outer.input, outer.input_length, outer.news
        elif nested and span_id not in dropped:
            merge_inner(by_span[span_id], nested[0])
            dropped.add(nested[0].span_id)
    return [call for call in calls if call.span_id not in dropped]


def merge_inner(outer: ModelCall, inner: ModelCall) -> None:
    """What the innermost span says is nearest to the model: its answer and its tokens stand."""
    if has_content(inner):
        outer.text, outer.reasoning, outer.calls = inner.text, inner.reasoning, inner.calls
    outer.input_tokens = outer.input_tokens if inner.input_tokens is None else inner.input_tokens
    outer.output_tokens = outer.output_tokens if inner.output_tokens is None else inner.output_tokens
    fill(outer, inner)
