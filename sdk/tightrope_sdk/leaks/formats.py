"""The table of formats: which text shapes leak, and which server flag would have parsed each.

Flags and families after the parsers of vLLM 0.33.0, SGLang 0.5.10, llama.cpp and Ollama. Where
several formats share an opener, the first one in the table whose grammar matches is taken.
"""

from __future__ import annotations

from tightrope_sdk.leaks import fenced, harmony, prompted, pythonic, tokens, xml_bodied
from tightrope_sdk.leaks.json_bodied import behind, functools_body, hermes, json_body
from tightrope_sdk.leaks.model import Format, either
from tightrope_sdk.leaks.names import NAME
from tightrope_sdk.leaks.tokens import deepseek_token, named

_NAMED_HEAD = rf"<name>\s?({NAME})\s?</name>\s{{0,20}}<arguments>"
_NAMED_TAIL = r"</arguments>(?:\s{0,20}</tool_call>)?"
_ANT = "antml:"
_DS_BEGIN = ("<｜tool▁calls▁begin｜>", "<|tool▁calls▁begin|>", "<|tool_calls_begin|>")
_DS_CALL = ("<｜tool▁call▁begin｜>", "<|tool▁call▁begin|>", "<|tool_call_begin|>")
_DS_SECTION, _DS_SECTION_END = deepseek_token("tool calls begin"), deepseek_token("tool calls end")
_DS_HEAD, _DS_SEP, _DS_END = (deepseek_token(f"tool {w}") for w in ("call begin", "sep", "call end"))
_DSML = tokens.DSML_PREFIX
_IFM, _IFM_TAIL = r"<ifm\|tool_calls>\s{0,4}", r"</ifm\|tool_call>"
_IFM_HEAD = rf"<ifm\|tool_call>\s?({NAME})\s{{0,4}}(?:<ifm\|\w{{1,40}}>\s{{0,4}}){{0,4}}(?={{)"
_IFM_JSON = behind(r"(?:<ifm\|tool_calls>\s{0,4})?<ifm\|tool_call>", json_body("</ifm|tool_call>"))

