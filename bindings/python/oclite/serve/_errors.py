# SPDX-License-Identifier: Apache-2.0
"""Errors that reach a client: what HTTP and gRPC call each kind, and its words."""
from __future__ import annotations


_MOST = 2000  # characters: values that a client has sent may be long, and gRPC has errors in its headers


class ServeError(Exception):
    """Said to whoever caused it. The words tell what was wrong, where, which value, and what would be right."""
    status = 500
    code = "INTERNAL"  # of grpc.StatusCode

    def __init__(self, words: str) -> None:
        super().__init__(words if len(words) <= _MOST else words[:_MOST - 3] + "...")


class InvalidError(ServeError):
    """The request cannot be served, whoever sends it and when."""
    status = 400
    code = "INVALID_ARGUMENT"


class TokenError(ServeError):
    """No token, or a wrong one."""
    status = 401
    code = "UNAUTHENTICATED"


class ForbiddenError(ServeError):
    """A page of another site has sent it."""
    status = 403
    code = "PERMISSION_DENIED"


class UnknownError(ServeError):
    """No such model, version or address."""
    status = 404
    code = "NOT_FOUND"


class MethodError(ServeError):
    """The address takes another method of HTTP."""
    status = 405
    code = "UNIMPLEMENTED"


class SlowError(ServeError):
    """The client has not sent its request in time."""
    status = 408
    code = "DEADLINE_EXCEEDED"


class LargeError(ServeError):
    """More bytes than a request may have."""
    status = 413
    code = "RESOURCE_EXHAUSTED"


class UnsupportedError(ServeError):
    """A part of the protocol that this server does not have."""
    status = 501
    code = "UNIMPLEMENTED"


class BusyError(ServeError):
    """The queue is full, or the server ends: later, or elsewhere, the same request is served."""
    status = 503
    code = "UNAVAILABLE"


class LateError(ServeError):
    """The answer is not there in time."""
    status = 504
    code = "DEADLINE_EXCEEDED"
