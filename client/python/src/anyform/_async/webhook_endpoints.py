"""Webhook endpoints of the account, which receive the chosen events of all its jobs."""

from __future__ import annotations

from typing import cast
from urllib.parse import quote

from .. import _types as types
from .._calls import Call
from .transport import AsyncTransport

_PATH = "webhook-endpoints"


class AsyncWebhookEndpoints:
    """The endpoints of an account. The API key requires the scope ``webhooks``."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> types.WebhookEndpointList:
        """Lists the endpoints with their secrets. ``default`` is the webhook URL of the account."""
        return cast(types.WebhookEndpointList, await self._transport.json(Call("GET", _PATH)))

    async def create(self, endpoint: types.NewWebhookEndpoint) -> types.WebhookEndpoint:
        """Adds an endpoint. The response has its secret."""
        return cast(types.WebhookEndpoint, await self._transport.json(Call("POST", _PATH, json=dict(endpoint))))

    async def update(self, endpoint_id: str, changes: types.WebhookEndpointChanges) -> types.WebhookEndpoint:
        """Changes an endpoint. Missing fields stay unchanged."""
        call = Call("POST", _path_of(endpoint_id), json=dict(changes))
        return cast(types.WebhookEndpoint, await self._transport.json(call))

    async def delete(self, endpoint_id: str) -> None:
        """Deletes an endpoint with its secrets."""
        await self._transport.send(Call("DELETE", _path_of(endpoint_id)))

    async def rotate_secret(self, endpoint_id: str) -> types.WebhookSecrets:
        """Creates a new secret. The previous one remains valid for a day, and both sign each message."""
        call = Call("POST", f"{_path_of(endpoint_id)}/secret")
        return cast(types.WebhookSecrets, await self._transport.json(call))

    async def test(self, endpoint_id: str) -> types.WebhookTest:
        """Sends a signed test message, and returns how the endpoint responded."""
        return cast(types.WebhookTest, await self._transport.json(Call("POST", f"{_path_of(endpoint_id)}/test")))


def _path_of(endpoint_id: str) -> str:
    return f"{_PATH}/{quote(endpoint_id, safe='')}"
