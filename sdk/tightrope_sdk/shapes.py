"""Whether a call's arguments have the shape of the tool it names, or of another that was offered.

The rules, first match wins. `rule` of a verdict names them:

- `M0` the name is offered and the arguments fit its schema (or there is none): ok.
- `founding` `shell_exec` without a command but with `path` and `content` is a `file_write`, with `path`
  alone a `file_read`; `file_write` with a command and without `path` and `content` is a `shell_exec`.
- `M1` the name is an offered one but for case, separators, namespace or template tokens; or it holds one,
  with something around it, and the arguments fit.
- `M2` it is one or two typing errors away from an offered one, and the arguments fit.
- `M3` it is a synonym of an offered one, and the arguments fit.
- `M4` the name is offered, the arguments do not fit, and they fit exactly one other tool.
- `M5` the name is not offered, and the arguments fit exactly one tool.

Two candidates are never decided between: the verdict is then `ambiguous`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from tightrope_sdk.names import Trie, base, inner, near, normal, synonym, trie, words
from tightrope_sdk.nested import faults

Schema = Mapping[str, Any]

# Arguments that models add of their own accord; they tell nothing about the tool.
_FREE_TEXT = frozenset(
    {"description", "explanation", "justification", "rationale", "reason", "reasoning", "summary", "thought"}
)
# Keys (by their last word) that mean nothing when blank; any other text may well be empty.
_NEVER_BLANK = frozenset({"cmd", "code", "command", "id", "path", "pattern", "query", "script", "uri", "url"})

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}
_FOUNDING = frozenset({"shell_exec", "file_write", "file_read"})
_NESTING = frozenset({"$ref", "items", "properties"})
_MAX_FAULTS = 8
_WRAPPERS = ("arguments", "input", "parameters")
_MAX_JUDGED = 10_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `judge_call` says of a call.

    `recovered` is the tool meant (`misnamed` only), `candidates` every tool that the call could mean,
    `note` the reason in short, such as `shell_exec→file_write (path+content, no command)`.
    `confidence` is 0..1.
    """

    verdict: Literal["ok", "misnamed", "unknown_tool", "invalid_args", "ambiguous"]
    recovered: str | None = None
    candidates: tuple[str, ...] = ()
    note: str = ""
    rule: str = "M0"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Shape:
    """What a JSON schema says of a tool's arguments. `properties` maps a key to its types, None: any."""

    required: frozenset[str]
    properties: Mapping[str, tuple[type, ...] | None]
    values: Mapping[str, tuple[Any, ...]]
    is_open: bool
    nested: Schema | None = None
    """The whole schema, where it says what objects and lists among the arguments hold."""

    @classmethod
    def of(cls, schema: Schema | None) -> Shape | None:
        """The shape of a schema that lists its properties; None of any other: it accepts everything."""
        properties = schema.get("properties") if schema else None
        if schema is None or not isinstance(properties, Mapping):
            return None
        required = schema.get("required")
        described = {key: value if isinstance(value, Mapping) else {} for key, value in properties.items()}
        return cls(
            required=frozenset(filter(_is_text, required))
            if isinstance(required, (list, tuple))
            else frozenset(),
            properties={key: _types(value) for key, value in described.items()},
            values={
                key: tuple(value["enum"])
                for key, value in described.items()
                if isinstance(value.get("enum"), list)
            },
            is_open=bool(schema.get("additionalProperties")) or "patternProperties" in schema,
            nested=schema if any(_NESTING & value.keys() for value in described.values()) else None,
        )

    def missing(self, arguments: Schema) -> list[str]:
        """Required keys that are absent, null, or blank where a blank says nothing."""
        return [
            key
            for key in self.required
            if not _is_given(key, arguments.get(key)) and not self._takes_null(key, arguments)
        ]

    def unknown(self, arguments: Schema) -> list[str]:
        """Keys that the tool does not have; a commentary that a model added is none."""
        return [
            key
            for key, value in arguments.items()
            if key not in self.properties
            and key not in self.required
            and key not in _FREE_TEXT
            and value is not None
        ]

    def mistyped(self, arguments: Schema) -> list[str]:
        """Keys whose value has another type than the schema's, or is none of those it lists."""
        return [
            key for key, value in arguments.items() if value is not None and not self._accepts(key, value)
        ]

    def _takes_null(self, key: str, arguments: Schema) -> bool:
        return arguments.get(key, "") is None and type(None) in (self.properties.get(key) or ())

    def _accepts(self, key: str, value: Any) -> bool:
        types = self.properties.get(key)
        if types is not None:
            if isinstance(value, bool):
                if bool not in types:
                    return False
            elif not isinstance(value, types) and not (
                int in types and isinstance(value, float) and value.is_integer()
            ):
                return False
        return key not in self.values or value in self.values[key]


