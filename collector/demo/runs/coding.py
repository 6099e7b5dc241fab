"""A coding agent with a shell and files."""

from __future__ import annotations

from collector.demo.model import GPT_OSS, LLAMA, MISTRAL, QWEN, Call, Model, Rescue, Run, Stage, Tool, Turn

SYSTEM = (
    "You are a coding agent in a Python repository. Work with the tools; run the tests before you finish."
)
STAGE = Stage(
    "code-assistant",
    "coder",
    "",
    (
        Tool("shell_exec", "Run a shell command.", {"command": "string"}, {"timeout": "number"}),
        Tool("file_read", "Read a file.", {"path": "string"}),
        Tool("file_write", "Write a file.", {"path": "string", "content": "string"}),
    ),
)
_NO_COMMAND = "shell_exec: missing required argument 'command'"


def _shell(command: str, result: str) -> Turn:
    return Turn(calls=(Call("shell_exec", {"command": command}, result),))


def _write(path: str, content: str) -> Turn:
    return Turn(calls=(Call("file_write", {"path": path, "content": content}, f"wrote {path}"),))


def write_by_shell(model: Model, path: str, content: str, times: int) -> Run:
    """A file's path and content sent to the shell, refused, and sent again until the round cap."""
    call = Call("shell_exec", {"path": path, "content": content}, error=_NO_COMMAND)
    return Run(
        "write-by-shell",
        STAGE,
        model,
        (
            Turn(user=f"Create {path}.", calls=(call,)),
            *(Turn(calls=(call,)) for _ in range(times - 1)),
        ),
        findings=("misnamed_tool", "repetition_loop", "stalled_run"),
    )


def write_by_shell_once(model: Model) -> Run:
    """The same mistake with empty content, which the model mends by itself."""
    return Run(
        "write-by-shell-once",
        STAGE,
        model,
        (
            Turn(
                user="Make the folder billing a package.",
                calls=(
                    Call("shell_exec", {"path": "billing/__init__.py", "content": ""}, error=_NO_COMMAND),
                ),
            ),
            _write("billing/__init__.py", ""),
            Turn("I created billing/__init__.py, so billing is a package now."),
        ),
        findings=("misnamed_tool",),
    )


def tokens_in_name(model: Model) -> Run:
    """Template tokens stuck to the tool's name, for which the harness knows no tool."""
    name = "file_read<|channel|>commentary"
    return Run(
        "tokens-in-name",
        STAGE,
        model,
        (
            Turn(
                user="Which port does config/server.toml set?",
                calls=(Call(name, {"path": "config/server.toml"}, error=f"Unknown tool: {name}"),),
            ),
            Turn(
                calls=(
                    Call(
                        "file_read",
                        {"path": "config/server.toml"},
                        '[server]\nhost = "0.0.0.0"\nport = 8080\n',
                    ),
                ),
            ),
            Turn("config/server.toml sets port 8080."),
        ),
        findings=("misnamed_tool",),
    )


def recovered_name(model: Model, path: str, content: str) -> Run:
    """The same mistake, recovered by the backend before the call ran."""
    return Run(
        "recovered-name",
        STAGE,
        model,
        (
            Turn(
                user=f"Write {path}.",
                calls=(
                    Call(
                        "file_write",
                        {"path": path, "content": content},
                        f"wrote {path}",
                        requested="shell_exec",
                        rescue=Rescue(
                            "tool_name_recovered",
                            "name_recovery",
                            original="shell_exec",
                            recovered="file_write",
                            note="path and content, no command",
                        ),
                    ),
                ),
            ),
            Turn(f"I wrote {path}."),
        ),
        findings=("misnamed_tool",),
        rescues=("tool_name_recovered",),
    )


def cut_call(model: Model) -> Run:
    """A file too long for the limit of output tokens: its call ends in the middle, then it goes in parts."""
    whole = (
        "def parse(line):\n    name, _, value = line.partition('=')\n    return name.strip(), value.strip()\n"
    )
    return Run(
        "cut-call",
        STAGE,
        model,
        (
            Turn(
                user="Write src/settings.py with the parser and its tests.",
                calls=(
                    Call(
                        "file_write",
                        '{"path": "src/settings.py", "content": "def parse(line):\\n    name, _, val',
                        error="file_write: the arguments are not valid JSON (unexpected end)",
                    ),
                ),
            ),
            _write("src/settings.py", whole),
            Turn("I wrote the parser to src/settings.py; the tests are still to do."),
        ),
        findings=("malformed_arguments",),
    )


def announced_tests(model: Model) -> Run:
    """The last text announces the tests, and the run ends there."""
    return Run(
        "announced-tests",
        STAGE,
        model,
        (
            Turn(
                user="Does rounding in prices.py still work?",
                calls=(
                    Call("file_read", {"path": "prices.py"}, "def net(gross):\n    return gross / 1.19\n"),
                ),
            ),
            Turn("net() in prices.py does not round at all. Let me run the tests to see what they expect:"),
        ),
        findings=("stalled_run",),
    )


def lost_call(model: Model) -> Run:
    """Of two reads asked for at once one was never run nor answered, and the model goes on all the same."""
    return Run(
        "lost-call",
        STAGE,
        model,
        (
            Turn(
                user="Do api/v1.py and api/v2.py take the same parameters?",
                calls=(
                    Call("file_read", {"path": "api/v1.py"}, "def search(query, limit=10): ...\n"),
                    Call("file_read", {"path": "api/v2.py"}, lost=True),
                ),
            ),
            Turn("search() in api/v1.py takes query and limit. Of api/v2.py I have not seen anything."),
        ),
        findings=("orphan_tool_call",),
    )


