"""A client of Tollgate's decisions that needs only the standard library."""

import http.client
import json
import os
import time

IDLE_SECONDS = 4  # The port of the platform closes connections that are idle for five seconds.


class Tollgate:
    """A client with one connection. Use each instance in one thread at a time."""

    def __init__(self, host="127.0.0.1", port=4000, token=None, timeout=0.2):
        self.address, self.timeout = (host, port), timeout
        self.headers = {
            "content-type": "application/json",
            "authorization": "Bearer " + (token or os.environ["TOLLGATE_TOKEN"]),
        }
        self.connection, self.used_at = None, 0.0

    def call(self, path, body):
        try:
            if self.connection is None or time.monotonic() - self.used_at > IDLE_SECONDS:
                self.connection = http.client.HTTPConnection(*self.address, timeout=self.timeout)
            self.connection.request("POST", path, json.dumps(body), self.headers)
            response = self.connection.getresponse()
            result = json.loads(response.read())
            self.used_at = time.monotonic()
        except (OSError, http.client.HTTPException, ValueError):
            self.connection = None  # The next call opens a new connection.
            raise
        if response.status != 200:
            raise RuntimeError(result["errors"][0]["message"])
        return result

    def decide(self, query, variables=None, **members):
        return self.call("/v1/decide", {"query": query, "variables": variables, **members})

    def settle(self, receipt, **result):
        return self.call("/v1/settle", {"receipt": receipt, **result})
