"""The server behind the example: the standard library, and the newest version of the API only.

Dateline has checked token, scopes and request. Who calls is in a token of Dateline's own. The standard library cannot
check its signature (ES256), so this server must be reachable by Dateline alone; upstream.mjs shows the check.
"""
import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PRICES = {"umbrella": 1250, "boots": 4900}
orders, lock = {}, threading.Lock()

class Refused(Exception):
    def __init__(self, status, code, detail=""):
        self.status, self.body = status, {"code": code, "detail": detail}

def total(lines):
    unknown = next((line["sku"] for line in lines if line["sku"] not in PRICES), None)
    if unknown:
        raise Refused(422, "unknown_sku", f"There is no {unknown} to order.")
    cents = sum(PRICES[line["sku"]] * line["quantity"] for line in lines)
    return {"amount": f"{cents // 100}.{cents % 100:02}", "currency": "EUR"}

def order_of(id, organization):
    order = orders.get((organization, id))
    if not order:
        raise Refused(404, "not_found", "There is no such order.")
    return order

def list_orders(organization, query):
    states, limit = query.get("state"), int(query.get("limit", ["20"])[0])
    own = [order for (owner, _), order in reversed(orders.items()) if owner == organization]
    return 200, {"items": [order for order in own if not states or order["state"] in states][:limit]}

def create_order(organization, body):
    with lock:
        order = {"id": f"ord-{len(orders) + 1}", **body, "total": total(body["lines"]), "state": "placed"}
        orders[(organization, order["id"])] = order
    return 201, order

def cancel_order(organization, id):
    with lock:
        order = order_of(id, organization)
        if order["state"] == "cancelled":
            raise Refused(409, "already_cancelled", "The order was cancelled before.")
        order["state"] = "cancelled"
    return 200, order

def route(method, path, claims, query, body):
    organization = next(iter(claims.get("organizations", [])), None)
    match [method, *path.strip("/").split("/")]:
        case ["GET", "orders"]: return list_orders(organization, query)
        case ["POST", "orders"]: return create_order(organization, body)
        case ["GET", "orders", id]: return 200, order_of(id, organization)
        case ["POST", "orders", id, "cancel"]: return cancel_order(organization, id)
        case ["GET", "orders", id, "receipt"]:
            order = order_of(id, organization)
            return 200, "".join(f"{line['sku']},{line['quantity']}\n" for line in order["lines"])
        case ["GET", "wishes"]: return 200, {"name": claims["sub"], "wishes": [{"name": "A garden"}]}
        case ["GET", "open-hours"]: return 200, {"days": "Monday to Friday"}
    raise Refused(404, "not_found")

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        url = urlsplit(self.path)
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        _, _, token = self.headers.get("authorization", "").partition(" ")
        part = token.split(".")[1] if token else "e30"
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        try:
            status, body = route(self.command, url.path, claims, parse_qs(url.query), json.loads(sent or "null"))
        except Refused as refused:
            status, body = refused.status, refused.body
        text = body if isinstance(body, str) else json.dumps(body)
        self.send_response(status)
        self.send_header("content-type", "text/csv" if isinstance(body, str) else "application/json")
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass

if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 7101), Handler)
    print(f"the upstream listens at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
