import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AccountStore } from "../../../functions/domain/accounts/account-ports.ts";
import {
  type LoggedRequest,
  REQUEST_RETENTION_MS,
  type RequestStore,
} from "../../../functions/domain/requests/logged-request.ts";
import { type LoggedExchange, requestEntry } from "../../../functions/domain/requests/request-entry.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";

interface Made {
  readonly requests: RequestStore;
  readonly accounts: Pick<AccountStore, "createAccount" | "erase">;
  close(): Promise<void>;
}

const entry = (accountId: string, overrides: Partial<LoggedExchange> = {}): LoggedRequest =>
  requestEntry(
    {
      accountId,
      at: NOW,
      requestId: "r-1",
      operation: "getJob",
      method: "GET",
      path: "/api/v1/convert/job_1/status",
      status: 200,
      durationMs: 2,
      ...overrides,
    },
    randomBytes,
  );

/** What every store of logged requests guarantees. */
export const requestStoreContract = (name: string, make: () => Promise<Made>): void => {
  describe(`logged requests: ${name}`, () => {
    let made: Made;
    let account: string;
    beforeEach(async () => {
      made = await make();
      const record = accountRecord();
      account = record.id;
      await made.accounts.createAccount(record);
    });
    afterEach(() => made?.close());

    const list = (filter: Partial<Parameters<RequestStore["list"]>[0]> = {}) =>
      made.requests.list({ accountId: account, limit: 20, now: NOW, ...filter });

    test("are returned complete, newest first, and only to their account", async () => {
      const body = { code: "not_found", detail: "–".repeat(100) };
      const first = entry(account, { at: NOW - 2, keyId: "key_1", status: 404, body, bytesIn: 0, bytesOut: 90 });
      const second = entry(account, { at: NOW - 1, targetId: "job_1" });
      await made.requests.add([first, second]);
      const other = accountRecord();
      await made.accounts.createAccount(other);
      await made.requests.add([entry(other.id)]);
      expect((await list()).items).toEqual([second, first]);
      expect(await made.requests.get(account, first.id, NOW)).toEqual(first);
      expect(await made.requests.get(other.id, first.id, NOW)).toBeUndefined();
    });

    test("are returned in pages that neither repeat nor omit one, also with a filter", async () => {
      const entries = Array.from({ length: 25 }, (_, index) =>
        entry(account, { at: NOW - index, status: index % 2 === 0 ? 200 : 429 }),
      );
      await made.requests.add(entries);
      const pages = async (filter: { statusClass?: 4 }): Promise<readonly string[]> => {
        const found: string[] = [];
        let after: string | undefined;
        do {
          const page = await list({ ...filter, limit: 5, ...(after !== undefined && { after }) });
          found.push(...page.items.map(({ id }) => id));
          after = page.next;
        } while (after !== undefined);
        return found;
      };
      expect(await pages({})).toEqual(entries.map(({ id }) => id));
      expect(await pages({ statusClass: 4 })).toEqual(
        entries.filter(({ status }) => status === 429).map(({ id }) => id),
      );
    });

    test("are filtered by each field and by time", async () => {
      const plain = entry(account, { at: NOW - 10_000 });
      const refused = entry(account, {
        at: NOW - 5_000,
        keyId: "key_1",
        requestId: "r-2",
        operation: "createJob",
        targetId: "job_2",
        status: 422,
        body: { code: "invalid_options" },
      });
      await made.requests.add([plain, refused]);
      const filters = [
        { statusClass: 4 },
        { code: "invalid_options" },
        { keyId: "key_1" },
        { operation: "createJob" },
        { requestId: "r-2" },
        { jobId: "job_2" },
        { from: NOW - 5_000 },
      ] as const;
      for (const filter of filters) {
        expect((await list(filter)).items, JSON.stringify(filter)).toEqual([refused]);
      }
      expect((await list({ to: NOW - 5_000 })).items).toEqual([plain]);
      expect((await list({ statusClass: 5 })).items).toEqual([]);
    });

    test("expire after 30 days", async () => {
      const old = entry(account);
      await made.requests.add([old]);
      const later = NOW + REQUEST_RETENTION_MS + 1;
      expect((await list({ now: later })).items).toEqual([]);
      expect(await made.requests.get(account, old.id, later)).toBeUndefined();
    });

    test("are erased a few at a time, and with their account", async () => {
      await made.requests.add(Array.from({ length: 5 }, (_, age) => entry(account, { at: NOW - age })));
      expect(await made.requests.erase(account, 3)).toBe(true);
      expect((await list()).items).toHaveLength(2);
      await made.accounts.erase(account);
      expect((await list()).items).toEqual([]);
      expect(await made.requests.erase(account, 3)).toBe(false);
    });
  });
};
