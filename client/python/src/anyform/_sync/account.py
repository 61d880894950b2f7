# Generated from _async/account.py by client/generate/generate-python.ts. Do not edit.
"""Requests about the account: its usage, presets, storages and webhooks."""

from __future__ import annotations

from typing import Any, Iterator, Dict, Optional, Sequence, cast
from urllib.parse import quote

from .. import _types as types
from .._calls import Call
from .._conversions import query
from ..errors import NotFoundError
from .transport import Transport


class AccountCalls:
    """Methods of the client that neither send nor receive files."""

    _transport: Transport

    def account(self) -> types.Account:
        """Returns the plan and quota of the account."""
        return cast(types.Account, self._transport.json(Call("GET", "account")))

    def usage(self, month: Optional[str] = None) -> types.Use:
        """Returns the usage of a month by day. ``month`` is a UTC month such as ``2026-11``; default: this month."""
        return cast(types.Use, self._transport.json(Call("GET", "account/use", params=query(month=month))))

    def usage_details(self, month: Optional[str] = None) -> types.UseDetails:
        """Returns the jobs of a month by day, API key, formats and outcome, with their bytes."""
        call = Call("GET", "account/use/details", params=query(month=month))
        return cast(types.UseDetails, self._transport.json(call))

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
    ) -> Iterator[types.LoggedRequest]:
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

    def request(self, entry_id: str) -> types.RequestDetail:
        """Returns a request of the log with the body of its response. ``entry_id`` is its ``id``."""
        return cast(types.RequestDetail, self._transport.json(Call("GET", f"requests/{quote(entry_id, safe='')}")))

    def formats(
        self, *, source: Optional[str] = None, target: Optional[str] = None, family: Optional[str] = None
    ) -> types.FormatList:
        """Lists the supported formats. Does not require an API key."""
        call = Call("GET", "formats", params=query(source=source, target=target, family=family))
        return cast(types.FormatList, self._transport.json(call))

    def conversion(self, source: str, target: str, *, merge_with: Sequence[str] = ()) -> types.Conversion:
        """Returns a conversion with its options, or those of a merge with files of the formats in ``merge_with``.

        Does not require an API key."""
        path = f"formats/{quote(source, safe='')}/{quote(target, safe='')}"
        call = Call("GET", path, params=query(merge_with=",".join(merge_with) or None))
        return cast(types.Conversion, self._transport.json(call))

    def save_preset(self, name: str, settings: types.PresetRequest) -> types.Preset:
        """Adds a preset, or replaces the one with this name."""
        call = Call("PUT", f"presets/{quote(name, safe='')}", json=dict(settings))
        return cast(types.Preset, self._transport.json(call))

    def presets(self) -> types.PresetList:
        """Lists the presets of the account."""
        return cast(types.PresetList, self._transport.json(Call("GET", "presets")))

    def delete_preset(self, name: str) -> None:
        """Deletes a preset. One that does not exist is not an error."""
        self._unless_gone(Call("DELETE", f"presets/{quote(name, safe='')}"))

    def preset(self, name: str) -> types.Preset:
        """Returns a preset."""
        return cast(types.Preset, self._transport.json(Call("GET", f"presets/{quote(name, safe='')}")))

    def save_storage(self, name: str, settings: types.StorageRequest) -> types.Storage:
        """Adds an S3 bucket or WebDAV folder, or replaces the one with this name. Credentials are never returned."""
        call = Call("PUT", f"storages/{quote(name, safe='')}", json=dict(settings))
        return cast(types.Storage, self._transport.json(call))

    def storages(self) -> types.StorageList:
        """Lists the storages of the account."""
        return cast(types.StorageList, self._transport.json(Call("GET", "storages")))

    def test_storage(self, name: str) -> types.StorageTest:
        """Writes a small file to a storage and deletes it. A storage that cannot be used is not an error."""
        call = Call("POST", f"storages/{quote(name, safe='')}/test")
        return cast(types.StorageTest, self._transport.json(call))

    def delete_storage(self, name: str) -> None:
        """Deletes a storage with its credentials. One that does not exist is not an error."""
        self._unless_gone(Call("DELETE", f"storages/{quote(name, safe='')}"))

    def webhook_messages(self) -> Iterator[types.Webhook]:
        """Yields the webhook messages of the account, newest first."""
        return self._items("webhooks", "messages", {})

    def redeliver_webhook(self, message_id: str) -> types.Webhook:
        """Sends a webhook message again."""
        call = Call("POST", f"webhooks/{quote(message_id, safe='')}/redeliver")
        return cast(types.Webhook, self._transport.json(call))

    def webhook_secrets(self) -> types.WebhookSecrets:
        """Returns the secrets that sign webhook messages, newest first."""
        return cast(types.WebhookSecrets, self._transport.json(Call("GET", "webhooks/secret")))

    def rotate_webhook_secret(self) -> types.WebhookSecrets:
        """Creates a new secret. The previous one remains valid for a day, and both sign each message."""
        return cast(types.WebhookSecrets, self._transport.json(Call("POST", "webhooks/secret")))

    def _items(self, path: str, name: str, params: Dict[str, str]) -> Iterator[Any]:
        """Yields the items of all pages of a list. A page is requested when the items before it have been read."""
        after: Optional[str] = ""
        while after is not None:
            call = Call("GET", path, params={**params, **query(after=after or None)})
            page = cast(Dict[str, Any], self._transport.json(call))
            for item in page[name]:
                yield item
            after = page["next"]

    def _unless_gone(self, call: Call) -> None:
        try:
            self._transport.send(call)
        except NotFoundError:
            return
