"""An ASGI middleware that asks Tollgate for a decision about each operation of a GraphQL server."""

import asyncio
import http.client
import json
from concurrent.futures import ThreadPoolExecutor

from decide import Tollgate

MAX_BODY_BYTES = 102_400
MEMBERS = ("query", "variables", "operationName")
# Tollgate is unavailable, or it has rejected the request of this middleware.
FAILURES = (OSError, http.client.HTTPException, ValueError, RuntimeError)


class Budget:
    def __init__(self, app, threads=8, **tollgate):
        self.app = app
        # One client per thread, because a client has one connection.
        self.clients = [Tollgate(**tollgate) for _ in range(threads)]
        self.threads = ThreadPoolExecutor(max_workers=threads)

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
        # The server receives JSON below. It could otherwise not detect a form of another site.
        if media_type(scope["headers"]) != b"application/json":
            return await answer(send, 415, [], failure("expected application/json"))
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
        try:
            decision = await self.call("decide", **sent, **caller_of(scope))
        except FAILURES:
            return await answer(send, 503, [(b"retry-after", b"1")], failure("no decision"))
        if not decision["admitted"]:
            names = ("data", "errors", "extensions")
            denial = {name: decision[name] for name in names if name in decision}
            return await answer(send, decision["status"], encoded(decision["headers"]), denial)
        gone = asyncio.ensure_future(receive())
        try:
            # An operation may have to wait before it runs.
            await asyncio.wait([gone], timeout=decision["delayMs"] / 1000)
            if gone.done():
                return await self.settle(decision, {"hasNotRun": True})
            # The server runs the text of a registered document, because it knows no ids.
            parts = await self.run(scope, {**sent, "query": decision.get("query", sent["query"])}, gone)
        except BaseException:
            await self.settle(decision, {})
            raise
        finally:
            has_left = gone.done()
            gone.cancel()
        result = None if has_left else result_of(parts)
        given = {name: result[name] for name in ("data", "errors") if name in (result or ())}
        settled = await self.settle(decision, given)
        if result is None or settled is None:
            for part in parts:
                await send(part)
            return None
        result["extensions"] = {**(result.get("extensions") or {}), **settled["extensions"]}
        own = without(parts[0].get("headers", []), b"content-length", b"cache-control")
        await answer(send, parts[0]["status"], own + encoded(settled["headers"]), result)

    async def run(self, scope, sent, gone):
        """Runs the operation. Returns the messages of the response."""
        # The server receives exactly the operation that Tollgate has priced. The request can
        # contain another one in its query string, or a second member of the same name.
        priced = json.dumps({name: sent[name] for name in MEMBERS}).encode()
        # A compressed response would hide its data from Tollgate.
        replaced = (b"content-type", b"content-length", b"transfer-encoding", b"accept-encoding")
        others = without(scope["headers"], *replaced)
        length = (b"content-length", str(len(priced)).encode())
        headers = [*others, (b"content-type", b"application/json"), length]
        inner = {**scope, "query_string": b"", "headers": headers}
        messages = [{"type": "http.request", "body": priced, "more_body": False}]
        parts = []

        async def receive():
            return messages.pop() if messages else await asyncio.shield(gone)

        async def collect(message):
            parts.append(message)

        await self.app(inner, receive, collect)
        return parts

    async def settle(self, decision, result):
        """Returns the settlement. Returns None if it fails: the estimate then remains charged."""
        try:
            return await self.call("settle", decision["receipt"], **result)
        except FAILURES:
            return None


def operation_of(body):
    """Returns the operation of a request. Tollgate rejects an operation without a query."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        sent = {}
    operation = {name: sent.get(name) for name in MEMBERS}
    document = id_of(sent)
    return operation if document is None else {**operation, "documentId": document}


def id_of(sent):
    """Returns the id of a document in the forms that clients send."""
    for name in ("documentId", "doc_id"):
        if sent.get(name) is not None:
            return sent[name]
    extensions = sent.get("extensions")
    persisted = extensions.get("persistedQuery") if isinstance(extensions, dict) else None
    return persisted.get("sha256Hash") if isinstance(persisted, dict) else None


def caller_of(scope):
    """Returns the headers and the address of the client, by which Tollgate identifies the caller."""
    headers = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
    client = scope.get("client")
    return {"headers": headers, "address": client[0]} if client else {"headers": headers}


def result_of(parts):
    """Returns the GraphQL response in the messages of a server. Returns None if there is none."""
    try:
        result = json.loads(b"".join(part.get("body", b"") for part in parts))
    except (ValueError, RecursionError):
        return None
    return result if isinstance(result, dict) else None


def failure(message):
    return {"errors": [{"message": message}]}


def media_type(headers):
    for name, value in headers:
        if name.lower() == b"content-type":
            return value.split(b";")[0].strip().lower()
    return b""


def without(headers, *names):
    return [(name, value) for name, value in headers if name.lower() not in names]


def encoded(headers):
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def answer(send, status, headers, body):
    typed = [*without(headers, b"content-type"), (b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": typed})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
