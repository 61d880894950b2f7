import type { Page } from "../ports.ts";
import type { Challenge, Passkey, Session, SigningKey } from "../sessions/session.ts";
import type { ApiKey, KeyLimits } from "./keys.ts";
import type { SeatChanges, Team } from "./members.ts";
import type { Account, AccountChanges, Billing, PlanId } from "./plans.ts";

/** The ports for accounts, keys, sessions, mail and payments. */

/** Accounts and their API keys. */
export interface AccountStore {
  /** Adds an account. `email_taken`: another account has the address (case-insensitive); nothing was added. */
  createAccount(account: Account): Promise<"created" | "email_taken">;
  getAccount(id: string): Promise<Account | undefined>;
  /** All accounts, in pages of the store's size. */
  listAccounts(): AsyncIterable<Account>;
  /** @returns accounts in no particular order: about `limit`, or fewer, or none, also before the last page */
  accountPage(page: { readonly limit: number; readonly after?: string }): Promise<Page<Account>>;
  /** @returns the account with the address (case-insensitive) */
  findByEmail(email: string): Promise<Account | undefined>;
  /** @returns whether the account exists. Without a quota, the plan's quota applies */
  setPlan(id: string, plan: PlanId, quota: number | undefined): Promise<boolean>;
  addKey(key: ApiKey): Promise<void>;
  /** Strongly consistent: a key that was just revoked is returned as revoked. */
  findKey(hash: string): Promise<ApiKey | undefined>;
  keysOf(accountId: string): Promise<readonly ApiKey[]>;
  /** @returns whether the key exists. An already revoked key keeps its revocation time */
  revokeKey(hash: string, now: number): Promise<boolean>;
  /** Replaces the limits of the key; missing ones are removed. @returns whether the key exists */
  limitKey(hash: string, limits: KeyLimits): Promise<boolean>;
  /** Sets the expiry of the key, unless it expires earlier. @returns whether the key exists */
  expireKey(hash: string, at: number): Promise<boolean>;
  /**
   * Changes the account. Null removes a value; missing fields stay unchanged.
   * @param from the endpoints that the change is based on; with others, nothing is changed. @default any
   * @returns whether it was changed: the account exists, and has these endpoints
   */
  change(id: string, changes: AccountChanges, from?: Pick<Account, "webhookEndpoints">): Promise<boolean>;
  /** Replaces the address of the account. `email_taken`: another account has it (case-insensitive). */
  setEmail(id: string, email: string): Promise<"changed" | "email_taken" | "missing">;
  /**
   * Replaces the members of the account, and adds or removes it in the lists of these addresses, all or nothing.
   * @returns whether it was changed: the account exists, and the version of its team was one less
   */
  setTeam(id: string, team: Team, seats: SeatChanges): Promise<boolean>;
  /** @returns the IDs of the accounts that the address is a member of, without its own. Case-insensitive */
  seatsOf(email: string): Promise<readonly string[]>;
  /**
   * Deletes the account with its address, keys, sessions, passkeys and counts. An interrupted call can be repeated: the
   * account and its address are deleted last. A missing account is not an error.
   */
  erase(id: string): Promise<void>;
}

/** The last use of keys, to the minute. Recorded at most once a minute. */
export interface KeyUses {
  /** A time before the recorded one is ignored. */
  note(accountId: string, keyId: string, now: number): Promise<void>;
  /** @returns the last use of each key by ID, without keys that were never used */
  of(accountId: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Challenges, sessions, passkeys and signing keys. */
export interface SessionStore {
  addChallenge(challenge: Challenge): Promise<void>;
  /**
   * Counts one attempt; exact under any concurrency.
   * @returns the challenge with the attempt counted; undefined: unknown, or no attempts left
   */
  tryChallenge(id: string, triesMax: number): Promise<Challenge | undefined>;
  /** Deletes the challenge. @returns whether it existed: only one of several concurrent calls succeeds */
  endChallenge(id: string): Promise<boolean>;
  addSession(session: Session): Promise<void>;
  /** Strongly consistent; check `expiresAt`. */
  findSession(hash: string): Promise<Session | undefined>;
  /** @returns sessions of the account, unordered */
  sessionsOf(accountId: string): Promise<readonly Session[]>;
  /** Records a use, unless a later one is recorded. A missing session is not an error. */
  noteSession(hash: string, now: number): Promise<void>;
  /** A missing record is not an error. */
  endSession(hash: string): Promise<void>;
  /** @returns whether it was added: its ID was not taken */
  addPasskey(passkey: Passkey): Promise<boolean>;
  findPasskey(id: string): Promise<Passkey | undefined>;
  passkeysOf(accountId: string): Promise<readonly Passkey[]>;
  /** Records a use. @returns whether it was recorded: the counter was still `from` */
  usePasskey(id: string, counter: { readonly from: number; readonly to: number }, now: number): Promise<boolean>;
  removePasskey(id: string): Promise<void>;
  /** @returns the keys that sign sessions, newest first */
  signingKeys(): Promise<readonly SigningKey[]>;
  /** Adds a key, unless one is newer than `after`. Deletes keys from before `endedAt`. @returns all current keys */
  rotateSigningKeys(
    key: SigningKey,
    bounds: { readonly after: number; readonly endedAt: number },
  ): Promise<readonly SigningKey[]>;
}

/** Rate limits per subject, such as requested codes or files of visitors. */
export interface AllowanceStore {
  /**
   * Takes one from the current window, across all processes of the deployment.
   * @param subject the counted subject, without personal data: addresses are hashed
   * @returns the remaining number, or -1 when the limit was reached
   */
  take(subject: string, allowance: Allowance, now: number): Promise<number>;
}

/** A limit per time window; windows start at multiples of their length. */
export interface Allowance {
  readonly limit: number;
  readonly windowMs: number;
}

/** An email. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** A one-line summary for the operator's terminal. */
  readonly summary: string;
}

/** Sends mail; undefined in a context without mail. */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** The payment service that the operator configured; undefined in a context without one. */
export interface BillingService {
  /** @returns the URL of the checkout page, which returns to the given page */
  checkout(account: Account, returnUrl: string): Promise<string>;
  /** @returns the URL of the portal with invoices, payment methods and cancellation */
  portal(billing: Billing, returnUrl: string): Promise<string>;
  /**
   * @returns the ID of a billing event and its subscription; undefined if it has none. Other content is ignored,
   * because events can be duplicated and reordered.
   * @throws RequestError `invalid_request` when it is not signed by the payment service
   */
  eventOf(body: Uint8Array, signature: string): Promise<BillingEvent | undefined>;
  /** @returns the current subscription and its account; undefined when it does not belong to this service */
  subscription(id: string): Promise<BilledAccount | undefined>;
}

/** A subscription and its account. */
export interface BilledAccount {
  readonly accountId: string;
  readonly billing: Billing;
}

/** An event of a subscription. */
export interface BillingEvent {
  readonly id: string;
  readonly subscriptionId: string;
}
