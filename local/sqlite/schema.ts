/**
 * The tables of one machine, as migration steps. `user_version` of a database is the number of applied steps; a
 * released step is never changed. There are no foreign keys, so that stores can be written in any order, as on AWS.
 * Times are milliseconds since 1970.
 */
export const schemaSteps: readonly string[] = [
  `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL UNIQUE, -- the e-mail address in lower case, so that its case does not matter
    email TEXT NOT NULL,
    plan TEXT NOT NULL,
    quota INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    prefix TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keys_by_account ON keys (account_id);

  CREATE TABLE quotas (
    account_id TEXT NOT NULL,
    month TEXT NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (account_id, month)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the upload as JSON; the other columns repeat what is searched for
    key TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    erased INTEGER NOT NULL DEFAULT 0 -- 1: its file is gone
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_to_erase ON uploads (expires_at) WHERE erased = 0;
  CREATE INDEX uploads_to_delete ON uploads (expires_at) WHERE erased = 1;

  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the job as JSON; the other columns repeat what is searched for
    upload_id TEXT NOT NULL,
    due_at INTEGER, -- null: the job has ended
    token TEXT UNIQUE,
    result_key TEXT,
    result_expires_at INTEGER,
    record_expires_at INTEGER NOT NULL,
    erased INTEGER NOT NULL DEFAULT 0 -- 1: its result is gone
  ) STRICT;
  CREATE INDEX jobs_unfinished ON jobs (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX jobs_unfinished_by_upload ON jobs (upload_id) WHERE due_at IS NOT NULL;
  CREATE INDEX jobs_to_erase ON jobs (result_expires_at) WHERE result_expires_at IS NOT NULL AND erased = 0;
  CREATE INDEX jobs_to_delete ON jobs (record_expires_at);

  CREATE TABLE idempotency (
    key TEXT PRIMARY KEY,
    job_id TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_to_delete ON idempotency (expires_at);

  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lane TEXT NOT NULL,
    account_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    turn INTEGER NOT NULL, -- see queue.ts
    state TEXT NOT NULL, -- ready: visible now; hidden: visible at its time; dead: delivered too often
    visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX messages_ready ON messages (lane, turn, id) WHERE state = 'ready';
  CREATE INDEX messages_hidden ON messages (lane, visible_at) WHERE state = 'hidden';
  CREATE INDEX messages_dead ON messages (lane, visible_at) WHERE state = 'dead';
  CREATE INDEX messages_by_account ON messages (lane, account_id, turn);

  CREATE TABLE turns (
    lane TEXT PRIMARY KEY,
    turn INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE accounts ADD COLUMN preferences TEXT NOT NULL DEFAULT '{}'; -- JSON: how long files stay, webhook secrets
  ALTER TABLE keys ADD COLUMN scopes TEXT; -- JSON; null: everything
  ALTER TABLE idempotency RENAME COLUMN job_id TO record_id;

  ALTER TABLE uploads ADD COLUMN waits INTEGER NOT NULL DEFAULT 0; -- 1: a worker is to fetch it, or to look at it
  CREATE INDEX uploads_waiting ON uploads (id) WHERE waits = 1;

  ALTER TABLE jobs ADD COLUMN account_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE jobs ADD COLUMN status TEXT NOT NULL DEFAULT '';
  UPDATE jobs SET account_id = body ->> 'accountId', status = body ->> 'status';
  CREATE INDEX jobs_by_account ON jobs (account_id, id);

  CREATE TABLE inputs (
    job_id TEXT NOT NULL,
    upload_id TEXT NOT NULL, -- one that is merged behind the first, while the job is unfinished
    PRIMARY KEY (job_id, upload_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX inputs_by_upload ON inputs (upload_id);

  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the message as JSON; the other columns repeat what is searched for
    account_id TEXT NOT NULL,
    due_at INTEGER, -- null: it is not tried again
    record_expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_by_account ON webhooks (account_id, id);
  CREATE INDEX webhooks_due ON webhooks (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX webhooks_to_delete ON webhooks (record_expires_at);
  `,
  `
  ALTER TABLE accounts ADD COLUMN visitor_until INTEGER; -- null: the account of someone with an address
  CREATE INDEX accounts_to_delete ON accounts (visitor_until) WHERE visitor_until IS NOT NULL;

  CREATE TABLE key_uses (
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    used_at INTEGER NOT NULL, -- a whole minute
    PRIMARY KEY (account_id, key_id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX quotas_to_delete ON quotas (month);
  CREATE TABLE uses (
    account_id TEXT NOT NULL,
    month TEXT NOT NULL,
    day INTEGER NOT NULL,
    kind TEXT NOT NULL, -- an accepted request by operation, or the end of a job by its status
    count INTEGER NOT NULL,
    PRIMARY KEY (account_id, month, day, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uses_to_delete ON uses (month);

  CREATE TABLE challenges (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the challenge as JSON
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX challenges_to_delete ON challenges (expires_at);

  CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the session as JSON; the other columns repeat what is searched for
    account_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_account ON sessions (account_id);
  CREATE INDEX sessions_to_delete ON sessions (expires_at);

  CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the passkey as JSON; the other columns repeat what is searched for
    account_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX passkeys_by_account ON passkeys (account_id);

  CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE allowances (
    subject TEXT NOT NULL,
    window_ms INTEGER NOT NULL,
    ends_at INTEGER NOT NULL, -- of the window
    taken INTEGER NOT NULL,
    PRIMARY KEY (subject, window_ms, ends_at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX allowances_to_delete ON allowances (ends_at);
  `,
  `
  CREATE INDEX messages_by_job ON messages (job_id);
  CREATE INDEX jobs_by_status ON jobs (account_id, status, id);
  CREATE INDEX uploads_waiting_by_account ON uploads (body ->> 'accountId', id) WHERE waits = 1;
  CREATE INDEX webhooks_due_by_account ON webhooks (account_id, due_at, id) WHERE due_at IS NOT NULL;
  `,
  `
  CREATE TABLE storages (
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL, -- the storage as JSON; its credentials are encrypted
    PRIMARY KEY (account_id, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE pipelines (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the pipeline as JSON; the other columns repeat the searched fields
    account_id TEXT NOT NULL,
    record_expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX pipelines_by_account ON pipelines (account_id, id);
  CREATE INDEX pipelines_to_delete ON pipelines (record_expires_at);

  CREATE TABLE presets (
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL, -- the preset as JSON
    PRIMARY KEY (account_id, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE engine_days (
    day TEXT NOT NULL, -- UTC, for example 2026-11-23
    engine TEXT NOT NULL,
    bucket INTEGER NOT NULL, -- of the duration of a step; -1: failures
    count INTEGER NOT NULL,
    PRIMARY KEY (day, engine, bucket)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE engine_failures (
    engine TEXT PRIMARY KEY,
    body TEXT NOT NULL, -- the last failure as JSON
    failed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE requests (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL, -- starts with the time
    body TEXT NOT NULL, -- the rest of the entry as JSON
    PRIMARY KEY (account_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX requests_to_delete ON requests (id);

  CREATE TABLE use_details (
    account_id TEXT NOT NULL,
    month TEXT NOT NULL,
    day INTEGER NOT NULL,
    key_id TEXT NOT NULL, -- empty: a job of the dashboard
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL, -- the status of the job, or the code of its error
    jobs INTEGER NOT NULL,
    bytes_in INTEGER NOT NULL,
    bytes_out INTEGER NOT NULL,
    PRIMARY KEY (account_id, month, day, key_id, source, target, outcome)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX use_details_to_delete ON use_details (month);
  `,
  `
  ALTER TABLE keys ADD COLUMN monthly_limit INTEGER; -- null: only the quota of the account applies
  ALTER TABLE keys ADD COLUMN counted_as TEXT; -- the key that its requests are counted for; null: itself
  ALTER TABLE keys ADD COLUMN origins TEXT; -- JSON; null: all

  CREATE TABLE key_quotas (
    account_id TEXT NOT NULL,
    month TEXT NOT NULL,
    key_id TEXT NOT NULL, -- of a key with a monthly limit
    used INTEGER NOT NULL,
    PRIMARY KEY (account_id, month, key_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX key_quotas_to_delete ON key_quotas (month);
  `,
  `
  CREATE TABLE seats (
    address TEXT NOT NULL, -- of a member, in lower case
    account_id TEXT NOT NULL,
    PRIMARY KEY (address, account_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX seats_by_account ON seats (account_id);
  `,
];
