"""Webhooks: delivered to what was checked, never into the network the server stands in."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from core.webhook import WebhookError, is_public, post


class Receiver(BaseHTTPRequestHandler):
    got: list[tuple[str, dict[str, str], bytes]] = []
    answer = 204

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.path, dict(self.headers), body))
        self.send_response(self.answer)
        if self.answer == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[str]:
    Receiver.got, Receiver.answer = [], 204
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_is_delivered_with_body_headers_and_query(receiver: str) -> None:
    assert post(f"{receiver}/hook?x=1", b"{}", {"X-Test": "yes"}, allow_private=True) == 204
    ((path, headers, body),) = Receiver.got
    assert (path, headers["X-Test"], body) == ("/hook?x=1", "yes", b"{}")


def test_does_not_enter_a_private_network(receiver: str) -> None:
    with pytest.raises(WebhookError, match="private"):
        post(receiver, b"{}", {})
    assert Receiver.got == []


@pytest.mark.parametrize("answer", [302, 400, 500])
def test_anything_but_success_is_an_error_and_redirects_are_not_followed(receiver: str, answer: int) -> None:
    Receiver.answer = answer
    with pytest.raises(WebhookError, match=str(answer)):
        post(receiver, b"{}", {}, allow_private=True)
    assert len(Receiver.got) == 1


def test_goes_to_the_address_that_was_checked_even_if_the_name_changes_its_mind(
    receiver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(receiver.rpartition(":")[2])
    asked: list[str] = []

    def resolve(host: str, *args: object, **kwargs: object) -> list[object]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr("core.webhook.socket.getaddrinfo", resolve)
    post(f"http://hooks.example:{port}/", b"{}", {}, allow_private=True)
    assert asked.count("hooks.example") == 1
    assert Receiver.got[0][1]["Host"] == f"hooks.example:{port}"


def test_a_host_with_one_private_address_among_public_ones_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [(2, 1, 6, "", ("93.184.216.34", 80)), (2, 1, 6, "", ("10.0.0.5", 80))]
    monkeypatch.setattr("core.webhook.socket.getaddrinfo", lambda *a, **k: found)
    with pytest.raises(WebhookError, match="private"):
        post("http://hooks.example/", b"{}", {})


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fc00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "ff02::1",
    ],
)
def test_addresses_that_are_not_the_open_internet(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34"])
def test_addresses_that_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "file:///etc/passwd",
        "gopher://x/",
        "http://",
        "https://a:b@example.org/",
        "http://example.org:99999/",
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(WebhookError):
        post(url, b"{}", {}, allow_private=True)


def test_a_receiver_that_hangs_is_left_after_the_time_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(WebhookError):
            post(f"http://127.0.0.1:{port}/", b"{}", {}, allow_private=True, timeout=0.2)