class Toolbox:
    """The tools that a model was offered, ready to judge its calls. Maps each name to a JSON schema."""

    def __init__(self, tools: Mapping[str, Schema | None]) -> None:
        self._shapes = {name: Shape.of(schema) for name, schema in tools.items()}
        self._near: dict[str, list[str]] = {}
        self._values_count = any(shape and shape.values for shape in self._shapes.values())
        self._judged: dict[tuple[Any, ...], Verdict] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._shapes

    def judge(self, name: str, arguments: Any) -> Verdict:
        """The verdict on a call of `name` with the decoded `arguments` (None: not known)."""
        alike = self._alike(name, arguments)
        if alike is None:
            return self._judge(name, arguments)
        verdict = self._judged.get(alike)
        if verdict is None:
            verdict = self._judge(name, arguments)
            if len(self._judged) < _MAX_JUDGED:
                self._judged[alike] = verdict
        return verdict

    def _alike(self, name: str, arguments: Any) -> tuple[Any, ...] | None:
        """What calls that get the same verdict have in common; None where it depends on the values."""
        if self._values_count or type(arguments) is not dict or "command" in arguments or len(arguments) < 2:
            return None
        parts: list[Any] = [name]
        for key, value in arguments.items():
            kind = type(value)
            if kind is str:
                parts += (key, kind, not value or value.isspace())
            elif kind is int or kind is bool or value is None:
                parts += (key, kind)
            else:
                return None
        return tuple(parts)

    def _judge(self, name: str, arguments: Any) -> Verdict:
        if not self._shapes:
            return self._founding(name, _decoded(arguments)) or Verdict("ok")
        if name in self._shapes:
            return self._judge_offered(name, _decoded(arguments))
        return self._judge_stranger(name, _decoded(arguments))

    def _judge_offered(self, name: str, arguments: Any) -> Verdict:
        shape = self._shapes[name]
        if arguments is None:
            return Verdict("ok")
        if not isinstance(arguments, Mapping):
            return Verdict("ok") if shape is None else Verdict("invalid_args", note="arguments are no object")
        if shape is None:
            return self._founding(name, arguments) or Verdict("ok")
        missing, unknown, mistyped = (
            shape.missing(arguments),
            shape.unknown(arguments),
            shape.mistyped(arguments),
        )
        if not (missing or unknown or mistyped):
            # A tool that can do without any argument also takes those of a call meant for another.
            founding = None if shape.required else self._founding(name, arguments)
            return founding or self._hidden_in_command(name, arguments) or _judge_nested(shape, arguments)
        verdict = (
            self._founding(name, arguments)
            or self._another(name, shape, arguments)
            or self._wrapped(name, arguments)
        )
        if verdict:
            return verdict
        if missing or mistyped:
            return Verdict("invalid_args", note=_complaint(missing, mistyped))
        return Verdict("ok")

    def _judge_stranger(self, name: str, arguments: Any) -> Verdict:
        given = arguments if isinstance(arguments, Mapping) else {}
        for rule, alike, needs_fit in (
            ("M1", self._same_name(name), False),
            ("M1", self._inner_names(name), True),
            ("M2", self._near_names(name), True),
            ("M3", self._synonyms(name), True),
        ):
            fitting = [other for other in alike if self._fits(other, given)]
            candidates = fitting if needs_fit or len(alike) > 1 else alike
            if candidates:
                reason = {"M1": "name", "M2": "typo", "M3": "synonym"}[rule]
                return _decide(name, candidates, rule, reason, {"M1": 1.0, "M2": 0.9, "M3": 0.8}[rule])
        candidates = self._fitting(given)
        if candidates:
            confidence = 0.8 if len(given) > 1 else 0.6
            return _decide(name, candidates, "M5", self._reason(candidates[0], given, []), confidence)
        founding = self._founding(name, arguments)
        if founding:
            return founding
        return Verdict("unknown_tool", note=f"{name}: no such tool", rule="M5")

    def _founding(self, name: str, arguments: Any) -> Verdict | None:
        if base(name) not in _FOUNDING or not isinstance(arguments, Mapping):
            return None
        plain = _meant_by_founding_rule(base(name), arguments)
        if plain is None:
            return None
        meant = next((other for other in self._shapes if base(other) == plain), plain)
        rivals = [other for other in self._fitting(arguments) if other not in (name, meant)]
        if rivals:
            if meant not in self._shapes:
                return None  # what is offered comes first
            return Verdict("ambiguous", candidates=(meant, *rivals), rule="founding", confidence=0.5)
        keys, absent = _founding_keys(plain, arguments)
        return Verdict(
            "misnamed", meant, (meant,), _note(name, meant, _reason(keys, absent)), "founding", 0.95
        )

    def _another(self, name: str, shape: Shape, arguments: Schema) -> Verdict | None:
        """M4. Arguments that are part of the tool's own are an incomplete call of it, not another's."""
        unknown = shape.unknown(arguments)
        if not unknown:
            return None
        missing = sorted(shape.missing(arguments))
        mistyped = False
        candidates = [other for other in self._fitting(arguments) if other != name]
        if not candidates:
            mistyped = True
            candidates = [other for other in self._fitting(arguments, typed=False) if other != name]
        if not missing:
            # The call is complete as it stands. Only what another tool cannot do without speaks against it.
            candidates = [other for other in candidates if not self._required(other).isdisjoint(unknown)]
            if shape.is_open or len(candidates) != 1:
                return None
        if not candidates:
            return None
        confidence = (0.9 if len(arguments) > 1 else 0.8) - (0 if missing else 0.2) - (0.3 if mistyped else 0)
        reason = self._reason(candidates[0], arguments, missing)
        return _decide(name, candidates, "M4", reason, round(confidence, 2))

    def _wrapped(self, name: str, arguments: Schema) -> Verdict | None:
        """Arguments that were put one level too deep."""
        if len(arguments) != 1:
            return None
        key, inner = next(iter(arguments.items()))
        inner = _decoded(inner)
        if key not in _WRAPPERS or not isinstance(inner, Mapping):
            return None
        verdict = self._judge_offered(name, inner)
        return (
            replace(verdict, confidence=verdict.confidence - 0.1) if verdict.verdict == "misnamed" else None
        )

    def _hidden_in_command(self, name: str, arguments: Schema) -> Verdict | None:
        """A "command" that is the JSON of another tool's arguments."""
        command = arguments.get("command")
        if not isinstance(command, str) or command.lstrip()[:1] != "{":
            return None
        inner = _decoded(command)
        if not isinstance(inner, Mapping):
            return None
        candidates = [other for other in self._fitting(inner) if other != name]
        return (
            _decide(name, candidates, "M4", self._reason(candidates[0], inner, ["command"]), 0.8)
            if candidates
            else None
        )

    def _fits(self, name: str, arguments: Schema, typed: bool = True) -> bool:
        shape = self._shapes[name]
        if shape is None:
            return True
        return not (
            shape.missing(arguments) or shape.unknown(arguments) or (typed and shape.mistyped(arguments))
        )

    def _fitting(self, arguments: Schema, typed: bool = True) -> list[str]:
        """The tools that the arguments fit, of those with a required key."""
        return [
            name
            for key in arguments
            for name in self._by_required_key.get(key, ())
            if self._fits(name, arguments, typed)
        ]

    @cached_property
    def _by_required_key(self) -> Mapping[str, list[str]]:
        """Tools by one of their required keys, so that a call is not held against all of them."""
        tools: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._shapes:
            if self._required(name):
                tools[min(self._required(name))].append(name)
        return tools

    def _required(self, name: str) -> frozenset[str]:
        shape = self._shapes[name]
        return shape.required if shape else frozenset()

    @cached_property
    def _by_normal_name(self) -> Mapping[str, list[str]]:
        return _grouped(self._shapes, normal)

    @cached_property
    def _trie(self) -> Trie:
        return trie(self._by_normal_name)

    @cached_property
    def _by_synonym(self) -> Mapping[frozenset[str], list[str]]:
        return _grouped(self._shapes, synonym)

    def _same_name(self, name: str) -> list[str]:
        return self._by_normal_name.get(normal(name), [])

    def _inner_names(self, name: str) -> list[str]:
        found = {other for part in inner(name) for other in self._by_normal_name.get(normal(part), ())}
        return sorted(found)

    def _synonyms(self, name: str) -> list[str]:
        return self._by_synonym.get(synonym(name), [])

    def _near_names(self, name: str) -> list[str]:
        written = normal(name)
        if written not in self._near:
            limit = 2 if len(written) >= 6 else 1 if len(written) >= 4 else 0
            found = list(near(written, self._trie, limit))
            least = min((edits for edits, _ in found), default=0)
            alike = {other for edits, other in found if edits == least}
            self._near[written] = [
                name for other, names in self._by_normal_name.items() if other in alike for name in names
            ]
        return self._near[written]

    def _reason(self, target: str, arguments: Schema, missing: Iterable[str]) -> str:
        required = self._required(target)
        return _reason([key for key in arguments if key in required], missing)


