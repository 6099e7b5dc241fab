"""How a run ends: what servers and frameworks say then, what the model announces, what is left of it."""
