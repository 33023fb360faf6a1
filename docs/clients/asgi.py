"""An ASGI middleware that charges the operations of a GraphQL server by Tollgate.

It charges POST requests only. Disable queries of GET requests in the server.
"""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

from decide import Tollgate


class Budget:
    def __init__(self, app, **tollgate):
        self.app = app
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
        if scope["type"] != "http" or scope["method"] != "POST":
            return await self.app(scope, receive, send)
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        sent = json.loads(body)
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        caller = {"headers": headers, "address": scope["client"][0]}
        decision = await self.call("decide", sent.get("query"), sent.get("variables"), **caller)
        if not decision["admitted"]:
            denial = {name: decision.get(name) for name in ("errors", "extensions")}
            return await answer(send, decision["status"], decision["headers"], denial)
        parts = []

        async def repeat():
            return {"type": "http.request", "body": body, "more_body": False}

        async def collect(message):
            parts.append(message)

        await self.app(scope, repeat, collect)
        result = json.loads(b"".join(part.get("body", b"") for part in parts))
        given = {name: result[name] for name in ("data", "errors") if name in result}
        settled = await self.call("settle", decision["receipt"], **given)
        result["extensions"] = {**result.get("extensions", {}), **settled["extensions"]}
        await answer(send, parts[0]["status"], settled["headers"], result)


async def answer(send, status, headers, body):
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    pairs.append((b"content-type", b"application/json"))
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