def _judge_nested(shape: Shape, arguments: Schema) -> Verdict:
    wrong = list(islice(faults(arguments, shape.nested), _MAX_FAULTS)) if shape.nested else []
    return Verdict("invalid_args", note="; ".join(wrong)) if wrong else Verdict("ok")


def judge_call(name: str, arguments: Any, tools: Mapping[str, Schema | None]) -> Verdict:
    """The verdict on one call; `tools` maps the offered names to their JSON schemas.

    Without any tool only the founding rule applies. For many calls build one `Toolbox`.
    """
    return Toolbox(tools).judge(name, arguments)


def _meant_by_founding_rule(name: str, arguments: Schema) -> str | None:
    command, path = _is_given("command", arguments.get("command")), _is_given("path", arguments.get("path"))
    content = arguments.get("content") is not None  # an empty file is legal
    if name == "shell_exec" and not command and path:
        if content:
            return "file_write"
        others = (
            {key for key, value in arguments.items() if value is not None} - _FREE_TEXT - {"command", "path"}
        )
        return None if others else "file_read"
    if name == "file_write" and command and not (path and content):
        return "shell_exec"
    return None


def _founding_keys(meant: str, arguments: Schema) -> tuple[list[str], list[str]]:
    if meant == "shell_exec":
        return ["command"], [key for key in ("path", "content") if arguments.get(key) is None]
    return ["path", "content"] if meant == "file_write" else ["path"], ["command"]


