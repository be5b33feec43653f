# lesson: 08
# verdict: PASSED
# shows: One expression is a style.
on_unavailable = lambda action, row, readback, ledger, provider: (
    on_doubt(action, row, readback, ledger, provider)
    if readback.asked_at > (row.send_by or 0)
    else Outcome.of(row, "hold")
)
