"""An answer that a planned fault delays, replaces or breaks off, over either HTTP path."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Send

from farm.context.faults import Delivery
from farm.server.http.answer import JSON_HEADERS, HttpAnswer

# The key of an ASGI scope with the list to which the SDK's side appends the delivery of its call.
DELIVERIES = "farm.deliveries"

# RFC 6750, section 3.1
_EXPIRED = (b"www-authenticate", b'Bearer error="invalid_token", error_description="The access token expired"')


class Delivered:
    """An answer and how it reaches its client.

    Attributes:
        answer: the answer that is sent.
        delay_s: the seconds after which it is sent.
        breaks_off: whether only its head is sent, and the connection is closed.
    """

    __slots__ = ("answer", "breaks_off", "delay_s")

    def __init__(self, answer: HttpAnswer, delivery: Delivery) -> None:
        if delivery.status:
            beside = _EXPIRED if delivery.status == 401 else (b"retry-after", b"%d" % delivery.retry_after_s)
            answer = HttpAnswer(delivery.status, answer.body, (*JSON_HEADERS, beside))
        self.answer = answer
        self.delay_s = delivery.delay_s
        self.breaks_off = delivery.breaks_off

    def over_http(self) -> bytes:
        """Return the bytes for the wire."""
        whole = self.answer.over_http()
        return whole[: len(whole) - len(self.answer.body)] if self.breaks_off else whole

    async def send(self, send: Send) -> None:
        """Send it (ASGI); without the body that its head announces, the server closes the connection."""
        await asyncio.sleep(self.delay_s)
        if not self.breaks_off:
            await self.answer.send(send)
            return
        fields = [*self.answer.headers, (b"content-length", b"%d" % len(self.answer.body))]
        await send({"type": "http.response.start", "status": self.answer.status, "headers": fields})


class DeliveringSend:
    """The ``send`` of a request that the SDK answers: holds the messages of an answer that is delivered otherwise."""

    def __init__(self, send: Send) -> None:
        self.deliveries: list[Delivery] = []
        self._send = send
        self._begin: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        """Send a message, or hold it until the answer is complete (ASGI)."""
        is_begin = message["type"] == "http.response.start"
        if not self.deliveries or (self._begin is None and not is_begin):
            await self._send(message)  # a stream has begun before its call was made, and goes on
        elif is_begin:
            self._begin = message
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body") and self._begin is not None:
                headers = tuple(each for each in self._begin["headers"] if each[0] != b"content-length")
                answer = HttpAnswer(self._begin["status"], self._body, headers)
                await Delivered(answer, self.deliveries[-1]).send(self._send)