FORMATS: tuple[Format, ...] = (
    Format(
        "hermes",
        "Hermes 2/3, Qwen2.5, QwQ, Qwen3 (not Coder), Granite 4, ERNIE 4.5",
        '<tool_call>{"name": N, "arguments": {…}}</tool_call>',
        ("<tool_call>", "<tools>", "</tool_call>", '<tool_call name="'),
        either(
            hermes("</tool_call>"),
            named("<tool_call>", _NAMED_HEAD, _NAMED_TAIL, proof=False),
            named("", rf"<tool_call>\s{{0,8}}({NAME})\s{{0,8}}(?={{)", "</tool_call>", proof=False),
            named("", rf'<tool_call name="({NAME})">', "</tool_call>", proof=False),
            behind("<tool_call>", pythonic.listed("</tool_call>", bare=True)),
        ),
        vllm=("hermes", "qwen3_json", "granite4", "ernie45"),
        sglang=("hermes", "qwen25", "qwen", "trinity"),
        section="<tool_call>",
    ),
    Format(
        "qwen3_xml",
        "Qwen3-Coder, Qwen3.5/3.6, Nemotron 3, Step 3.5, MiMo",
        "<tool_call><function=N><parameter=K>V</parameter></function></tool_call>",
        ("<tool_call>", "<function=", "<parameter="),
        either(xml_bodied.coder(), xml_bodied.headless),
        vllm=("qwen3_coder", "qwen3_xml", "step3p5", "step5", "mimo"),
        sglang=("qwen3_coder", "step3p5", "mimo"),
        section="<tool_call>",
    ),
    Format(
        "glm",
        "GLM 4.5 to 4.7, Poolside, Ling 3",
        "<tool_call>N<arg_key>K</arg_key><arg_value>V</arg_value></tool_call>",
        ("<tool_call>",),
        xml_bodied.keyed_values,
        vllm=("glm45", "glm47", "poolside_v1", "ling3"),
        sglang=("glm45", "glm47", "glm"),
        section="<tool_call>",
    ),
    Format(
        "granite",
        "Granite 3.0, 3.1",
        '<|tool_call|>[{"name": N, "arguments": {…}}]',
        ("<|tool_call|>", "<tool_call>"),
        json_body("<|end_of_text|>", "</tool_call>", many=True),
        vllm=("granite",),
    ),
    Format(
        "granite_20b",
        "Granite 20B function calling",
        '<function_call> {"name": N, "arguments": {…}}',
        ("<function_call>",),
        json_body("</function_call>"),
        vllm=("granite-20b-fc",),
    ),
    Format(
        "functionary",
        "Functionary 3.1",
        "<function=N>{…}</function>",
        ("<function=",),
        named("", rf"<function=({NAME})>", "</function>", proof=False),
    ),
    Format(
        "seed_oss",
        "Seed-OSS",
        "<seed:tool_call><function=N><parameter=K>V</parameter></function></seed:tool_call>",
        ("<seed:tool_call>",),
        xml_bodied.coder("<seed:tool_call>", "</seed:tool_call>"),
        vllm=("seed_oss",),
        section="<seed:tool_call>",
    ),
    Format(
        "hunyuan_v3",
        "Hunyuan 3 and 4",
        "<tool_calls><tool_call>N<tool_sep><arg_key>K</arg_key><arg_value>V</arg_value></tool_call></tool_calls>",
        ("<tool_calls>", "<tool_calls:", "<tool_call:"),
        xml_bodied.keyed_values,
        vllm=("hy_v3", "hy_v4"),
    ),
    Format(
        "jamba_hunyuan",
        "Jamba 1.5, Hunyuan A13B, Apriel",
        '<tool_calls>[{"name": N, "arguments": {…}}]</tool_calls>',
        ("<tool_calls>",),
        json_body("</tool_calls>", many=True),
        vllm=("jamba", "hunyuan_a13b"),
    ),
    Format(
        "nemotron_nano",
        "Nemotron Nano v2",
        '<TOOLCALL>[{"name": N, "arguments": {…}}]</TOOLCALL>',
        ("<TOOLCALL>",),
        json_body("</TOOLCALL>", many=True),
    ),
    Format(
        "longcat",
        "LongCat",
        '<longcat_tool_call>{"name": N, "arguments": {…}}</longcat_tool_call>',
        ("<longcat_tool_call>",),
        json_body("</longcat_tool_call>"),
        vllm=("longcat",),
    ),
    Format(
        "minicpm5",
        "MiniCPM 5",
        '<function name="N"><param name="K">V</param></function>',
        ('<function name="',),
        xml_bodied.invoke("", "tool_calls?", tag="function", param="param"),
        vllm=("minicpm5",),
    ),
    Format(
        "minimax_m2",
        "MiniMax M2",
        '<minimax:tool_call><invoke name="N"><parameter name="K">V</parameter></invoke></minimax:tool_call>',
        ("<minimax:tool_call>",),
        xml_bodied.invoke("", "minimax:tool_call"),
        vllm=("minimax_m2",),
        sglang=("minimax-m2",),
    ),
    Format(
        "minimax_m3",
        "MiniMax M3",
        "]<]minimax[>[…",
        ("]<]minimax[>[",),
        either(xml_bodied.namespaced(r"\]<\]minimax\[>\["), tokens.fragment),
        vllm=("minimax_m3",),
        special=True,
    ),
    Format(
        "anthropic_invoke",
        "Claude's text form, and GLM and DeepSeek imitating it",
        '<function_calls><invoke name="N"><parameter name="K">V</parameter></invoke></function_calls>',
        ("<function_calls>", f"<{_ANT}function_calls>", "<invoke name=", f"<{_ANT}invoke name="),
        xml_bodied.invoke(f"(?:{_ANT})?", f"(?:{_ANT})?function_calls"),
    ),
    Format(
        "olmo3",
        "OLMo 3",
        "<function_calls>N(K='V')</function_calls>",
        ("<function_calls>",),
        pythonic.listed("</function_calls>", bare=True),
        vllm=("olmo3",),
    ),
    Format(
        "muse_atem",
        "Muse",
        '<atem:invoke name="N"><atem:parameter name="K">V</atem:parameter></atem:invoke>',
        ("<atem:function_calls>", '<atem:invoke name="'),
        xml_bodied.invoke("atem:", "atem:function_calls"),
        vllm=("muse", "muse_glimmer"),
    ),
    Format(
        "step3",
        "Step 3",
        '<｜tool_calls_begin｜>…<steptml:invoke name="N"><steptml:parameter name="K">V</steptml:parameter>',
        ("<｜tool_calls_begin｜>", "<｜tool_call_begin｜>", '<steptml:invoke name="'),
        xml_bodied.tags(
            r"<｜tool_calls?_begin｜>(?:\s?<｜tool_call_begin｜>)?(?:function)?(?:<｜tool_sep｜>)?",
            r'<steptml:invoke\s+name="([^"<>]{1,128})"\s?>',
            "</steptml:invoke>",
            r'<steptml:parameter\s+name="([^"<>]{1,128})"\s?>',
            "</steptml:parameter>",
            wrap_end=r"<｜tool_call_end｜>(?:\s?<｜tool_calls_end｜>)?",
        ),
        vllm=("step3",),
        sglang=("step3",),
        special=True,
    ),
    Format(
        "deepseek_dsml",
        "DeepSeek V3.2, V4",
        '<｜DSML｜function_calls><｜DSML｜invoke name="N"><｜DSML｜parameter name="K">V',
        ("DSML",),
        tokens.dsml(xml_bodied.invoke(_DSML, rf"{_DSML}\s?(?:function_calls|tool_calls|calls)")),
        vllm=("deepseek_v32", "deepseek_v4", "deepseek_v41"),
        sglang=("deepseekv32",),
        special=True,
    ),
    Format(
        "deepseek_v3",
        "DeepSeek V3-0324, R1-0528",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>N\\n```json\\n{…}\\n```<｜tool▁call▁end｜>",
        (*_DS_BEGIN, *_DS_CALL),
        named(
            _DS_SECTION,
            rf"{_DS_HEAD}\s?function\s?{_DS_SEP}\s?({NAME})\s{{1,4}}```(?:json)?\s{{0,4}}",
            rf"(?:```)?\s{{0,4}}(?:{_DS_END})?",
            _DS_SECTION_END,
        ),
        vllm=("deepseek_v3",),
        sglang=("deepseekv3",),
        special=True,
    ),
    Format(
        "deepseek_v31",
        "DeepSeek V3.1",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>N<｜tool▁sep｜>{…}<｜tool▁call▁end｜>",
        (*_DS_BEGIN, *_DS_CALL),
        named(_DS_SECTION, rf"{_DS_HEAD}\s?({NAME})\s?{_DS_SEP}", _DS_END, _DS_SECTION_END),
        vllm=("deepseek_v31",),
        sglang=("deepseekv31",),
        special=True,
    ),
    Format(
        "kimi_k2",
        "Kimi K2",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.N:0<|tool_call_argument_begin|>{…}<|tool_call_end|>",
        ("<|tool_calls_section_begin|>", "<|tool_call_begin|>"),
        named(
            r"<\|tool_calls_section_begin\|>",
            tokens.KIMI_HEAD,
            r"<\|tool_call_end\|>",
            r"<\|tool_calls_section_end\|>",
        ),
        vllm=("kimi_k2",),
        sglang=("kimi_k2",),
        special=True,
    ),
    Format(
        "kimi_k3",
        "Kimi K3",
        '<|open|>tools<|sep|><|open|>call tool="N" index="1"<|sep|><|open|>argument key="K"<|sep|>V',
        ("<|open|>tools", "<|open|>call tool="),
        tokens.kimi_k3,
        vllm=("kimi_k3",),
        special=True,
    ),
    Format(
        "k2_horizon",
        "K2 Horizon",
        "<ifm|tool_calls><ifm|tool_call>…",
        ("<ifm|tool_calls>", "<ifm|tool_call>"),
        either(named(_IFM, _IFM_HEAD, _IFM_TAIL, r"</ifm\|tool_calls>"), _IFM_JSON, tokens.fragment),
        vllm=("k2_horizon",),
        special=True,
    ),
    Format(
        "mistral",
        "Mistral, Ministral, Devstral, Magistral",
        "[TOOL_CALLS]N[ARGS]{…} or [TOOL_CALLS][{…}]",
        ("[TOOL_CALLS]",),
        either(named("", tokens.MISTRAL_HEAD, "</s>"), json_body("</s>", many=True)),
        vllm=("mistral",),
        sglang=("mistral",),
        special=True,
    ),
    Format(
        "llama3_builtin",
        "Llama 3.1 built-in tools",
        '<|python_tag|>N.call(K="V")',
        ("<|python_tag|>",),
        pythonic.builtin,
        vllm=("llama3_json",),
        sglang=("llama3",),
        special=True,
    ),
    Format(
        "llama3_json",
        "Llama 3.1 to 4",
        '<|python_tag|>{"name": N, "parameters": {…}}',
        ("<|python_tag|>",),
        json_body("<|eom_id|>", "<|eot_id|>"),
        vllm=("llama3_json", "llama4_json"),
        sglang=("llama3",),
        special=True,
    ),
    Format(
        "llama4_pythonic",
        "Llama 4",
        "<|python_start|>[N(K=V)]<|python_end|>",
        ("<|python_start|>",),
        pythonic.listed("<|python_end|>", bare=True, proof=True),
        vllm=("llama4_pythonic",),
        sglang=("pythonic",),
        special=True,
    ),
    Format(
        "lfm2",
        "LFM2",
        "<|tool_call_start|>[N(K=V)]<|tool_call_end|>",
        ("<|tool_call_start|>",),
        pythonic.listed("<|tool_call_end|>", proof=True),
        vllm=("lfm2",),
        sglang=("lfm2",),
        special=True,
    ),
    Format(
        "gpt_oss",
        "gpt-oss",
        "<|channel|>commentary to=functions.N <|constrain|>json<|message|>{…}<|call|>",
        (
            "<|channel|>commentary",
            "<|start|>assistant",
            "<|channel|>analysis to=",
            "commentary to=",
            "to=functions.",
        ),
        harmony.harmony,
        vllm=("openai",),
        sglang=("gpt-oss",),
    ),
    Format(
        "role_header_to",
        "prompts of the GPT-4 era",
        "[Assistant to=functions.N] {…}",
        ("[Assistant to=", "[assistant to="),
        harmony.role_header,
        vllm=("openai",),
    ),
    Format(
        "phi4_functools",
        "Phi-4-mini, Firefunction",
        'functools[{"name": N, "arguments": {…}}]',
        ("functools[",),
        functools_body,
        vllm=("phi4_mini_json",),
    ),
    Format(
        "apertus",
        "Apertus",
        '<|tools_prefix|>[{"N": {…}}]<|tools_suffix|>',
        ("<|tools_prefix|>",),
        json_body("<|tools_suffix|>", many=True, keyed=True),
        vllm=("apertus",),
        special=True,
    ),
    Format(
        "gemma4",
        "Gemma 4",
        '<|tool_call>call:N{K:<|"|>V<|"|>}<tool_call|>',
        ("<|tool_call>",),
        tokens.braces(rf"<\|tool_call>\s?call:({NAME})\{{", '<|"|>', r"<tool_call\|>"),
        vllm=("gemma4",),
        special=True,
    ),
    Format(
        "functiongemma",
        "FunctionGemma",
        "<start_function_call>call:N{K:<escape>V<escape>}<end_function_call>",
        ("<start_function_call>",),
        tokens.braces(rf"<start_function_call>\s?call:({NAME})\{{", "<escape>", "<end_function_call>"),
        vllm=("functiongemma",),
        special=True,
    ),
    Format(
        "gemini_pseudo",
        "Gemini",
        '<call:default_api:N{K: "V"}/>',
        ("<call:",),
        tokens.braces(rf"<call:(?:default_api:)?({NAME})\{{", '"', r"/?>", proof=False),
    ),
    Format(
        "cohere_action",
        "Command A, Command R7B",
        '<|START_ACTION|>[{"tool_name": N, "parameters": {…}}]<|END_ACTION|>',
        ("<|START_ACTION|>",),
        json_body("<|END_ACTION|>", many=True),
        vllm=("cohere_command3", "cohere_command4"),
        special=True,
    ),
    Format(
        "cohere_rplus",
        "Command R+",
        'Action: ```json\\n[{"tool_name": N, "parameters": {…}}]\\n```',
        ("Action:",),
        prompted.action_plan,
        vllm=("cohere_command3", "cohere_command4"),
        line_start=True,
    ),
    Format(
        "internlm",
        "InternLM 2.5, Intern-S1",
        '<|action_start|><|plugin|>{"name": N, "parameters": {…}}<|action_end|>',
        ("<|action_start|><|plugin|>", "<|action_start|> <|plugin|>"),
        json_body("<|action_end|>"),
        vllm=("internlm",),
        sglang=("interns1",),
        special=True,
    ),
    Format(
        "gigachat3",
        "GigaChat 3",
        '<|function_call|>{"name": N, "arguments": {…}}',
        ("<|function_call|>", "function call<|role_sep|>"),
        json_body("<|message_sep|>"),
        vllm=("gigachat3",),
        sglang=("gigachat3",),
        special=True,
    ),
    Format(
        "plamo3",
        "PLaMo 3",
        "<|plamo:begin_tool_name:plamo|>N…",
        ("<|plamo:begin_tool_name:plamo|>",),
        either(tokens.plamo, tokens.fragment),
        vllm=("plamo3",),
        special=True,
    ),
    Format(
        "inkling",
        "Inkling",
        '<|content_invoke_tool_json|>{"name": N, "args": {…}}<|end_message|>',
        ("<|content_invoke_tool_json|>",),
        json_body("<|end_message|>"),
        vllm=("inkling",),
        special=True,
    ),
    Format(
        "dots",
        "dots",
        '<dots_function_call>{"name": N, "arguments": {…}}</dots_function_call>',
        ("<dots_function_call>",),
        json_body("</dots_function_call>"),
        vllm=("dots",),
    ),
    Format(
        "functionary_v32",
        "Functionary 3.2",
        ">>>N\\n{…}",
        (">>>",),
        prompted.recipient,
        line_start=True,
    ),
    Format(
        "tool_code",
        "Gemini, Gemma",
        "a tool_code fence with N(K=V) or print(default_api.N(K=V))",
        ("```tool_code\n", "```tool_code\r\n", "print(default_api."),
        pythonic.tool_code,
        prompted=True,
    ),
    Format(
        "react",
        "ReAct prompts",
        "Action: N\\nAction Input: {…}",
        ("Action:", "**Action:**", "**Action**:"),
        prompted.react,
        line_start=True,
        prompted=True,
    ),
    Format(
        "pythonic",
        "Llama 3.2, ToolACE",
        "[N(K=V), N2()] as a line of its own",
        ("[",),
        pythonic.listed(whole=True),
        vllm=("pythonic",),
        sglang=("pythonic",),
        line_start=True,
    ),
    Format(
        "tool_name_xml",
        "Cline and Roo prompts",
        "<N><K>V</K></N>",
        ("<",),
        prompted.tool_name_xml,
        line_start=True,
        prompted=True,
    ),
    Format(
        "fenced_json",
        "any, xLAM",
        'a json fence with {"name": N, "arguments": {…}}',
        ("```json\n", "```json\r\n", "```tool_call\n", "```\n"),
        prompted.fenced_json,
        vllm=("hermes", "llama3_json", "xlam"),
        sglang=("qwen25", "llama3"),
        prompted=True,
    ),
    Format(
        "fenced_code",
        "any",
        "a bash, sh or python fence that is announced and ends the message",
        tuple(f"```{info}\n" for info in fenced.LANGUAGES),
        fenced.fenced_code,
        prompted=True,
    ),
    Format(
        "bare_json",
        "any, xLAM",
        '{"name": N, "arguments": {…}}',
        ('{"', "{ ", "{\n", "{\r"),
        prompted.bare_json,
        vllm=("hermes", "llama3_json", "xlam"),
        sglang=("qwen25", "llama3"),
        prompted=True,
    ),
)

