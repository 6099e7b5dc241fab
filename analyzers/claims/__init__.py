"""The claim ledger: what an assistant says it did, beside what its calls did."""

from analyzers.claims.extraction import claims_in
from analyzers.claims.ledger import ledger
from analyzers.claims.model import Claim, Evidence, LedgerEntry, Reason, Subkind, Target, Verdict

__all__ = [
    "Claim",
    "Evidence",
    "LedgerEntry",
    "Reason",
    "Subkind",
    "Target",
    "Verdict",
    "claims_in",
    "ledger",
]
