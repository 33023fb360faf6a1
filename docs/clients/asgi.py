"""An ASGI middleware that asks Tollgate for a decision about each operation of a GraphQL server."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

from decide import Tollgate

MAX_BODY_BYTES = 102_400


class Budget:
    def __init__(self, app, **tollgate):
        self.app = app
        # One client per thread, because a client has one connection.
        self.clients = [Tollgate(**tollgate) for _ in range(8)]
        self.threads = ThreadPoolExecutor(max_workers=8)

    async def call(self, method, *arguments, **members):
        def run():
            client = self.clients.pop()
            try:
                return getattr(client, method)(*arguments, **members)
            finally:
                self.clients.append(client)

        return await asyncio.get_running_loop().run_in_executor(self.threads, run)

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        # The server could run operations of such requests, which Tollgate would not charge.
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close"})
        if scope["method"] != "POST":
            return await answer(send, 405, [(b"allow", b"POST")], failure("expected POST"))
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > MAX_BODY_BYTES:
                return await answer(send, 413, [], failure("the body is too large"))
        sent = operation_of(body)
        headers = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        decision = await self.call("decide", **sent, headers=headers, address=scope["client"][0])
        if not decision["admitted"]:
            denial = {name: decision[name] for name in ("errors", "extensions") if name in decision}
            return await answer(send, decision["status"], encoded(decision["headers"]), denial)
        # The server receives exactly the operation that Tollgate has priced. The request can
        # contain another one in its query string, or in a form.
        priced = json.dumps(sent).encode()
        others = without(scope["headers"], b"content-type", b"content-length")
        length = (b"content-length", str(len(priced)).encode())
        headers = [*others, (b"content-type", b"application/json"), length]
        inner = {**scope, "query_string": b"", "headers": headers}
        parts = []

        async def receive_priced():
            return {"type": "http.request", "body": priced, "more_body": False}

        async def collect(message):
            parts.append(message)

        await self.app(inner, receive_priced, collect)
        result = json.loads(b"".join(part.get("body", b"") for part in parts))
        given = {name: result[name] for name in ("data", "errors") if name in result}
        settled = await self.call("settle", decision["receipt"], **given)
        result["extensions"] = {**(result.get("extensions") or {}), **settled["extensions"]}
        start = parts[0]
        own = without(start.get("headers", []), b"content-length", b"cache-control")
        await answer(send, start["status"], own + encoded(settled["headers"]), result)


def operation_of(body):
    """Returns the operation of a request. Tollgate rejects an operation without a query."""
    try:
        sent = json.loads(body)
    except ValueError:
        sent = None
    if not isinstance(sent, dict):
        sent = {}
    return {
        "query": sent.get("query"),
        "variables": sent.get("variables"),
        "operationName": sent.get("operationName"),
    }


def failure(message):
    return {"errors": [{"message": message}]}


def without(headers, *names):
    return [(name, value) for name, value in headers if name.lower() not in names]


def encoded(headers):
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def answer(send, status, headers, body):
    typed = [*without(headers, b"content-type"), (b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": typed})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
