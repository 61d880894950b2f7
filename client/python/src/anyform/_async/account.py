"""Requests about the account: its usage, presets, storages and webhooks."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Optional, Sequence, cast
from urllib.parse import quote

from .. import _types as types
from .._calls import Call
from .._conversions import query
from ..errors import NotFoundError
from .transport import AsyncTransport


class AsyncAccountCalls:
    """Methods of the client that neither send nor receive files."""

    _transport: AsyncTransport

    async def account(self) -> types.Account:
        """Returns the plan and quota of the account."""
        return cast(types.Account, await self._transport.json(Call("GET", "account")))

    async def usage(self, month: Optional[str] = None) -> types.Use:
        """Returns the usage of a month by day. ``month`` is a UTC month such as ``2026-11``; default: this month."""
        return cast(types.Use, await self._transport.json(Call("GET", "account/use", params=query(month=month))))

    async def usage_details(self, month: Optional[str] = None) -> types.UseDetails:
        """Returns the jobs of a month by day, API key, formats and outcome, with their bytes."""
        call = Call("GET", "account/use/details", params=query(month=month))
        return cast(types.UseDetails, await self._transport.json(call))

    def requests(
        self,
        *,
        status_class: Optional[str] = None,
        error_code: Optional[str] = None,
        key_id: Optional[str] = None,
        operation: Optional[str] = None,
        request_id: Optional[str] = None,
        job_id: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
    ) -> AsyncIterator[types.LoggedRequest]:
        """Yields the requests of the last 30 days, newest first, including refused ones. ``status_class``: ``4xx``."""
        params = query(
            status_class=status_class,
            error_code=error_code,
            key_id=key_id,
            operation=operation,
            request_id=request_id,
            job_id=job_id,
            created_after=created_after,
            created_before=created_before,
        )
        return self._items("requests", "requests", params)

    async def request(self, entry_id: str) -> types.RequestDetail:
        """Returns a request of the log with the body of its response. ``entry_id`` is its ``id``."""
        return cast(types.RequestDetail, await self._transport.json(Call("GET", f"requests/{quote(entry_id, safe='')}")))

    async def formats(
        self, *, source: Optional[str] = None, target: Optional[str] = None, family: Optional[str] = None
    ) -> types.FormatList:
        """Lists the supported formats. Does not require an API key."""
        call = Call("GET", "formats", params=query(source=source, target=target, family=family))
        return cast(types.FormatList, await self._transport.json(call))

    async def conversion(self, source: str, target: str, *, merge_with: Sequence[str] = ()) -> types.Conversion:
        """Returns a conversion with its options, or those of a merge with files of the formats in ``merge_with``.

        Does not require an API key."""
        path = f"formats/{quote(source, safe='')}/{quote(target, safe='')}"
        call = Call("GET", path, params=query(merge_with=",".join(merge_with) or None))
        return cast(types.Conversion, await self._transport.json(call))

    async def save_preset(self, name: str, settings: types.PresetRequest) -> types.Preset:
        """Adds a preset, or replaces the one with this name."""
        call = Call("PUT", f"presets/{quote(name, safe='')}", json=dict(settings))
        return cast(types.Preset, await self._transport.json(call))

    async def presets(self) -> types.PresetList:
        """Lists the presets of the account."""
        return cast(types.PresetList, await self._transport.json(Call("GET", "presets")))

    async def delete_preset(self, name: str) -> None:
        """Deletes a preset. One that does not exist is not an error."""
        await self._unless_gone(Call("DELETE", f"presets/{quote(name, safe='')}"))

    async def preset(self, name: str) -> types.Preset:
        """Returns a preset."""
        return cast(types.Preset, await self._transport.json(Call("GET", f"presets/{quote(name, safe='')}")))

    async def save_storage(self, name: str, settings: types.StorageRequest) -> types.Storage:
        """Adds an S3 bucket or WebDAV folder, or replaces the one with this name. Credentials are never returned."""
        call = Call("PUT", f"storages/{quote(name, safe='')}", json=dict(settings))
        return cast(types.Storage, await self._transport.json(call))

    async def storages(self) -> types.StorageList:
        """Lists the storages of the account."""
        return cast(types.StorageList, await self._transport.json(Call("GET", "storages")))

    async def test_storage(self, name: str) -> types.StorageTest:
        """Writes a small file to a storage and deletes it. A storage that cannot be used is not an error."""
        call = Call("POST", f"storages/{quote(name, safe='')}/test")
        return cast(types.StorageTest, await self._transport.json(call))

    async def delete_storage(self, name: str) -> None:
        """Deletes a storage with its credentials. One that does not exist is not an error."""
        await self._unless_gone(Call("DELETE", f"storages/{quote(name, safe='')}"))

    def webhook_messages(self) -> AsyncIterator[types.Webhook]:
        """Yields the webhook messages of the account, newest first."""
        return self._items("webhooks", "messages", {})

    async def redeliver_webhook(self, message_id: str) -> types.Webhook:
        """Sends a webhook message again."""
        call = Call("POST", f"webhooks/{quote(message_id, safe='')}/redeliver")
        return cast(types.Webhook, await self._transport.json(call))

    async def webhook_secrets(self) -> types.WebhookSecrets:
        """Returns the secrets that sign webhook messages, newest first."""
        return cast(types.WebhookSecrets, await self._transport.json(Call("GET", "webhooks/secret")))

    async def rotate_webhook_secret(self) -> types.WebhookSecrets:
        """Creates a new secret. The previous one remains valid for a day, and both sign each message."""
        return cast(types.WebhookSecrets, await self._transport.json(Call("POST", "webhooks/secret")))

    async def _items(self, path: str, name: str, params: Dict[str, str]) -> AsyncIterator[Any]:
        """Yields the items of all pages of a list. A page is requested when the items before it have been read."""
        after: Optional[str] = ""
        while after is not None:
            call = Call("GET", path, params={**params, **query(after=after or None)})
            page = cast(Dict[str, Any], await self._transport.json(call))
            for item in page[name]:
                yield item
            after = page["next"]

    async def _unless_gone(self, call: Call) -> None:
        try:
            await self._transport.send(call)
        except NotFoundError:
            return
