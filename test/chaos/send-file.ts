import { setTimeout as pause } from "node:timers/promises";
import { FormData, fetch } from "undici";
import type { UploadView } from "../../functions/domain/uploads/upload-views.ts";
import type { Input } from "./inputs.ts";
import type { Ledger } from "./judge/ledger.ts";
import type { PlannedJob } from "./plan.ts";
import { agent, type Reply, type Wish } from "./stubborn.ts";

/** How a client of the load reaches the service. */
export interface Line {
  readonly send: (wish: Wish) => Promise<Reply>;
  readonly ledger: Ledger;
  readonly key: string;
  /** Where the receiver serves files. */
  readonly filesUrl: string;
}

/**
 * Uploads of one file after which a client gives up: each failed through a server error, ours or the other server's.
 */
const UPLOADS_MAX = 12;
/** Status requests of a client for one upload, and the time between two of them, which grows. */
const LOOKING_MS_MAX = 150_000;
const LOOK_MS_MIN = 250;
const LOOK_MS_MAX = 2_000;
const PUT_MS_MAX = 60_000;

/** @returns the ID of a ready upload; undefined if it was rejected */
export const sendFile = async (
  line: Line,
  plan: PlannedJob,
  input: Input,
  name: string,
): Promise<string | undefined> => {
  for (let tries = 0; tries < UPLOADS_MAX; tries += 1) {
    const reply = await createUpload(line, plan, input, `${name}-${tries}`);
    if (reply.status !== 201) {
      refused(line.ledger, reply);
      return undefined;
    }
    const upload = reply.body as unknown as UploadView;
    line.ledger.uploads.push({ id: upload.upload_id, account: plan.account, test: plan.test });
    const ended = await brought(line, plan, input, upload);
    if (ended?.status === "ready") {
      if (ended.sha256 !== input.sha256) {
        line.ledger.wrongs.push(`The upload ${ended.upload_id} does not have the SHA-256 of the file that was sent.`);
      }
      return ended.upload_id;
    }
  }
  throw new Error(`${input.name} failed in ${UPLOADS_MAX} uploads by ${plan.way}.`);
};

/** The plan contains no invalid request, so the only valid rejection is that of a used-up month. */
export const refused = ({ refusals, wrongs }: Ledger, { status, body }: Reply): void => {
  const code = `${status} ${body.code}`;
  refusals.set(code, (refusals.get(code) ?? 0) + 1);
  if (body.code !== "quota_exceeded") {
    wrongs.push(`A valid request was rejected: ${code} ${body.detail}`);
  }
};

const createUpload = ({ send, key, filesUrl }: Line, { way }: PlannedJob, input: Input, name: string) => {
  const wish = { method: "POST", path: "/api/v1/upload", key } as const;
  const json = (body: object): Promise<Reply> =>
    send({
      ...wish,
      headers: { "idempotency-key": name, "content-type": "application/json" },
      body: () => JSON.stringify(body),
    });
  if (way === "url") {
    return json({ url: `${filesUrl}/${input.name}` });
  }
  if (way === "put") {
    return json({ filename: input.name, size: input.bytes.length, sha256: input.sha256 });
  }
  const body = () => {
    const form = new FormData();
    form.set("file", new File([Uint8Array.from(input.bytes)], input.name));
    return form;
  };
  return send({ ...wish, headers: { "idempotency-key": name }, body });
};

/** Sends what the upload is missing until it has ended. @returns undefined if it did not end */
const brought = async (
  line: Line,
  plan: PlannedJob,
  input: Input,
  created: UploadView,
): Promise<UploadView | undefined> => {
  let upload = created;
  let breaksOff = plan.breaksOff;
  const path = `/api/v1/upload/${created.upload_id}`;
  const end = Date.now() + LOOKING_MS_MAX;
  for (let lookMs = LOOK_MS_MIN; upload.status === "pending" && Date.now() < end; lookMs *= 1.4) {
    if (upload.upload !== undefined) {
      await putAll(upload.upload, input, breaksOff);
      breaksOff = false;
      await line.send({ method: "POST", path: `${path}/complete?wait=2`, key: line.key });
    }
    const reply = await line.send({ method: "GET", path, key: line.key });
    if (reply.status !== 200) {
      line.ledger.wrongs.push(`An accepted upload was answered with ${reply.status} ${reply.body.code}.`);
      return undefined;
    }
    upload = reply.body as unknown as UploadView;
    await pause(upload.status === "pending" ? Math.min(lookMs, LOOK_MS_MAX) : 0);
  }
  return upload;
};

/** Sends the file, or the missing parts. Failures are found by the next status request. */
const putAll = async (transfer: NonNullable<UploadView["upload"]>, input: Input, breaksOff: boolean): Promise<void> => {
  const { parts } = transfer;
  if (parts === undefined) {
    await put(transfer.url ?? "", transfer.headers ?? {}, input.bytes, breaksOff);
    return;
  }
  for (const part of parts.filter(({ received }) => !received)) {
    await put(part.url, part.headers, input.bytes.subarray(part.offset, part.offset + part.size), breaksOff);
  }
};

const put = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  breaksOff: boolean,
): Promise<void> => {
  const half = async function* () {
    yield bytes.subarray(0, bytes.length / 2);
    throw new Error("The client is gone.");
  };
  await fetch(url, {
    method: "PUT",
    headers: { ...headers, ...(breaksOff && { "content-length": String(bytes.length) }) },
    body: breaksOff ? half() : bytes,
    duplex: "half",
    signal: AbortSignal.timeout(PUT_MS_MAX),
    dispatcher: agent,
  })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
};
