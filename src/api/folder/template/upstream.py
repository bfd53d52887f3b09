"""The same server as upstream.mjs, in Python: the newest version of the API, from memory."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

orders = {}


def answer(method, parts, query, body):
    match [method, *parts]:
        case ["GET", "orders"]:
            return 200, {"items": list(orders.values())[-int(query.get("limit", ["20"])[0]):]}
        case ["POST", "orders"]:
            order = {"id": f"ord-{len(orders) + 1}", **body, "state": "placed"}
            orders[order["id"]] = order
            return 201, order
        case ["GET", "orders", id] if id in orders:
            return 200, orders[id]
        case ["POST", "orders", id, "refund"] if id in orders:
            if orders[id]["state"] == "refunded":
                return 409, {"code": "already_refunded", "detail": "It was paid back before."}
            orders[id]["state"] = "refunded"
            return 200, orders[id]
    return 404, {"code": "not_found"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_call(self):
        url = urlsplit(self.path)
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = url.path.strip("/").split("/")
        status, body = answer(self.command, parts, parse_qs(url.query), json.loads(sent or "null"))
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = handle_call

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 7101), Handler)
print(f"the upstream listens at http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
