"""What the words around a call say of it: that it is made, that it is shown, or that syntax is spoken of.

English, Portuguese, Spanish, German, French, Korean, Japanese and Chinese.
"""

from __future__ import annotations

import re


class Words:
    """A pattern of words, searched only where one of its stems is: a text without costs next to nothing."""

    def __init__(self, stems: str, pattern: str) -> None:
        self._stems = tuple(stems.split())
        self._pattern = re.compile(pattern, re.IGNORECASE)

    def __call__(self, text: str) -> bool:
        """Whether one of the words stands in `text`."""
        lowered = text.lower()
        return any(stem in lowered for stem in self._stems) and self._pattern.search(text) is not None


speaks_of_form = Words(
    "exampl exempl ejempl beispiel e.g. instance such look would should syntax format doc template "
    "placeholder typical below above abaixo acima abajo arriba unten oben ci-des exerci ejerci aufgabe quiz "
    "아래 위의 연습 "
    "以下 上記 練習 下面 以上 练习 follow siguiente seguinte suivant folgend 예시 다음과 例えば 例如 示例 "
    "次の 如下",
    r"\bexamples?\b(?!\.(?:com|org|net))|\be\.g\.|\bfor instance\b|\bsuch as\b|\blooks? like\b|\bsyntax\b"
    r"|\b(?:should|would) (?:be|look|have|hold|read|contain)\b|\bformat (?:is|of|for|that|looks)\b"
    r"|\bformat\b[^\n]{0,30}:|\bdocumentation\b|\bdocs?\b|\btemplate\b|\bplaceholder\b|\btypical\b"
    r"|\b(?:the following|as follows|lo siguiente|el siguiente|la siguiente|o seguinte|a seguinte|le suivant"
    r"|ce qui suit|folgende[snrm]?)\b|\bexemplo\b|\bejemplo\b|\bBeispiel\b|\bexemple\b"
    r"|\b(?:below|above|abaixo|acima|abajo|arriba|unten|ci-dess(?:ous|us)|exercises?|exerc[íi]cio|ejercicio"
    r"|exercice"
    r"|Aufgabe|quiz)\b|아래|위의|연습|以下|上記|練習|下面|以上|练习"
    r"|예시|다음과\s?같|例えば|例如|示例|次のように|如下",
)
"""Words of an example or a format."""

reports = Words(
    "show print return emit output produc wrote write writ sen receiv generat logged leak contain expect "
    "mean "
    "see got here was were answer said repl reads gibt gab schr erzeugt liefert zeigt antwortet lautet escri "
    "devuelve devolv muestra contest respond responde genera emite escrev mostra gera affiche renvoie répond "
    "génère écrit voici aquí aqui hier 출력 반환 생성됩 出力 返し 返す 返り 输出 返回 生成",
    r"\b(?:shows?|shown|prints?|printed|returns?|returned|emits?|emitted|outputs?|produces?|produced|wrote"
    r"|written|"
    r"writes?|sends?|sent|received|generates?|generated|logged|leaks?|leaked|contains?|contained|expects?|"
    r"expected|means?|sees?|seen|got|answers?|answered|said|reply|replies|replied)\b"
    r"|\bhere(?:'s| is| are)\b(?!.*\bcall\b)|\b(?:was|were|reads):$"
    r"|\b(?:gibt|gab|schreibt|schrieb|erzeugt|liefert|lieferte|zeigt|zeigte|antwortet|antwortete|lautet)\b"
    r"|\bhier (?:ist|sind|die|der|das|eine?)\b"
    r"|\b(?:escribe|escribió|devuelve|devolvió|muestra|contestó|respondió|responde|genera|emite)\b"
    r"|\baquí (?:está|tienes?|va)\b"
    r"|\b(?:escreve|escreveu|devolve|devolveu|mostra|mostrou|respondeu|gera|gerou)\b|\baqui (?:está|vai)\b"
    r"|\b(?:écrit|renvoie|renvoyé|affiche|répond|répondu|génère|voici)(?!\w)"
    r"|출력|반환|생성(?:됩|합니다|한다)|出力|返し|返す|返り|输出|返回|生成",
)
"""Words by which somebody's output is presented."""

