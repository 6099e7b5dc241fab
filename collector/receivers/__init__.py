"""OTLP receivers: `http` and `grpc` decode with `collector.otlp` and hand over to `collector.intake`."""
