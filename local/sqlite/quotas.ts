import {
  type DayCount,
  type MonthUse,
  type QuotaClaim,
  type UseKind,
  useKinds,
} from "../../functions/domain/accounts/quotas.ts";
import { type DayDetail, DETAIL_ROWS_MAX, type UseDetail } from "../../functions/domain/accounts/use-details.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import type { QuotaStore } from "../../functions/domain/ports.ts";
import type { Database } from "./database.ts";
import { integerOf, type Row, textOf } from "./rows.ts";

/** The result of counting: whether it was counted, or which limit is reached. */
export type Taken = "key_quota_exceeded" | "quota_exceeded" | "taken";

/** The counter, used inside another store's transaction, so that both changes are atomic. */
export interface QuotaCounter {
  /** Counts the requests of the claim in its month and on its day, and for its key; all or nothing. */
  take(claim: QuotaClaim): Taken;
  /** Subtracts one request from the month, and from the key that it was counted for. */
  refund(job: Pick<Job, "accountId" | "quotaKey">, month: string): void;
  /** Adds one to a daily count, without affecting the quota. */
  count(count: DayCount): void;
  /** Adds the end of a job to the breakdown of the month. */
  detail(detail: UseDetail): void;
  used(accountId: string, month: string): number;
}

export const quotaCounter = (database: Database): QuotaCounter => {
  const take = database.prepare(`
    INSERT INTO quotas (account_id, month, used) SELECT :accountId, :month, :requests WHERE :limit >= :requests
    ON CONFLICT (account_id, month) DO UPDATE SET used = used + :requests WHERE used + :requests <= :limit`);
  const refund = database.prepare(
    "UPDATE quotas SET used = used - 1 WHERE account_id = :accountId AND month = :month AND used > 0",
  );
  const takeForKey = database.prepare(`
    INSERT INTO key_quotas (account_id, month, key_id, used)
    SELECT :accountId, :month, :keyId, :requests WHERE :limit >= :requests
    ON CONFLICT (account_id, month, key_id) DO UPDATE SET used = used + :requests WHERE used + :requests <= :limit`);
  const refundKey = database.prepare(`
    UPDATE key_quotas SET used = used - :requests
    WHERE account_id = :accountId AND month = :month AND key_id = :keyId AND used >= :requests`);
  const used = database.prepare("SELECT used FROM quotas WHERE account_id = ? AND month = ?");
  const usedBy = database.cached("quotas", (accountId: string, month: string) => {
    const row = used.get(accountId, month);
    return row === undefined ? 0 : integerOf(row, "used");
  });
  const addUse = database.prepare(`
    INSERT INTO uses (account_id, month, day, kind, count) VALUES (:accountId, :month, :day, :kind, :requests)
    ON CONFLICT (account_id, month, day, kind) DO UPDATE SET count = count + :requests`);
  const addDetail = database.prepare(`
    INSERT INTO use_details VALUES
      (:accountId, :month, :day, :keyId, :source, :target, :outcome, 1, :bytesIn, :bytesOut)
    ON CONFLICT (account_id, month, day, key_id, source, target, outcome)
    DO UPDATE SET jobs = jobs + 1, bytes_in = bytes_in + :bytesIn, bytes_out = bytes_out + :bytesOut`);
  const count = ({ accountId, month, day, kind }: DayCount, requests = 1): void => {
    addUse.run({ accountId, month, day, kind, requests });
  };
  return {
    take: (claim) => {
      const { accountId, month, limit, count: requests = 1, key } = claim;
      const ofKey = key && { accountId, month, keyId: key.id, requests };
      if (ofKey !== undefined && takeForKey.run({ ...ofKey, limit: key?.limit ?? 0 }).changes !== 1) {
        return "key_quota_exceeded";
      }
      if (take.run({ accountId, month, limit, requests }).changes === 1) {
        count(claim, requests);
        return "taken";
      }
      if (ofKey !== undefined) {
        refundKey.run(ofKey);
      }
      return "quota_exceeded";
    },
    refund: ({ accountId, quotaKey }, month) => {
      refund.run({ accountId, month });
      if (quotaKey !== undefined) {
        refundKey.run({ accountId, month, keyId: quotaKey, requests: 1 });
      }
    },
    count,
    detail: (detail) => {
      addDetail.run({ ...detail });
    },
    used: usedBy,
  };
};

