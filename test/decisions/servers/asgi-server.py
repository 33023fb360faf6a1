"""An HTTP server that runs the ASGI middleware in front of a server without limits.

It forwards admitted operations to EXECUTOR. It prints its port when it is ready.
"""

import asyncio
import os
import sys
from urllib.parse import urlsplit

from asgi import Budget

EXECUTOR = urlsplit(os.environ["EXECUTOR"])


async def forward(scope, receive, send):
    """An ASGI application: sends the body to the executor, and returns its response."""
    message = await receive()
    reader, writer = await asyncio.open_connection(EXECUTOR.hostname, EXECUTOR.port)
    head = "POST / HTTP/1.1\r\nhost: executor\r\nconnection: close\r\n"
    writer.write(f"{head}content-length: {len(message['body'])}\r\n\r\n".encode() + message["body"])
    status, headers = await read_head(reader)
    chunked = headers.get(b"transfer-encoding") == b"chunked"
    body = await (read_chunks(reader) if chunked else reader.readexactly(int(headers[b"content-length"])))
    writer.close()
    start = {"type": "http.response.start", "status": int(status.split()[1])}
    await send({**start, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": body})


async def read_head(reader):
    first, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
    pairs = [line.split(b":", 1) for line in lines]
    return first, {name.strip().lower(): value.strip() for name, value in pairs}


async def read_chunks(reader):
    body = b""
    while size := int((await reader.readline()).strip(), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    return body


async def serve(reader, writer):
    """Serves one request. The tests close their connections, or accept that this server does."""
    try:
        first, headers = await read_head(reader)
        messages = [await reader.readexactly(int(headers.get(b"content-length", 0)))]
    except asyncio.IncompleteReadError:
        return writer.close()  # The client has left before its request was complete.
    method, path, _ = first.decode().split()

    async def receive():
        if messages:
            return {"type": "http.request", "body": messages.pop(), "more_body": False}
        await reader.read(1)  # The client sends nothing more, so it has closed its connection.
        return {"type": "http.disconnect"}

    async def send(message):
        if message["type"] == "http.response.start":
            lines = [b"HTTP/1.1 %d -" % message["status"], b"connection: close"]
            lines += [name + b": " + value for name, value in message["headers"]]
            writer.write(b"\r\n".join(lines) + b"\r\n\r\n")
        else:
            writer.write(message["body"])
            await writer.drain()

    path, _, query = path.partition("?")
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode()}
    client = writer.get_extra_info("peername")
    try:
        await budget({**scope, "headers": list(headers.items()), "client": client}, receive, send)
    except ConnectionResetError:
        pass  # The client has left.
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    # The test closes the input when it has ended.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


tollgate = urlsplit(os.environ["TOLLGATE"])
budget = Budget(forward, host=tollgate.hostname, port=tollgate.port, timeout=30)
asyncio.run(main())
