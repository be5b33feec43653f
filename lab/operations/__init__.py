"""What stands between the lab and use. Standard library only, and the gateway.

- a provider behind HTTP: `http_provider`, `http_adapter`, `http_meaning`, `selftest`
- people: `approvals`, `gateway` (which asks for them, and can be stopped), `desk`
- what may be shown: `redact`, `export`, `measures`
- the command line: `commands`

All of it keeps its records in the ledger's own file: `ledger`.
"""