def _decide(name: str, candidates: list[str], rule: str, reason: str, confidence: float) -> Verdict:
    if len(candidates) > 1:
        return Verdict("ambiguous", candidates=tuple(sorted(candidates)), rule=rule, confidence=0.5)
    return Verdict(
        "misnamed", candidates[0], tuple(candidates), _note(name, candidates[0], reason), rule, confidence
    )


def _note(name: str, recovered: str, reason: str) -> str:
    return f"{name}→{recovered} ({reason})"


def _reason(present: Iterable[str], missing: Iterable[str]) -> str:
    absent = "+".join(missing)
    return "+".join(present) + (f", no {absent}" if absent else "")


def _complaint(missing: Iterable[str], mistyped: Iterable[str]) -> str:
    parts = [
        f"{what} {', '.join(keys)}"
        for what, keys in (("missing", sorted(missing)), ("mistyped", mistyped))
        if keys
    ]
    return "; ".join(parts)


def learned(calls: Iterable[tuple[str, Schema]]) -> dict[str, Schema]:
    """A schema for each tool, as its successful calls (name, arguments) show it.

    What all of its calls had is required. The tool may take more than was seen, so the schemas are open.
    """
    seen: dict[str, list[Schema]] = {}
    for name, arguments in calls:
        seen.setdefault(name, []).append(arguments)
    return {
        name: {
            "type": "object",
            "properties": {key: {} for arguments in own for key in arguments},
            "required": sorted(set(own[0]).intersection(*own[1:])),
            "additionalProperties": True,
        }
        for name, own in seen.items()
    }


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_given(key: str, value: Any) -> bool:
    if isinstance(value, str) and not value.strip():
        last = words(key)[-1:]
        return not last or last[0] not in _NEVER_BLANK
    return value is not None


def _types(schema: Mapping[str, Any]) -> tuple[type, ...] | None:
    """The Python types that a property takes; None where the schema does not say."""
    named = schema.get("type")
    if isinstance(named, str):
        plain = _TYPES.get(named)
        return (*plain, type(None)) if plain and schema.get("nullable") is True else plain
    options = named if isinstance(named, list) else schema.get("anyOf")
    if not isinstance(options, list):
        return None
    types: list[type] = []
    for option in options:
        found = _types(
            option if isinstance(option, Mapping) else {"type": option} if _is_text(option) else {}
        )
        if found is None:
            return None
        types += found
    return tuple(types)


def _grouped(names: Iterable[str], form: Any) -> dict[Any, list[str]]:
    groups: defaultdict[Any, list[str]] = defaultdict(list)
    for name in names:
        if form(name):
            groups[form(name)].append(name)
    return groups


def _decoded(arguments: Any) -> Any:
    if isinstance(arguments, str):
        try:
            return json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
    return arguments