MARKER = "marker"
"""The label of markers that the user configured."""


def by_label(label: str) -> Format | None:
    """The format of that label, None for a marker of the user's own or an unknown label."""
    return next((f for f in FORMATS if f.label == label), None)


def advice(label: str) -> str:
    """What to set on the server so that this format is parsed, in sentences."""
    found = by_label(label)
    if found is None:
        return "Have the harness execute this marker, or take it out of the prompt."
    flags = [f"vLLM `--tool-call-parser {found.vllm[0]}`"] if found.vllm else []
    flags += [f"SGLang `--tool-call-parser {found.sglang[0]}`"] if found.sglang else []
    if found.prompted and not flags:
        return (
            "This is a convention of the prompt and not of the model's chat template: offer the tools "
            "through the API's `tools`, or let the harness parse and execute the text."
        )
    flags.append("llama.cpp `--jinja` with the model's own chat template")
    others = ", ".join(f"`{f}`" for f in found.vllm[1:])
    also = f" (also in vLLM, by model: {others})" if others else ""
    return (
        f"This looks like {label}. Set {', '.join(flags)}{also}; with Ollama, update the model's template or "
        'Ollama. Check with `tool_choice: "auto"`: a test with `tool_choice: "required"` does not prove that '
        "`auto` works, since it goes through guided decoding and not through the parser."
    )


def format_table() -> str:
    """The formats as a Markdown table: label, families, shape, flags."""

    def code(names: tuple[str, ...]) -> str:
        return ", ".join(f"`{n}`" for n in names) or "-"

    def cell(text: str) -> str:
        return text.replace("|", "\\|")

    lines = ["| format | families | shape | vLLM | SGLang |", "| --- | --- | --- | --- | --- |"]
    for f in FORMATS:
        shape = f"`` {cell(f.shape)} ``"
        lines.append(f"| {f.label} | {cell(f.families)} | {shape} | {code(f.vllm)} | {code(f.sglang)} |")
    return "\n".join(lines) + "\n"