def lost_sections(model: Model, path: str) -> Run:
    """A section was to be added to a document; what was written holds nothing but that section."""
    old = (
        "# Operations\n\nHow to run the service.\n\n## Start\n\nRun `make up`.\nWait for the port.\n\n"
        "## Backup\n\nEvery night at two.\nKept for a month.\n\n## Limits\n\nTen requests a second.\n"
    )
    return Run(
        "lost-sections",
        STAGE,
        model,
        (
            Turn(
                user=f"Add a section on retries to {path}.",
                calls=(Call("file_read", {"path": path}, old),),
            ),
            _write(path, "## Retries\n\nA failed request is sent again three times.\n"),
            Turn(f"I added the section on retries to {path}."),
        ),
        findings=("edit_as_replace",),
    )


def not_run_again(model: Model, module: str) -> Run:
    """A test fails, the code is changed, and the answer comes without another run."""
    return Run(
        "not-run-again",
        STAGE,
        model,
        (
            Turn(
                user=f"Make tests/test_{module}.py pass.",
                calls=(
                    Call(
                        "shell_exec",
                        {"command": f"pytest tests/test_{module}.py -q"},
                        "FF.. 2 failed, 2 passed in 0.31s",
                    ),
                ),
            ),
            Turn(
                calls=(
                    Call("file_read", {"path": f"{module}.py"}, "def total(items):\n    return sum(items)\n"),
                )
            ),
            _write(f"{module}.py", "def total(items):\n    return sum(i.price for i in items)\n"),
            Turn(f"I fixed total() in {module}.py: it adds up the prices of the items."),
        ),
        findings=("unverified_completion",),
    )


def leaked_xml(model: Model, test: str) -> Run:
    """A call in the format of qwen3_coder behind a server that parses hermes: it stays text, twice."""
    return Run(
        "leaked-xml-call",
        STAGE,
        model,
        (
            Turn(
                "I'll look at the failing test first.\n\n<tool_call>\n<function=shell_exec>\n"
                f"<parameter=command>\npytest {test} -x\n</parameter>\n</function>\n"
                "</tool_call>",
                user=f"{test} fails since this morning. Please find out why.",
            ),
            Turn(
                f"<tool_call>\n<function=file_read>\n<parameter=path>\n{test}\n</parameter>\n"
                "</function>\n</tool_call>",
                user="You have not called a tool yet. Please go on.",
            ),
        ),
        findings=("leaked_tool_call",),
    )


def tests_and_edits(model: Model, module: str) -> Run:
    """The same test command again and again with edits in between: work, not a loop."""
    test = f"pytest tests/test_{module}.py -q"
    return Run(
        "tests-and-edits",
        STAGE,
        model,
        (
            Turn(
                user=f"Make tests/test_{module}.py pass.",
                calls=(Call("shell_exec", {"command": test}, "FF.. 2 failed, 2 passed in 0.31s"),),
            ),
            Turn(
                calls=(
                    Call("file_read", {"path": f"{module}.py"}, "def total(items):\n    return sum(items)\n"),
                )
            ),
            _write(f"{module}.py", "def total(items):\n    return sum(i.price for i in items)\n"),
            _shell(test, "F... 1 failed, 3 passed in 0.30s"),
            _write(f"{module}.py", "def total(items):\n    return sum(i.price * i.count for i in items)\n"),
            _shell(test, ".... 4 passed in 0.29s"),
            Turn(
                f"All 4 tests in tests/test_{module}.py pass now: total() multiplies each price by its count."
            ),
        ),
    )


def read_in_pages(model: Model) -> Run:
    """One file read window by window: the offsets move, so it is no loop."""
    windows = ("[imports and settings]", "[class Ledger]", "[class Posting]", "[def main, reads sys.argv]")
    return Run(
        "read-in-pages",
        STAGE,
        model,
        (
            Turn(
                user="What does the entry point of ledger.py read?",
                calls=(Call("shell_exec", {"command": "wc -l ledger.py"}, "780 ledger.py"),),
            ),
            *(
                _shell(f"sed -n {200 * n + 1},{200 * n + 200}p ledger.py", window)
                for n, window in enumerate(windows)
            ),
            Turn("main() in ledger.py reads its input from sys.argv."),
        ),
    )


RUNS = (
    write_by_shell(
        LLAMA, "src/slugify.py", "def slugify(text):\n    return text.lower().replace(' ', '-')\n", 12
    ),
    write_by_shell(GPT_OSS, "docs/setup.md", "# Set-up\n\nRun `make install`.\n", 6),
    write_by_shell_once(LLAMA),
    write_by_shell_once(MISTRAL),
    tokens_in_name(GPT_OSS),
    recovered_name(LLAMA, "src/retry.py", "RETRIES = 3\n"),
    recovered_name(QWEN, "notes/plan.md", "- parser\n- tests\n"),
    cut_call(QWEN),
    announced_tests(LLAMA),
    lost_call(QWEN),
    lost_sections(LLAMA, "docs/operations.md"),
    lost_sections(MISTRAL, "docs/runbook.md"),
    not_run_again(LLAMA, "shipping"),
    not_run_again(GPT_OSS, "discount"),
    leaked_xml(QWEN, "tests/test_invoice.py"),
    leaked_xml(QWEN, "tests/test_tax.py"),
    tests_and_edits(QWEN, "basket"),
    tests_and_edits(GPT_OSS, "invoice"),
    read_in_pages(MISTRAL),
)
