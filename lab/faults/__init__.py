"""How we break the gateway: lost responses, crashes at every step, and unsafe edits."""
