import type { AccountStore } from "../../domain/accounts/account-ports.ts";
import { sha256Hex } from "../../domain/ids.ts";
import { type Dynamo, readRecord } from "./records.ts";
import { type Change, transact, updateOf } from "./writes.ts";

/**
 * Members of accounts. The team is an attribute of the account; a record per address has the set of the accounts that it
 * is a member of, so that both are read consistently.
 */
export const dynamoSeats = (dynamo: Dynamo): Pick<AccountStore, "seatsOf" | "setTeam"> => ({
  setTeam: async (id, team, { added = [], removed = [] }) => {
    const isFirst = team.version === 1;
    const refused = await transact(dynamo, [
      {
        Update: updateOf({
          table: dynamo.tables.keys,
          key: { pk: id },
          update: "SET #team = :team",
          condition: `#kind = :account AND ${isFirst ? "attribute_not_exists(#team)" : "#team.#version = :former"}`,
          values: { ":team": team, ":account": "account", ...(!isFirst && { ":former": team.version - 1 }) },
        }),
      },
      ...removed.map((email) => ({ Update: updateOf(seatRemoval(dynamo, email, id)) })),
      ...added.map((email) => ({ Update: updateOf(seatAddition(dynamo, email, id)) })),
    ]);
    return refused === undefined;
  },
  seatsOf: async (email) => {
    const seats = await readRecord(dynamo, { table: dynamo.tables.keys, key: seatsKey(email), kind: "seats" });
    return [...(seats?.accounts ?? [])].sort();
  },
});

/** Also for a new account, in the transaction that adds it. */
export const seatAddition = (dynamo: Dynamo, email: string, id: string): Change => ({
  ...seatsOfAddress(dynamo, email),
  update: "SET #kind = :kind ADD #accounts :ids",
  values: { ":kind": "seats", ":ids": new Set([id]) },
});

/** An empty set is removed by the store; the record that remains has no address. */
export const seatRemoval = (dynamo: Dynamo, email: string, id: string): Change => ({
  ...seatsOfAddress(dynamo, email),
  update: "DELETE #accounts :ids",
  values: { ":ids": new Set([id]) },
});

const seatsOfAddress = (dynamo: Dynamo, email: string) => ({
  table: dynamo.tables.keys,
  key: { pk: seatsKey(email) },
});

const seatsKey = (email: string): string => `seats#${sha256Hex(email.toLowerCase())}`;
