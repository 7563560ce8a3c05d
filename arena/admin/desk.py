"""What every call passes: who is calling, may they, and what went wrong in words and codes.

The store's calls block, so each call runs in a thread of the desk's own; none is shared with the
referee's loop, whose decisions must not wait for an organizer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from arena.admin.meant import hint
from arena.store import (
    AlreadyExists,
    NotFound,
    Store,
    StoreError,
    StoreUnavailable,
    WrongState,
)
from arena.store.types import Principal, Role

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

DOMAIN: Final = "euchre-arena"
ORGANIZE: Final = (Role.ORGANIZER,)
READ: Final = (Role.ORGANIZER, Role.OPERATOR)
THREADS: Final = 8
LONGEST_MESSAGE: Final = 2_000

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
"""Of any call: one desk serves all messages."""


class Refusal(Exception):  # noqa: N818 – an answer to the caller, not an error of ours
    """A call ends with this status."""

    def __init__(self, code: str, reason: str, message: str, **metadata: str) -> None:
        super().__init__(message)
        self.code = code
        """Name of a gRPC status, `"NOT_FOUND"`."""
        self.reason = reason
        """For programs: the ErrorInfo's reason."""
        self.message = message
        """For people."""
        self.metadata = metadata
        """What programs may want to know besides: `line="7"`."""


class Desk:
    """Where calls come in; one for the three services."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="admin")

    async def serve(
        self, context: Context, roles: Collection[Role], call: Callable[[], T], thing: str = ""
    ) -> T:
        """Answer a call: `call` runs in a thread once the caller is known to have one of `roles`.

        What it raises ends the call with a google.rpc.Status; `thing` is what a NOT_FOUND,
        ALREADY_EXISTS or FAILED_PRECONDITION of the store is about ("TOURNAMENT").
        """
        try:
            await self.admit(context, roles)
            return await self.run(call)
        except Exception as error:
            await self.refuse(context, error, thing)

    async def admit(self, context: Context, roles: Collection[Role]) -> None:
        """Raises Refusal unless the call's token belongs to one of `roles`."""
        token = _token(context)
        principal = await self.run(lambda: self.store.tokens.check(token)) if token else None
        check(principal, token, roles)

    async def run(self, call: Callable[[], T]) -> T:
        """Run something that blocks in one of the desk's threads."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    async def refuse(self, context: Context, error: Exception, thing: str = "") -> NoReturn:
        """End a call with what was raised in it."""
        refusal = error if isinstance(error, Refusal) else translated(error, thing)
        if isinstance(error, NotFound):
            with contextlib.suppress(StoreError):  # the answer is good without it
                refusal.message += "; " + await self.run(lambda: hint(self.store, error))
        info = ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=refusal.metadata)
        detail = AnyMessage()
        detail.Pack(info)
        status = Status(
            code=Code.Value(refusal.code),
            message=refusal.message[:LONGEST_MESSAGE],
            details=[detail],
        )
        await context.abort_with_status(rpc_status.to_status(status))
        raise AssertionError("the call was ended")

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Places:
    """So many may do something that takes long at once."""

    def __init__(self, limit: str) -> None:
        """``limit`` is what their number is called in a refusal."""
        self._limit = limit
        self._taken = 0

    @contextlib.contextmanager
    def taken(self, most: int) -> Iterator[None]:
        """A place for as long as the block lasts. Refusal where none is left."""
        if self._taken >= most:
            raise Refusal(
                "RESOURCE_EXHAUSTED",
                "LIMIT",
                f"{most} watch already (limit {self._limit}); try again later",
                limit=self._limit,
                value=str(most),
            )
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


def check(principal: Principal | None, token: str, roles: Collection[Role]) -> None:
    """Raises Refusal unless a token and its owner, if it has one, may do what `roles` may."""
    if not token:
        raise Refusal(
            "UNAUTHENTICATED",
            "TOKEN",
            "no token: send `authorization: Bearer <token>` in the call's metadata",
        )
    if principal is None:
        raise Refusal("UNAUTHENTICATED", "TOKEN", "the token is not known here; was it replaced?")
    if principal.role not in roles:
        wanted = " or ".join(f"an {role}'s" for role in roles)
        raise Refusal(
            "PERMISSION_DENIED",
            "ROLE",
            f"this needs {wanted} token; the one shown is {_article(principal.role)}'s",
            role=str(principal.role),
        )


def translated(error: Exception, thing: str) -> Refusal:
    """The store's errors and those of its arguments as an answer; ours are logged and hidden."""
    text = str(error)
    match error:
        case StoreUnavailable():
            log.warning("a call could not be answered: %s", text)
            return Refusal("UNAVAILABLE", "STORE", "the store is away; try again in a moment")
        case NotFound():
            return Refusal("NOT_FOUND", thing, text)
        case AlreadyExists():
            return Refusal("ALREADY_EXISTS", thing, text)
        case WrongState():
            return Refusal("FAILED_PRECONDITION", "STATE", text)
        case ValueError() if not isinstance(error, UnicodeError):
            return Refusal("INVALID_ARGUMENT", thing, text)
        case StoreError():
            log.error("a call could not be answered: %s", text)
            return Refusal("FAILED_PRECONDITION", "STORE", "the store is not fit; see the log")
    log.error("a call failed", exc_info=error)
    return Refusal("INTERNAL", "INTERNAL", "the service failed; its log says why")


def _token(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str):
            scheme, _, token = value.partition(" ")
            if scheme.lower() == "bearer":
                return token.strip()
    return ""


def _article(role: Role) -> str:
    return f"a {role}" if role is Role.BOT else f"an {role}"
