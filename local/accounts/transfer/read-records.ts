import { isDeepStrictEqual } from "node:util";
import { linesOf, TransferError } from "./lines.ts";
import { type Counts, parseRecord, type TransferRecord } from "./records.ts";

/** Accounts of one file: their addresses are compared in memory, a hundred bytes each. */
const ACCOUNTS_MAX = 1_000_000;

export type Tally = { -readonly [Kind in keyof Counts]: number };

export const emptyTally = (): Tally => ({ accounts: 0, keys: 0, passkeys: 0, presets: 0, months: 0 });

/** The number that counts the records of a type. */
export const tallied = {
  account: "accounts",
  key: "keys",
  passkey: "passkeys",
  preset: "presets",
  usage: "months",
} as const;

/** A record that is imported. */
export type Entry = Extract<TransferRecord, { type: keyof typeof tallied }>;

/**
 * @returns the records of a complete file: each account before its records
 * @throws TransferError for a record that is invalid, duplicate or not in its place, and for a truncated file
 */
export async function* entriesOf(path: string): AsyncGenerator<{ readonly entry: Entry; readonly number: number }> {
  const [tally, addresses] = [emptyTally(), new Set<string>()];
  let [accountId, hasEnded] = ["", false];
  for await (const { record, number } of recordsOf(path)) {
    if (hasEnded || (number === 1) !== (record.type === "header")) {
      throw new TransferError(`Line ${number}: an export of accounts has one header, and ends with its end.`);
    }
    if (record.type === "header") {
      continue;
    }
    if (record.type === "end") {
      const { type: _, ...counts } = record;
      checkCounts(tally, counts, number);
      hasEnded = true;
      continue;
    }
    if (record.type === "account") {
      accountId = record.account.id;
      addAddress(addresses, record.account.email, number);
    }
    if (ownerOf(record) !== accountId) {
      throw new TransferError(`Line ${number}: the ${record.type} does not belong to the account before it.`);
    }
    tally[tallied[record.type]] += 1;
    yield { entry: record, number };
  }
  if (!hasEnded) {
    throw new TransferError("The file is truncated: its last line is not the end of an export.");
  }
}

async function* recordsOf(path: string): AsyncGenerator<{ readonly record: TransferRecord; readonly number: number }> {
  for await (const { line, number } of linesOf(path)) {
    try {
      yield { record: parseRecord(line), number };
    } catch (error) {
      throw error instanceof TypeError ? new TransferError(`Line ${number}: ${error.message}`) : error;
    }
  }
}

const checkCounts = (tally: Counts, counts: Counts, number: number): void => {
  const wrong = differences(tally, counts);
  if (wrong.length > 0) {
    throw new TransferError(`Line ${number}: the file does not contain the stated number of ${wrong.join(", ")}.`);
  }
};

const addAddress = (addresses: Set<string>, email: string, number: number): void => {
  const address = email.toLowerCase();
  if (addresses.has(address)) {
    throw new TransferError(`Line ${number}: an earlier account has the same email address.`);
  }
  if (addresses.size === ACCOUNTS_MAX) {
    throw new TransferError(`Line ${number}: the file has more than ${ACCOUNTS_MAX} accounts.`);
  }
  addresses.add(address);
};

const ownerOf = (entry: Entry): string => {
  switch (entry.type) {
    case "account":
      return entry.account.id;
    case "key":
      return entry.key.accountId;
    case "passkey":
      return entry.passkey.accountId;
    case "preset":
      return entry.preset.accountId;
    default:
      return entry.accountId;
  }
};

/** @returns the names of the properties that differ, sorted; a missing property equals an undefined one */
export const differences = (one: object, other: object): readonly string[] => {
  const [first, second] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const names = [...new Set([...first.keys(), ...second.keys()])].sort();
  return names.filter((name) => !isDeepStrictEqual(first.get(name), second.get(name)));
};
