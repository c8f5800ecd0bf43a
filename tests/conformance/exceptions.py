"""Differences from LiteRT that are meant: (operator, what the remark says, why)."""
import re

EXCEPTIONS = [
]


def reason(op, remark):
    """Why this difference is meant, or None."""
    return next((why for ops, says, why in EXCEPTIONS if re.fullmatch(ops, op) and re.search(says, remark)), None)