export const sqliteQuotas = (database: Database): QuotaStore => {
  const counter = quotaCounter(database);
  const uses = database.prepare(
    "SELECT day, kind, count FROM uses WHERE account_id = :accountId AND month = :month ORDER BY day",
  );
  const details = database.prepare(`
    SELECT * FROM use_details WHERE account_id = :accountId AND month = :month
    ORDER BY day, key_id, source, target, outcome LIMIT :limit`);
  const ofKeys = database.prepare(
    "SELECT key_id, used FROM key_quotas WHERE account_id = :accountId AND month = :month",
  );
  const isUsed = database.prepare(`
    SELECT 1 FROM quotas WHERE account_id = :accountId AND month = :month
    UNION SELECT 1 FROM uses WHERE account_id = :accountId AND month = :month`);
  const setUsed = database.prepare("INSERT INTO quotas (account_id, month, used) VALUES (:accountId, :month, :used)");
  const setUse = database.prepare(`
    INSERT INTO uses (account_id, month, day, kind, count) VALUES (:accountId, :month, :day, :kind, :count)`);
  return {
    addMonth: (accountId, month, { used, days }) =>
      database.durably(() => {
        if (isUsed.get({ accountId, month }) !== undefined) {
          return false;
        }
        setUsed.run({ accountId, month, used });
        for (const [day, counts] of days) {
          for (const [kind, count] of Object.entries(counts)) {
            setUse.run({ accountId, month, day, kind, count });
          }
        }
        return true;
      }),
    // A download has no other record; a power failure can lose the last count.
    take: (claim) => database.soon(() => counter.take(claim) === "taken"),
    used: async (accountId, month) => counter.used(accountId, month),
    usedByKeys: async (accountId, month, keyIds) => {
      const wanted = new Set(keyIds);
      const counts = ofKeys
        .all({ accountId, month })
        .map((row) => [textOf(row, "key_id"), integerOf(row, "used")] as const);
      return new Map(counts.filter(([id]) => wanted.has(id)));
    },
    useOf: async (accountId, month) => ({
      used: counter.used(accountId, month),
      days: daysOf(uses.all({ accountId, month })),
    }),
    detailsOf: async (accountId, month) => {
      const rows = details.all({ accountId, month, limit: DETAIL_ROWS_MAX + 1 });
      return { rows: rows.slice(0, DETAIL_ROWS_MAX).map(detailOf), truncated: rows.length > DETAIL_ROWS_MAX };
    },
  };
};

/** Only this store writes the rows, so their values match the types. */
const detailOf = (row: Row): DayDetail => ({
  day: integerOf(row, "day"),
  keyId: textOf(row, "key_id"),
  source: textOf(row, "source") as DayDetail["source"],
  target: textOf(row, "target") as DayDetail["target"],
  outcome: textOf(row, "outcome") as DayDetail["outcome"],
  jobs: integerOf(row, "jobs"),
  bytesIn: integerOf(row, "bytes_in"),
  bytesOut: integerOf(row, "bytes_out"),
});

const daysOf = (rows: readonly Row[]): MonthUse["days"] => {
  const days = new Map<number, Partial<Record<UseKind, number>>>();
  for (const row of rows) {
    const [day, kind] = [integerOf(row, "day"), useKinds.find((each) => each === row.kind)];
    // A newer release may have counted other kinds, which are ignored.
    if (kind !== undefined) {
      days.set(day, { ...days.get(day), [kind]: integerOf(row, "count") });
    }
  }
  return days;
};
