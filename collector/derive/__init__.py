"""From raw records to the stored rows of a session: pure functions, no database, network or clock.

    units.read_unit        raw spans and logs of one trace (or one group of trace-less logs) -> Unit, through
        distinct.py        each record once, in a fixed order
        session_ids.py     the session a record names
        tree.py            what a span inherits from its ancestors
        model_parts.py     the parts of one model call (span, events, logs, nested spans) put together
        executions.py      the same for tool executions
        twins.py           what two instrumentations report side by side, put together
        runs.py            runs of agents: those of one name at once, told apart
    identity.identify      Unit -> UnitIdentity: the sessions it names and the keys it is stitched by
    stitch.stitch          identities -> the session of each unit
    sessions.derive_session  SessionKey + units -> SessionRows, through
        reports.py         log records joined with the calls that they report, of whatever unit
        answers.py         answers that only the next request holds
        rounds.py          model calls -> rounds, numbered per agent
        calls.py           proposals, executions and results -> tool calls
        rescues.py         rescue signals -> rescues
        session_row.py     how it ended, and its sums
    analysis.to_session    SessionRows -> analyzers.Session; analysis.analyze adds the findings
    rows.frames            SessionRows -> one Polars frame per table

`canonical.py` holds what the dialects (collector.dialects) produce and all of the above reads.
"""
