"""The rules by which `analyzers.repetition_loop` tells a loop from work that looks like one."""