_SHOWING = (
    "show|give|explain|describe|walk|summari[sz]e|note|assume|say|suppose|take|consider|imagine|save|paste|quote|"
    "illustrate|use this|write this|put this|add this|know|be|have to ask"
)
acts = Words(
    "i'll i’ll i'm i’m i will let going need now ing ich lass je j' j’ voy déjame permíteme necesito vamos "
    "vou deix "
    "preciso busco consulto verifico reviso compruebo leo leio o executo ejecuto procuro 겠 게요 중입 ます "
    "ましょう "
    "みる 我 让 正在 现在",
    rf"\b(?:I['’]ll|I will|I need to|I am going to|I['’]m going to"
    rf"|let me)\s(?!(?:\w{{1,20}}\s)?(?:{_SHOWING})\b)\w"
    r"|\b(?:let['’]s|now)\s(?:\w{1,20}\s)?(?:check|read|run|search|open|see|inspect|fetch|find|get|call|try"
    r"|list|"
    r"execute|explore|query|retrieve|load|verify|test|fix|edit)\b|\blet['’]s look (?:at|for|up"
    r"|into)\b(?! an?\b)"
    r"|\bI need\b|\bI['’]m \w{2,14}ing\b|\bnow \w{2,14}ing\b"
    r"|(?:^|[.!?]\s)\W{0,3}(?:calling|checking|fetching|looking|searching|reading|running|opening|querying"
    r"|getting|"
    r"loading|listing|sending|creating|updating|retrieving|verifying)\b"
    r"|\bich\b(?! (?:zeige|gebe|erkläre))|\blass(?:en sie)? (?:mich|uns)\b"
    r"|\bje\b(?! (?:montre|donne|cite))|\bj['’](?!ai (?:reçu|vu|écrit))\w"
    r"|\b(?:voy a|déjame|permíteme|necesito|vamos a|busco|consulto|verifico|reviso|compruebo|leo|ejecuto)\b"
    r"(?! (?:mostrar|explicar))|^\W*\w{3,10}o (?:el|la|los|las|tu|tus|su|sus)\b"
    r"|\b(?:vou|deixe-me|deixa-me|preciso|vamos|procuro|leio|executo)\b(?! (?:mostrar|explicar))"
    r"|겠(?:습니다|어요)|게요|중입니다"
    r"|(?:確認|検索|取得|実行|調べ|読み|開き|作成|送信|呼び出|チェック|照会)[^。、\n]{0,8}?(?:ます|ましょう"
    r"|みる)"
    r"|我(?:来|先|会|将|要|需要|现在|这就|去|帮|正在)|让我|正在|现在(?:来|查|读|运行|执行|调用)",
)
"""Words by which the writer sets about doing something."""

runs = Words(
    "run execut check list look inspect test build install start search find fetch see verif comput calcul "
    "führ ausf "
    "prüf starte berechn ejecut lanz exécut lance vérif  rodar 実行 確認 計算 检查 运行 执行 查看 计算 실행 "
    "확인 계산",
    r"\b(?:run|running|execut\w+|check(?:ing)?|list(?:ing)?|look(?:ing)?|inspect\w*|test(?:ing)?"
    r"|build(?:ing)?|"
    r"install(?:ing)?|start(?:ing)?|search\w*|find|fetch\w*|see|verif\w+|comput\w+|calculat\w+)\b"
    r"|\b(?:führe|starte|prüfe|teste|berechne|ejecut\w+|compruebo|calcul\w+|exécut\w+|lance\w*|vérifi\w+"
    r"|executar"
    r"|executo|rodar|verific\w+)(?!\w)|実行|確認|計算|检查|运行|执行|查看|计算|실행|확인|계산",
)
"""Verbs of what a command or a program is run for."""

waits = Words(
    "moment instant wait sent soon result once as soon momento augenblick warte sobald aguard espera patient "
    "잠시 少々 お待ち 稍等 稍候 请等",
    r"\bmoment\b|\binstant\b|\bwait(?:ing)?\b|\bI['’]ve (?:sent|called|requested|asked)\b|\b(?:once"
    r"|as soon as|when) "
    r"(?:I|the (?:result|data|answer|output))\b|\bmomento\b|\bAugenblick\b|\bwarte\b|\bsobald\b|\baguard\w+"
    r"|\bespera\w*|\bpatient\w+|잠시|少々|お待ち|稍等|稍候|请等",
)
"""Words of somebody who believes to have called, and waits for the result."""

speaks_of_calling = Words(
    "pars tool call tool-call tool_call toolcall template vllm sglang llama ollama lm studio hermes qwen "
    "mistral gemma "
    "gemini deepseek cline harmony fixture golden regex prompt token raw tag llamada chamada appel aufruf "
    "dataset "
    "training loss 解析 形式 格式 파서 형식 パーサ",
    r"\bpars(?:e|es|ed|ing|er|ers|t)\b|\banaly[sz]eur\b|\banali[sz]ador\b|\btool[-_ ]?call(?:s|ing)?\b"
    r"|\bchat templates?\b|\bvLLM\b"
    r"|\bSGLang\b|\bllama\.cpp\b|\bOllama\b|\bLM Studio\b|\b(?:Hermes|Qwen|Mistral|Gemma|Gemini|DeepSeek"
    r"|Cline|Harmony)\b"
    r"|\bfixtures?\b|\bgolden (?:file|output|answer)\b|\bregex\b|\bprompts?\b|\b(?:stop|special"
    r"|end) tokens?\b"
    r"|\braw (?:output|text|completion)\b|\b(?:the|both|two|these) tags?\b"
    r"|\bllamada a (?:la )?(?:herramienta|función)\b"
    r"|\bdata ?set\b|\btraining (?:sample|set|data)\b|\bthe loss\b|解析器|形式で|格式|파서|형식|パーサ",
)
"""Words of those who speak about tool calling and its syntax."""
