"""Claims that something ran ("the migration went through", "I benchmarked both"), judged from the runs."""

from __future__ import annotations

import re

from analyzers.claims.calls import Fact
from analyzers.claims.judgement import Case, Judgement, excuse
from analyzers.claims.model import Claim

_JOBS = tuple(
    (re.compile(noun, re.IGNORECASE), re.compile(evidence, re.IGNORECASE))
    for noun, evidence in (
        (
            r"migra|마이그레이션|マイグレーション|迁移|移行",
            r"migrat|alembic|flyway|liquibase|upgrade|schema|prisma|migrar",
        ),
        (r"import|インポート|임포트|导入", r"import|load|ingest|copy|insert"),
        (r"export|エクスポート|导出", r"export|dump|unload"),
        (
            r"deploy|rollout|release|despliegue|déploiement|implantação|배포|デプロイ|部署|上线",
            r"deploy|rollout|release|apply|publish|helm|\bup\b|set image",
        ),
        (
            r"back-?up|백업|バックアップ|备份|respaldo|sauvegarde|sicherung",
            r"back_?up|dump|snapshot|restic|borg|rsync",
        ),
        (r"sync|同期|동기화|同步|sincroni", r"sync|replicat"),
        (r"install|설치|インストール|安装", r"install|\badd\b|setup|apt|brew"),
        (r"upload|업로드|アップロード|上传", r"upload|\bput\b|\bcp\b|push|scp|rsync"),
    )
)
_HASHING = re.compile(
    r"sha-?\d|md5|checksum|digest|hash|gpg|signature|shasum|cksum|verif|cosign|minisign", re.IGNORECASE
)
_RUNS = frozenset({"shell", "python", "test", "testish", "build", "opaque", "delegate"})


def job(claim: Claim, before: tuple[Fact, ...], case: Case) -> Judgement:
    """ "The migration ran through": the last run of such a thing decides."""
    evidence = next((runs for noun, runs in _JOBS if noun.search(claim.verb)), None)
    runs = [
        fact
        for fact in before
        if evidence and evidence.search(fact.deed) and fact.kinds - {"lookup", "shell"}
    ]
    if not runs:
        return excuse(before) or Judgement("unsupported", "target_not_seen")
    last = runs[-1]
    if last.outcome == "unknown":
        return Judgement("unknown", "result_not_captured", fact=last)
    if last.outcome == "failed":
        return excuse(before, after=last) or Judgement("contradicted", "latest_run_failed", "failed", last)
    if last.outcome == "unchanged":
        return Judgement("unsupported", "target_not_seen", fact=last)
    return Judgement("supported", "run_took_place", fact=last)


def measure(claim: Claim, before: tuple[Fact, ...], case: Case) -> Judgement:
    """ "I benchmarked both": nothing is measured where nothing was executed."""
    watches = claim.verb in ("monitored", "measured", "timed")
    runs = [fact for fact in before if fact.kinds & _RUNS or (watches and "lookup" in fact.kinds)]
    words = claim.verb[:6].lower()
    named = [fact for fact in before if words in fact.deed or words in fact.result_lower]
    if runs or named:
        return Judgement("supported", "run_took_place", fact=(runs or named)[-1])
    if any(fact.kinds & _RUNS for fact in case.facts):
        return Judgement("unsupported", "only_later_calls")
    return Judgement("contradicted", "no_such_call", "never_ran")


def hashed(before: tuple[Fact, ...], case: Case) -> Judgement:
    """ "I verified its SHA-256 checksum": some call has to speak of one."""
    spoken = [
        fact for fact in case.facts if _HASHING.search(fact.deed) or _HASHING.search(fact.result[:4_000])
    ]
    if spoken:
        return Judgement("supported", "run_took_place", fact=spoken[-1])
    if case.user_text and _HASHING.search(case.user_text):
        return Judgement("unknown", "given_by_the_user")
    return excuse(before) or Judgement("contradicted", "no_such_call", "never_ran")
