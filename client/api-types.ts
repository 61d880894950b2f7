/** Made from the service's OpenAPI document by generate-types.ts; not to be changed by hand. */

export interface components {
  schemas: {
    /** A file that is here, or is to come. */
    Upload: {
      /** What `createJob` takes. */
      upload_id: string;
      /** `pending` while bytes are to be sent, fetched or looked at. */
      status: "ready" | "pending" | "failed";
      /** The name of the file, cleaned of folders and control characters. */
      filename: string;
      size: number | null;
      sha256: string | null;
      format: string | null;
      media_type: string | null;
      /** Ids of the formats that it can become. */
      targets: string[];
      /** When the upload was made. */
      created_at: string;
      /** When it goes, with its file. */
      expires_at: string;
      upload?: components["schemas"]["Transfer"];
      error: components["schemas"]["UploadError"] | null;
    };
    /** How the bytes of a pending upload are sent: by one PUT, or by one for each part. */
    Transfer: {
      /** How each request to the file store is made. */
      method: "PUT";
      /** Until when the URLs hold. `getUpload` gives new ones. */
      expires_at: string;
      /** Where the whole file is PUT; it needs no API key, and is a secret. */
      url?: string;
      /** Headers to send along, exactly as they are here; often there are none. */
      headers?: { [key: string]: string };
      /** In place of `url`: the parts of a large file, in any order and several at once. */
      parts?: components["schemas"]["TransferPart"][];
    };
    /** One part of a large file. */
    TransferPart: {
      /** 1 for the first part. */
      number: number;
      /** Bytes of the file before this part. */
      offset: number;
      /** Bytes of this part. */
      size: number;
      /** Where this part is PUT; it needs no API key, and is a secret. */
      url: string;
      /** Headers to send along, exactly as they are here; often there are none. */
      headers: { [key: string]: string };
      /** Whether this part is here. One that is not, or is broken, is simply sent again. */
      received: boolean;
    };
    /** Why a file never came, or is not what it was to be. */
    UploadError: {
      /** Stable: what a program should look at. This document lists them all. */
      code: "empty" | "size_mismatch" | "hash_mismatch" | "payload_too_large" | "unrecognised_format" | "address_refused" | "fetch_failed";
      /** The code in words. */
      title: string;
      /** What was wrong with this file. */
      detail: string;
      /** Whether the same may succeed when it is asked for again. */
      retryable: boolean;
    };
    /** A file that the client will send straight to the file store. */
    DirectUploadRequest: {
      /** The name of the file. Its bytes tell the format first, its extension second. */
      filename: string;
      /** Bytes of the file. */
      size: number;
      /** Not needed: the bytes tell the format. */
      content_type?: string;
      /** SHA-256 of the bytes, hexadecimal; what is sent is held to it. */
      sha256?: string;
    };
    /** A file that the service fetches. */
    UrlUploadRequest: {
      /** Where the file is. It must be reachable from the internet; up to five redirects are followed. */
      url: string;
      /** The name of the file. Default: the last part of the URL's path. */
      filename?: string;
      /** What is sent along, say an authorization; not host, content-length, connection, transfer-encoding. It is never shown again. */
      headers?: { [key: string]: string };
    };
    /** A conversion of one upload, or of several that become one file. */
    ConversionRequest: unknown;
    /** One conversion. */
    Job: {
      /** Of the job. */
      id: string;
      /** `queued`, `processing`, then `completed`, `failed` or `cancelled`; `expired` when the file of a completed job is gone. */
      status: "queued" | "processing" | "completed" | "failed" | "cancelled" | "expired";
      /** Percent. */
      progress: number;
      /** What is converted; of a merge, the first of them. */
      upload_id: string;
      /** Id of the format. */
      source_format: string;
      /** Id of the format, whatever alias was asked for. */
      target_format: string;
      /** As they were given; a password is not shown. */
      options: { [key: string]: unknown };
      /** The way from source to target. */
      steps: {
        /** What does the step. */
        engine: string;
        /** Id of the format. */
        from: string;
        /** Id of the format. */
        to: string;
        duration_ms: number | null;
      }[];
      /** What a conversion keeps: everything, all but some quality, or the content without its layout. */
      fidelity: "lossless" | "lossy" | "content_only";
      /** As it was given. */
      metadata: { [key: string]: string };
      /** When the job was accepted. */
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      expires_at: string | null;
      result: components["schemas"]["JobResult"] | null;
      /** What the client should know of a result that is otherwise good. */
      warnings: {
        /** Stable. */
        code: string;
        /** What happened. */
        detail: string;
      }[];
      error: components["schemas"]["JobError"] | null;
    };
    /** The file that a job made. */
    JobResult: {
      /** The name that it is saved by. */
      filename: string;
      /** Bytes of the file. */
      size: number;
      /** `application/zip` where one file became several. */
      media_type: string;
      /** SHA-256 of the bytes, hexadecimal. */
      sha256: string;
      /** What `downloadResult` takes; a secret. */
      download_token: string;
      /** `downloadResult` with that token. */
      download_url: string;
      /** When the file goes. */
      expires_at: string;
    };
    /** Why a job failed. */
    JobError: {
      /** Stable: what a program should look at. This document lists them all. */
      code: "source_corrupt" | "source_mismatch" | "password_required" | "too_many_pages" | "too_long" | "archive_unsafe" | "too_many_pixels" | "output_too_large" | "unsupported_feature" | "cancelled" | "timed_out" | "out_of_memory" | "engine_failed" | "engine_crashed";
      /** The code in words. */
      title: string;
      /** What was wrong with this file. */
      detail: string;
      /** Whether the same may succeed when it is asked for again. */
      retryable: boolean;
    };
    /** A page of jobs. */
    JobList: {
      /** The newest first. */
      jobs: components["schemas"]["Job"][];
      /** What `after` is to be for the next page; null on the last one. */
      next: string | null;
    };
    BatchRequest: {
      /** Each is what `createJob` takes (`ConversionRequest`); one that is not is refused by itself. */
      conversions: unknown[];
    };
    /** The outcome of a batch. */
    Batch: {
      /** What became of each conversion, in their order. */
      items: {
        /** The HTTP status that the conversion would have got by itself. */
        status: number;
        job: components["schemas"]["Job"] | null;
        problem: components["schemas"]["Problem"] | null;
      }[];
    };
    /** Plan, quota, and what of it is used. */
    Account: {
      /** Of the account. */
      id: string;
      /** What the account pays for. */
      plan: "free" | "api" | "enterprise";
      /** What the account may do. */
      quota: {
        /** Requests that the account may make in a UTC month. */
        limit: number;
        /** Requests that were counted in this one. */
        used: number;
        /** Requests that are left. */
        remaining: number;
        /** When the next month begins. */
        resets_at: string;
        requests_per_second: number | null;
      };
      /** Hours that files stay after their job; 0: until the first download. */
      retention_hours: number;
    };
    AccountChanges: {
      webhook_url?: string | null;
      /** Hours that files stay after their job has ended; 0: until the first download. It holds for jobs from now on. */
      retention_hours?: number;
    };
    /** What an account used in a month. */
    Use: {
      /** The UTC month, `2026-11`. */
      month: string;
      /** Requests that the account may make in a month, as its plan is now. */
      limit: number;
      /** Requests that were counted in it, less those that were given back. */
      used: number;
      /** Every day of the month, up to today. */
      days: components["schemas"]["UseDay"][];
    };
    /** What was used on one day. */
    UseDay: {
      /** The UTC day. */
      date: string;
      /** Uploads that were accepted. */
      upload: number;
      /** Conversions that were accepted. */
      convert: number;
      /** Downloads that were accepted. */
      download: number;
      /** Jobs that were completed on this day. */
      completed: number;
      /** Jobs that failed on this day. */
      failed: number;
      /** Jobs that were cancelled on this day. */
      cancelled: number;
    };
    PlanChoiceRequest: {
      /** The plan that is wanted. */
      plan: "free" | "api" | "enterprise";
      /** What the operator should know of it: how many requests a month, for example. */
      note?: string;
    };
    /** What became of a plan that was picked. */
    PlanChoice: {
      /** `active`: the plan holds. `requested`: the operator was asked. `payment`: go on at `url`. */
      status: "active" | "requested" | "payment";
      url: string | null;
    };
    /** Where bills are, and where a subscription is ended. */
    BillingPage: {
      /** A page of the payment service that is for the account's owner alone. */
      url: string;
    };
    /** A message of the payment service. */
    BillingEvent: {
      /** Of the message. */
      id: string;
      /** What happened, as the payment service calls it. */
      type: string;
      /** What it happened to. */
      data: {

      };
    };
    /** An API key, without the key itself. */
    Key: {
      /** Of the key. */
      id: string;
      /** What its owner calls it. */
      name: string;
      /** The first characters of the key, to tell it by. */
      prefix: string;
      /** A `test` key converts small files for real, and is not metered. */
      kind: "live" | "test";
      /** What the key may do. */
      scopes: ("upload" | "convert" | "read" | "download" | "webhooks")[];
      /** When it was made. */
      created_at: string;
      expires_at: string | null;
      last_used_at: string | null;
      revoked_at: string | null;
    };
    /** A new API key. */
    NewKey: {
      /** The key itself. It is shown only here: only its SHA-256 is kept. */
      key: string;
      /** Of the key. */
      id: string;
      /** What its owner calls it. */
      name: string;
      /** The first characters of the key, to tell it by. */
      prefix: string;
      /** A `test` key converts small files for real, and is not metered. */
      kind: "live" | "test";
      /** What the key may do. */
      scopes: ("upload" | "convert" | "read" | "download" | "webhooks")[];
      /** When it was made. */
      created_at: string;
      expires_at: string | null;
      last_used_at: string | null;
      revoked_at: string | null;
    };
    /** All keys of the account. */
    KeyList: {
      /** The newest first; of those that were revoked or expired, the latest. */
      keys: components["schemas"]["Key"][];
    };
    KeyRequest: {
      /** What its owner calls the key: the program that uses it, for example. */
      name: string;
      /** What the key may do. Default: everything. */
      scopes?: ("upload" | "convert" | "read" | "download" | "webhooks")[];
      /** A `test` key converts small files for real, and is not metered. Default: `live`. */
      kind?: "live" | "test";
      expires_at?: string | null;
    };
    KeyRotation: {
      /** Hours that the key before it still holds, so that programs can change over; 0: it is revoked at once. Default: 24. */
      overlap_hours?: number;
    };
    /** A message to a webhook. */
    Webhook: {
      /** The `webhook-id` of the message, the same with every attempt. */
      id: string;
      /** The job whose end it tells. */
      job_id: string;
      /** What the message tells of. */
      type: "job.completed" | "job.failed" | "job.cancelled";
      /** Where it is sent. */
      url: string;
      /** `failed` when it was given up. */
      status: "pending" | "delivered" | "failed";
      /** All attempts so far, the oldest first. */
      attempts: {
        /** When it was sent. */
        at: string;
        /** Milliseconds until the answer, or until it was given up. */
        duration_ms: number;
        status: number | null;
        error: string | null;
      }[];
      /** When the job ended. */
      created_at: string;
      next_attempt_at: string | null;
    };
    /** A page of messages. */
    WebhookList: {
      /** The newest first. */
      messages: components["schemas"]["Webhook"][];
      /** What `after` is to be for the next page; null on the last one. */
      next: string | null;
    };
    /** What webhooks are signed with. */
    WebhookSecrets: {
      /** The newest first; each signs every message. */
      secrets: {
        /** `whsec_` and the key in base64, as libraries of Standard Webhooks take it. */
        secret: string;
        /** When it was made. */
        created_at: string;
        expires_at: string | null;
      }[];
    };
    /** What is sent to a webhook. */
    WebhookEvent: {
      /** What the message tells of. */
      type: "job.completed" | "job.failed" | "job.cancelled";
      /** When the job ended. */
      timestamp: string;
      data: components["schemas"]["Job"];
    };
    /** Where a result is. */
    Download: {
      /** Where the file is; it needs no API key, and is a secret. */
      url: string;
      /** Until when the URL holds. */
      expires_at: string;
      /** The name that the file is saved by. */
      filename: string;
      /** Bytes of the file. */
      size: number;
      /** SHA-256 of the bytes, hexadecimal. */
      sha256: string;
    };
    /** A format of files. */
    Format: {
      /** What the API calls it. */
      id: string;
      /** What people call it. */
      name: string;
      /** What it is for: image, document, audio, … */
      family: string;
      /** Without the dot; the first is the one that we write. */
      extensions: string[];
      /** The first is the one that we write. */
      media_types: string[];
      /** Whether anything can be made of it here. */
      readable: boolean;
      /** Whether it can be made here. */
      writable: boolean;
      /** What reads or writes it here, as `getHealth` names it. */
      engines: string[];
    };
    /** What can be made of what, and how. */
    Conversion: {
      /** Id of the format that is read. */
      source: string;
      /** Id of the format that is written. */
      target: string;
      /** What a conversion keeps: everything, all but some quality, or the content without its layout. */
      fidelity: "lossless" | "lossy" | "content_only";
      /** The way there. */
      steps: {
        /** What does it. */
        engine: string;
        /** Id. */
        from: string;
        /** Id. */
        to: string;
      }[];
      /** What the source can carry and the result does not. */
      drops: string[];
      /** JSON Schema (2020-12) of the `options` that it takes. */
      options: { [key: string]: unknown };
      /** Whether several files of the source become one. */
      merges: boolean;
      /** Bytes of the largest file that it takes; of a merge, of all of them. */
      max_bytes: number;
    };
    /** Formats and conversions. */
    FormatList: {
      /** Those that the conversions name. */
      formats: components["schemas"]["Format"][];
      /** Every pair that this deployment converts; none with `conversions=false`. */
      conversions: components["schemas"]["Conversion"][];
    };
    /** That the service answers. */
    Health: {
      /** Nothing else is said: a service that is not well does not answer. */
      status: "ok";
      /** The versions of what converts, by name. */
      engines: { [key: string]: string };
    };
    /** Problem details (RFC 9457). */
    Problem: {
      /** Leads to the row of the code in `x-errors` of this document. */
      type: string;
      /** The code in words. */
      title: string;
      /** The HTTP status. */
      status: number;
      /** What was wrong with this request, and what would be right. */
      detail: string;
      /** The path of the request, without anything secret. */
      instance: string;
      /** Stable: what a program should look at. */
      code: "malformed_json" | "malformed_multipart" | "invalid_request" | "missing_api_key" | "invalid_api_key" | "expired_api_key" | "missing_session" | "forbidden_scope" | "cross_site" | "not_found" | "method_not_allowed" | "upload_incomplete" | "idempotency_conflict" | "limit_reached" | "expired" | "payload_too_large" | "unsupported_media_type" | "unsupported_conversion" | "invalid_options" | "idempotency_mismatch" | "unrecognised_format" | "wrong_code" | "passkey_refused" | "rate_limited" | "quota_exceeded" | "internal_error" | "not_offered" | "temporarily_unavailable";
      /** What to send us when you ask about it; `X-Request-Id` of the answer, too. */
      request_id: string;
      /** Whether the same request may succeed later without a change. */
      retryable: boolean;
      /** Everything that is wrong in the request. */
      errors?: {
        /** JSON pointer (RFC 6901) into the body, or `/` and the name of a parameter. */
        pointer: string;
        /** What is wrong there. */
        code: string;
        /** The same in words. */
        detail: string;
      }[];
      /** Formats that the file can become instead. */
      supported_targets?: string[];
    };
    /** Who wants to sign in. */
    CodeRequest: {
      /** The address that the code is sent to. Case makes no difference. */
      email: string;
      /** The language of the message. Default: `en`. */
      locale?: "en" | "de";
    };
    /** A code that was sent. */
    SignInCode: {
      /** What `createSession` takes with the code. */
      challenge_id: string;
      /** Until when the code holds. */
      expires_at: string;
    };
    /** A code that was sent. */
    CodeSessionRequest: {
      /** `challenge_id` of `createSignInCode`. */
      challenge_id: string;
      /** The six digits that came by mail. */
      code: string;
    };
    /** Who is signed in, and what may be done. */
    Session: {
      account: components["schemas"]["Owner"] | null;
      session: {
        /** Of the session. */
        id: string;
        /** How somebody signed in. */
        by: "code" | "passkey" | "visitor";
        /** When it ends. */
        expires_at: string;
      } | null;
      /** What this deployment offers. */
      offers: {
        /** Whether codes can be sent to sign in with. */
        codes: boolean;
        /** Whether plans are paid for here; they are asked of the operator otherwise. */
        payments: boolean;
        /** Whether a few files may be tried without an account. */
        visitors: boolean;
        /** Bytes of a file that one multipart form may bring; larger ones are announced. */
        upload_bytes_max: number;
      };
    };
    /** An account as its owner sees it. */
    Owner: {
      /** Of the account. */
      id: string;
      email: string | null;
      /** What the account pays for. */
      plan: "free" | "api" | "enterprise";
      /** Whether its owner has picked a plan. */
      plan_picked: boolean;
      requested_plan: {
        /** What was asked for. */
        plan: "free" | "api" | "enterprise";
        /** When. */
        at: string;
      } | null;
      billing: {
        /** `past_due` while a payment that failed is tried again. */
        status: "active" | "past_due" | "ended";
        paid_until: string | null;
        /** Whether the subscription ends then. */
        ends_then: boolean;
      } | null;
      webhook_url: string | null;
      /** Hours that files stay after their job has ended; 0: until the first download. */
      retention_hours: number;
      visitor_until: string | null;
    };
    /** Where an account is signed in. */
    DeviceList: {
      /** The one that was used last comes first. */
      sessions: {
        /** Of the session. */
        id: string;
        /** The browser and its system, as it says itself. */
        device: string;
        /** How somebody signed in. */
        by: "code" | "passkey" | "visitor";
        /** When somebody signed in. */
        created_at: string;
        /** When the page was opened last, to the hour. */
        last_used_at: string;
        /** When it ends. */
        expires_at: string;
        /** Whether it is the session of this browser. */
        current: boolean;
      }[];
    };
    /** A challenge for a passkey. */
    PasskeyRequestOptions: {
      /** What `createPasskeySession` takes with the passkey's answer. */
      challenge_id: string;
      /** What `navigator.credentials.get` takes, as JSON (WebAuthn). */
      options: { [key: string]: unknown };
    };
    /** A passkey's answer. */
    PasskeySessionRequest: {
      /** `challenge_id` of `startPasskeySignIn`. */
      challenge_id: string;
      credential: components["schemas"]["PasskeyAssertion"];
    };
    /** What `navigator.credentials.get` gives, as JSON (`AuthenticationResponseJSON` of WebAuthn). */
    PasskeyAssertion: {
      /** The id of the credential. Base64url. */
      id: string;
      /** The same. Base64url. */
      rawId: string;
      /** What the authenticator answers. */
      response: {
        /** What the browser was asked, and by which page. Base64url. */
        clientDataJSON: string;
        /** What the authenticator says. Base64url. */
        authenticatorData: string;
        /** Over both. Base64url. */
        signature: string;
        userHandle?: string | null;
      };
      /** Always this. */
      type: "public-key";
    };
    /** A challenge for a new passkey. */
    PasskeyCreationOptions: {
      /** What `createPasskey` takes with the new passkey. */
      challenge_id: string;
      /** What `navigator.credentials.create` takes, as JSON (WebAuthn). */
      options: { [key: string]: unknown };
    };
    /** A new passkey. */
    NewPasskeyRequest: {
      /** `challenge_id` of `startPasskey`. */
      challenge_id: string;
      /** What its owner calls it: the device that it is on, for example. */
      name: string;
      credential: components["schemas"]["PasskeyAttestation"];
    };
    /** What `navigator.credentials.create` gives, as JSON (`RegistrationResponseJSON` of WebAuthn). */
    PasskeyAttestation: {
      /** The id of the credential. Base64url. */
      id: string;
      /** The same. Base64url. */
      rawId: string;
      /** What the authenticator answers. */
      response: {
        /** What the browser was asked, and by which page. Base64url. */
        clientDataJSON: string;
        /** The new key, and what the authenticator says. Base64url. */
        attestationObject: string;
        /** How the authenticator can be reached. */
        transports?: string[];
      };
      /** Always this. */
      type: "public-key";
    };
    /** A passkey. */
    Passkey: {
      /** Of the passkey. */
      id: string;
      /** As its owner calls it. */
      name: string;
      /** When it was added. */
      created_at: string;
      last_used_at: string | null;
    };
    /** The passkeys of an account. */
    PasskeyList: {
      /** The newest first. */
      passkeys: components["schemas"]["Passkey"][];
    };
  };
}
