"""Sample runs: one for each finding kind, one for each family of rescue, and clean controls.

runs/     the runs as data, by the service that they play in, each with what it must show
play.py   runs -> spans and log records of the OpenTelemetry SDK, each in the dialect it asks for
send.py   spans and log records -> an OTLP endpoint
"""
