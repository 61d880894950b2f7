import { issueKey } from "../domain/accounts.ts";
import { cleanText } from "../domain/clean-text.ts";
import { RequestError } from "../domain/errors.ts";
import type { NewKeyView } from "../domain/key-views.ts";
import { scopes } from "../domain/keys.ts";
import { http, type Operation } from "./http.ts";
import { type CreateKeyRequest, createKeyRequest } from "./key-request.ts";
import { keyView } from "./key-view.ts";
import { checkRoom } from "./own-key.ts";

/** Makes a key, and shows it: this once, since only its SHA-256 is kept. */
export const createKey: Operation<CreateKeyRequest> = (context) => async (request) => {
  const { body, accountId, now } = request;
  const wanted = { accountId, name: nameOf(body), kind: body.kind, ...scopesOf(body), ...expiryOf(body, now) };
  await checkRoom(context, request);
  const { key, record } = await issueKey(context, wanted);
  const view: NewKeyView = { key, ...keyView(record) };
  return { status: 201, body: view };
};

const nameOf = (body: CreateKeyRequest): string => {
  const name = cleanText(body.name);
  if (name === "") {
    throw fieldError("/name", "too_small", "The name has nothing that can be read.");
  }
  return name;
};

/** Named twice is named once, and in the order of the table. */
const scopesOf = ({ scopes: named }: CreateKeyRequest) =>
  named === undefined ? {} : { scopes: scopes.filter((scope) => named.includes(scope)) };

const expiryOf = ({ expires_at }: CreateKeyRequest, now: number): { expiresAt?: number } => {
  if (expires_at === undefined || expires_at === null) {
    return {};
  }
  const expiresAt = Date.parse(expires_at);
  if (expiresAt <= now) {
    throw fieldError("/expires_at", "too_small", `A key expires in the future, not at ${expires_at}.`);
  }
  return { expiresAt };
};

const fieldError = (pointer: string, code: string, detail: string): RequestError =>
  new RequestError("invalid_request", `The body does not fit: see ${pointer}.`, {
    errors: [{ pointer, code, detail }],
  });

export const handler = http("createKey", createKey, createKeyRequest);
