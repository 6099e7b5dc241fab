"""What servers say of conversations whose calls and results do not pair, and whose calls pair elsewhere."""
