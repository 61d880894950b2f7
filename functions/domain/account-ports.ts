import type { ApiKey } from "./keys.ts";
import type { Account, AccountChanges, Billing, PlanId } from "./plans.ts";
import type { Challenge, Passkey, Session, SigningKey } from "./sessions.ts";

/** The part of the seam that is about people: their accounts, keys, sessions, mail and payments. */

/** Accounts and their API keys. */
export interface AccountStore {
  /** Adds an account. `email_taken`: another account has the address, whatever its case; nothing was added. */
  createAccount(account: Account): Promise<"created" | "email_taken">;
  getAccount(id: string): Promise<Account | undefined>;
  /** All accounts, in pages of the store's own size. */
  listAccounts(): AsyncIterable<Account>;
  /** @returns the account with the address, whatever its case */
  findByEmail(email: string): Promise<Account | undefined>;
  /** @returns whether there is such an account. Without a quota the plan's own holds. */
  setPlan(id: string, plan: PlanId, quota: number | undefined): Promise<boolean>;
  addKey(key: ApiKey): Promise<void>;
  /** Reads with the newest state: a key that was revoked a moment ago comes back revoked. */
  findKey(hash: string): Promise<ApiKey | undefined>;
  keysOf(accountId: string): Promise<readonly ApiKey[]>;
  /** @returns whether there is such a key. A key that is revoked already keeps its time. */
  revokeKey(hash: string, now: number): Promise<boolean>;
  /** Lets the key expire then, unless it does so before. @returns whether there is such a key */
  expireKey(hash: string, at: number): Promise<boolean>;
  /** Changes the account; null takes a value away, and what is not named stays. @returns whether there is such an account */
  change(id: string, changes: AccountChanges): Promise<boolean>;
}

/** When keys were used last, as the whole minute that it was in: it is written down once a minute at most. */
export interface KeyUses {
  /** A time before the one that is written down changes nothing. */
  note(accountId: string, keyId: string, now: number): Promise<void>;
  /** @returns when each of these keys was used last, by id; one that never was is not there */
  of(accountId: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Who is signing in, who is signed in, and with what. */
export interface SessionStore {
  addChallenge(challenge: Challenge): Promise<void>;
  /**
   * Counts one try, also under any concurrency.
   * @returns the challenge with the try counted; undefined: there is none, or its tries were used up
   */
  tryChallenge(id: string, triesMax: number): Promise<Challenge | undefined>;
  /** Uses the challenge up. @returns whether it was there: of many at once one gets it */
  endChallenge(id: string): Promise<boolean>;
  addSession(session: Session): Promise<void>;
  /** Reads with the newest state; check `expiresAt`. */
  findSession(hash: string): Promise<Session | undefined>;
  /** @returns sessions of the account, in no order */
  sessionsOf(accountId: string): Promise<readonly Session[]>;
  /** Notes a use, unless a later one is noted. What is not there is no error. */
  noteSession(hash: string, now: number): Promise<void>;
  /** What is not there is no error. */
  endSession(hash: string): Promise<void>;
  /** @returns whether it was added: none has its id */
  addPasskey(passkey: Passkey): Promise<boolean>;
  findPasskey(id: string): Promise<Passkey | undefined>;
  passkeysOf(accountId: string): Promise<readonly Passkey[]>;
  /** Notes a use. @returns whether it was noted: the counter was still `from` */
  usePasskey(id: string, counter: { readonly from: number; readonly to: number }, now: number): Promise<boolean>;
  removePasskey(id: string): Promise<void>;
  /** @returns the keys that sessions are signed with, the newest first */
  signingKeys(): Promise<readonly SigningKey[]>;
  /** Adds a key, unless one is younger than `after`. Keys from before `endedAt` go. @returns all keys as they now are */
  rotateSigningKeys(
    key: SigningKey,
    bounds: { readonly after: number; readonly endedAt: number },
  ): Promise<readonly SigningKey[]>;
}

/** Counts of what may be done so often in a time, by whom it is done: codes asked for, files of visitors. */
export interface AllowanceStore {
  /**
   * Takes one out of this window's, across all processes of the deployment.
   * @param subject what is counted; it names no person: addresses are hashed
   * @returns how many are left, or -1 when there was none left to take
   */
  take(subject: string, allowance: Allowance, now: number): Promise<number>;
}

/** So many in each window of time; windows begin at multiples of their length. */
export interface Allowance {
  readonly limit: number;
  readonly windowMs: number;
}

/** A message to a person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** What it says in one line, for an operator's terminal. */
  readonly summary: string;
}

/** Sends mail; undefined in a context that cannot. */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** The payment service that an operator has set up; undefined in a context without one. */
export interface BillingService {
  /** @returns where the owner of the account pays for the plan, and comes back from */
  checkout(account: Account, returnUrl: string): Promise<string>;
  /** @returns where the owner sees bills, changes the card and ends the subscription */
  portal(billing: Billing, returnUrl: string): Promise<string>;
  /**
   * @returns the id of a message of the payment service, and the subscription that it is about; undefined when it is about
   * none. What else it says is not looked at: messages may come twice and in any order.
   * @throws RequestError `invalid_request` when it is not signed by the payment service
   */
  eventOf(body: Uint8Array, signature: string): Promise<BillingEvent | undefined>;
  /** @returns a subscription as it now stands, and whose it is; undefined when it is none of ours */
  subscription(id: string): Promise<BilledAccount | undefined>;
}

/** A subscription, and whose it is. */
export interface BilledAccount {
  readonly accountId: string;
  readonly billing: Billing;
}

/** That something happened to a subscription. */
export interface BillingEvent {
  readonly id: string;
  readonly subscriptionId: string;
}
