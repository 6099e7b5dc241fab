"""Analysis at arrival: touched traces are derived and analysed a moment after they settle.

schedule   which units are due; one thread that drives the rest
worker     the process that derives and analyses, so that neither can stall or sink the service
records    stored rows as the records that derivation reads
links      which sessions a unit belongs to, and which other units those need
replace    puts the new rows of sessions in the place of the old
"""

from collector.analysis.schedule import Analysis

__all__ = ["Analysis"]
