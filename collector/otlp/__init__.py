"""OTLP messages: from JSON or protobuf to validated requests, and from requests to columns.

`signals` names the three services; `parse` reads a body and says what of it was refused; `from_json`
and `repair` are its two halves for input that protobuf's own parser does not take; `columns` turns
accepted requests into Arrow tables for the store.
"""
