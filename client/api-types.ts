/** Made from the service's OpenAPI document by generate-types.ts; not to be changed by hand. */

export interface components {
  schemas: {
    /** An uploaded file, or one that is still being sent or fetched. */
    Upload: {
      /** Upload ID. */
      upload_id: string;
      /** `pending` while the file is being sent, fetched or checked. */
      status: "ready" | "pending" | "failed";
      /** The filename, without directories and control characters. */
      filename: string;
      size: number | null;
      sha256: string | null;
      format: string | null;
      media_type: string | null;
      /** IDs of the formats the file can be converted to. */
      targets: string[];
      /** When the upload was created. */
      created_at: string;
      /** When the upload and its file are deleted. */
      expires_at: string;
      upload?: components["schemas"]["Transfer"];
      error: components["schemas"]["UploadError"] | null;
    };
    /** How to send the bytes of a pending upload: with one PUT, or one for each part. */
    Transfer: {
      /** The HTTP method of requests to the file store. */
      method: "PUT";
      /** When the URLs expire. `getUpload` returns new ones. */
      expires_at: string;
      /** The URL to PUT the file to. Needs no API key; keep it secret. */
      url?: string;
      /** Headers to send, unchanged. Often empty. */
      headers?: { [key: string]: string };
      /** Instead of `url`: the parts of a large file. Send them in any order, several at once. */
      parts?: components["schemas"]["TransferPart"][];
    };
    /** A part of a large file. */
    TransferPart: {
      /** The number of the part, starting at 1. */
      number: number;
      /** Byte offset of the part in the file. */
      offset: number;
      /** Size of the part in bytes. */
      size: number;
      /** The URL to PUT the part to. Needs no API key; keep it secret. */
      url: string;
      /** Headers to send, unchanged. Often empty. */
      headers: { [key: string]: string };
      /** Whether this part has been received. Resend missing or corrupt parts. */
      received: boolean;
    };
    /** Why an upload failed. */
    UploadError: {
      /** Error code. Stable: use it in programs. This document lists all codes. */
      code: "empty" | "size_mismatch" | "hash_mismatch" | "payload_too_large" | "unrecognized_format" | "source_format_mismatch" | "address_refused" | "fetch_failed";
      /** The code in words. */
      title: string;
      /** What is wrong with this file. */
      detail: string;
      /** Whether a retry can succeed. */
      retryable: boolean;
    };
    /** A conversion. */
    Job: {
      /** Job ID. */
      id: string;
      /** `queued`, `processing`, then `completed`, `failed` or `cancelled`. `expired` once the file of a completed job is deleted. */
      status: "queued" | "processing" | "completed" | "failed" | "cancelled" | "expired";
      /** Progress in percent. */
      progress: number;
      /** ID of the source upload. For a merge, the first one. The file of a small conversion in one call may not be kept as an upload. */
      upload_id: string;
      /** IDs of all source uploads, in the order of a merge. */
      upload_ids: string[];
      source_filename: string | null;
      /** ID of the source format. */
      source_format: string;
      /** ID of the target format, even if the request used an alias. */
      target_format: string;
      /** The options of the request, without passwords. */
      options: { [key: string]: unknown };
      /** The steps from source to target. */
      steps: {
        /** The engine that runs the step. */
        engine: string;
        /** ID of the source format. */
        from: string;
        /** ID of the target format. */
        to: string;
        duration_ms: number | null;
      }[];
      /** What a conversion preserves: `lossless` everything, `lossy` everything except some quality, `content_only` the content without its layout. */
      fidelity: "lossless" | "lossy" | "content_only";
      /** The metadata of the request. */
      metadata: { [key: string]: string };
      key_id: string | null;
      pipeline_id: string | null;
      /** When the job was accepted. */
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      expires_at: string | null;
      result: components["schemas"]["JobResult"] | null;
      /** Problems with an otherwise usable result, and options without effect (`option_without_effect`). */
      warnings: {
        /** Warning code. Stable. */
        code: string;
        /** A description of the problem. */
        detail: string;
      }[];
      export: components["schemas"]["JobExport"] | null;
      error: components["schemas"]["JobError"] | null;
    };
    /** The file that a job produced. */
    JobResult: {
      /** The filename of the result. */
      filename: string;
      /** Size in bytes. */
      size: number;
      /** The media type. `application/zip` when one file became several. */
      media_type: string;
      /** SHA-256 of the file, in hexadecimal. */
      sha256: string;
      /** The token for `downloadResult`. Keep it secret. */
      download_token: string;
      /** The URL of `downloadResult` with this token. */
      download_url: string;
      /** When the file is deleted. */
      expires_at: string;
    };
    /** Why a job failed. */
    JobError: {
      /** Error code. Stable: use it in programs. This document lists all codes. */
      code: "page_unavailable" | "page_refused" | "source_corrupt" | "source_mismatch" | "password_required" | "too_many_pages" | "too_long" | "archive_unsafe" | "too_many_pixels" | "output_too_large" | "unsupported_feature" | "cancelled" | "timed_out" | "out_of_memory" | "engine_failed" | "engine_crashed";
      /** The code in words. */
      title: string;
      /** What is wrong with this file. */
      detail: string;
      /** Whether a retry can succeed. */
      retryable: boolean;
    };
    /** The export of a result. */
    JobExport: {
      /** `pending` until the result is delivered. `failed` after the last attempt; the result can still be downloaded until it expires. */
      status: "pending" | "delivered" | "failed";
      /** Where the result goes, without credentials. */
      location: string;
      /** Attempts so far. */
      attempts: number;
      error: string | null;
    };
    /** A page of jobs. */
    JobList: {
      /** Jobs, newest first. */
      jobs: components["schemas"]["Job"][];
      /** The value of `after` for the next page. Null on the last page. */
      next: string | null;
    };
    /** The outcome of a batch. */
    Batch: {
      /** The outcome of each conversion, in the order of the request. */
      items: {
        /** The HTTP status that `createJob` would have returned. */
        status: number;
        job: components["schemas"]["Job"] | null;
        problem: components["schemas"]["Problem"] | null;
      }[];
    };
    /** Conversions that read each other's results. */
    Pipeline: {
      /** Pipeline ID. */
      id: string;
      /** `queued`, `processing`, then `completed`, `failed` if any step failed, or `cancelled`. `expired` once the results of a completed pipeline are deleted. */
      status: "queued" | "processing" | "completed" | "failed" | "cancelled" | "expired";
      /** Progress of all steps in percent. */
      progress: number;
      /** Upload IDs by the names of the inputs. */
      inputs: { [key: string]: string };
      /** The steps, each after the steps that it reads. */
      steps: {
        /** Name of the step. */
        name: string;
        /** The operation. */
        operation: "convert" | "merge" | "archive" | "compress" | "watermark" | "number_pages" | "encrypt" | "decrypt" | "rotate" | "crop" | "resize" | "thumbnail" | "select_pages" | "trim" | "metadata" | "fill_form" | "flatten" | "attach";
        /** Names of the inputs and steps that it reads. */
        from: string[];
        /** ID of its job. */
        job_id: string;
        /** `waiting` for the results of other steps, then the status of its job. */
        status: "waiting" | "queued" | "processing" | "completed" | "failed" | "cancelled" | "expired";
        /** Progress in percent. */
        progress: number;
        /** Whether its result is offered for download, and counted as one request. */
        is_result: boolean;
        target_format: string | null;
        error: components["schemas"]["JobError"] | null;
      }[];
      /** The results that can be downloaded so far. */
      results: {
        /** The filename of the result. */
        filename: string;
        /** Size in bytes. */
        size: number;
        /** The media type. `application/zip` when one file became several. */
        media_type: string;
        /** SHA-256 of the file, in hexadecimal. */
        sha256: string;
        /** The token for `downloadResult`. Keep it secret. */
        download_token: string;
        /** The URL of `downloadResult` with this token. */
        download_url: string;
        /** When the file is deleted. */
        expires_at: string;
        /** The step that made the file. */
        step: string;
      }[];
      /** The metadata of the request. */
      metadata: { [key: string]: string };
      /** When the pipeline was accepted. */
      created_at: string;
      finished_at: string | null;
    };
    /** A page of pipelines. */
    PipelineList: {
      /** Pipelines, newest first. */
      pipelines: components["schemas"]["Pipeline"][];
      /** The value of `after` for the next page. Null on the last page. */
      next: string | null;
    };
    /** Saved settings of conversions. */
    Preset: {
      /** Name of the preset. */
      name: string;
      target_format: string | null;
      /** Options. Those of a request take precedence. */
      options: { [key: string]: unknown };
      steps: { [key: string]: unknown }[] | null;
      /** When the preset was saved. */
      updated_at: string;
    };
    /** The presets of the account. */
    PresetList: {
      /** The presets, by name. */
      presets: components["schemas"]["Preset"][];
    };
    /** Where to download a result. */
    Download: {
      /** The URL of the file. Needs no API key; keep it secret. */
      url: string;
      /** When the URL expires. */
      expires_at: string;
      /** The filename of the result. */
      filename: string;
      /** Size in bytes. */
      size: number;
      /** SHA-256 of the file, in hexadecimal. */
      sha256: string;
    };
    /** The plan, quota and usage of an account. */
    Account: {
      /** Account ID. */
      id: string;
      /** The plan of the account. */
      plan: "free" | "api" | "enterprise" | "unlimited";
      /** The limits of the account and their usage. */
      quota: {
        limit: number | null;
        /** Requests counted this month. */
        used: number;
        remaining: number | null;
        /** When the next month starts. */
        resets_at: string;
        requests_per_second: number | null;
      };
      /** Hours that files are kept after their job. 0: until the first download. */
      retention_hours: number;
    };
    /** The usage of an account in one month. */
    Use: {
      /** The UTC month: `2026-11`. */
      month: string;
      limit: number | null;
      /** Requests counted this month, minus refunds. */
      used: number;
      /** The UTC month in which the account was created: `2026-03`. */
      since: string;
      /** The days of the month, up to today. */
      days: components["schemas"]["UseDay"][];
    };
    /** The usage of one day. */
    UseDay: {
      /** The UTC day. */
      date: string;
      /** Accepted uploads. */
      upload: number;
      /** Accepted conversions. */
      convert: number;
      /** Accepted downloads. */
      download: number;
      /** Jobs completed on this day. */
      completed: number;
      /** Jobs that failed on this day. */
      failed: number;
      /** Jobs cancelled on this day. */
      cancelled: number;
    };
    /** Jobs that ended on a day, with the same key, formats and outcome. */
    UseDetail: {
      /** The UTC day on which the jobs ended. */
      date: string;
      key_id: string | null;
      /** ID of the source format. */
      source_format: string;
      /** ID of the target format. */
      target_format: string;
      /** How the jobs ended. */
      status: "completed" | "failed" | "cancelled";
      error_code: "page_unavailable" | "page_refused" | "source_corrupt" | "source_mismatch" | "password_required" | "too_many_pages" | "too_long" | "archive_unsafe" | "too_many_pixels" | "output_too_large" | "unsupported_feature" | "cancelled" | "timed_out" | "out_of_memory" | "engine_failed" | "engine_crashed" | null;
      /** Number of jobs. */
      jobs: number;
      /** Bytes of their source files. */
      bytes_in: number;
      /** Bytes of their results. */
      bytes_out: number;
    };
    /** The jobs of a month by day, key, formats and outcome. */
    UseDetails: {
      /** The UTC month: `2026-11`. */
      month: string;
      /** The jobs of the month, at most 20,000 rows. */
      rows: components["schemas"]["UseDetail"][];
      /** Whether there are more rows. */
      truncated: boolean;
    };
    /** The outcome of picking a plan. */
    PlanChoice: {
      /** `active`: the plan is active. `requested`: the operator was asked. `payment`: continue at `url`. */
      status: "active" | "requested" | "payment";
      url: string | null;
    };
    /** Where to see invoices and cancel the subscription. */
    BillingPage: {
      /** A page of the payment service for this account only. */
      url: string;
    };
    /** An API key, without the key itself. */
    Key: {
      /** Key ID. */
      id: string;
      /** The name of the key. */
      name: string;
      /** The first characters of the key, to identify it. */
      prefix: string;
      /** A `test` key converts small files and is not metered. */
      kind: "live" | "test";
      /** What the key can be used for. */
      scopes: ("upload" | "convert" | "read" | "download" | "webhooks" | "storages")[];
      monthly_limit: number | null;
      used_this_month: number | null;
      allowed_origins: string[] | null;
      /** When the key was created. */
      created_at: string;
      expires_at: string | null;
      last_used_at: string | null;
      revoked_at: string | null;
    };
    /** A new API key. */
    NewKey: {
      /** The key. It is shown only once: the service stores its SHA-256. */
      key: string;
      /** Key ID. */
      id: string;
      /** The name of the key. */
      name: string;
      /** The first characters of the key, to identify it. */
      prefix: string;
      /** A `test` key converts small files and is not metered. */
      kind: "live" | "test";
      /** What the key can be used for. */
      scopes: ("upload" | "convert" | "read" | "download" | "webhooks" | "storages")[];
      monthly_limit: number | null;
      used_this_month: number | null;
      allowed_origins: string[] | null;
      /** When the key was created. */
      created_at: string;
      expires_at: string | null;
      last_used_at: string | null;
      revoked_at: string | null;
    };
    /** The API keys of an account. */
    KeyList: {
      /** Keys, newest first. Only the latest revoked and expired ones are listed. */
      keys: components["schemas"]["Key"][];
    };
    /** A webhook message. */
    Webhook: {
      /** Message ID, sent as `webhook-id` with every attempt. */
      id: string;
      /** ID of the job or pipeline; of the account, for `quota.warning` and `quota.reached`. */
      job_id: string;
      endpoint_id: string | null;
      /** The type of event. */
      type: "job.completed" | "job.failed" | "job.cancelled" | "pipeline.completed" | "pipeline.failed" | "pipeline.cancelled" | "quota.warning" | "quota.reached";
      /** The URL the message is sent to. */
      url: string;
      /** `failed` after the last attempt. */
      status: "pending" | "delivered" | "failed";
      /** All attempts so far, oldest first. */
      attempts: {
        /** When the attempt was made. */
        at: string;
        /** Milliseconds until the response or timeout. */
        duration_ms: number;
        status: number | null;
        error: string | null;
      }[];
      /** When the job or pipeline ended. */
      created_at: string;
      next_attempt_at: string | null;
    };
    /** A page of webhook messages. */
    WebhookList: {
      /** Messages, newest first. */
      messages: components["schemas"]["Webhook"][];
      /** The value of `after` for the next page. Null on the last page. */
      next: string | null;
    };
    /** The signing secrets of webhooks. */
    WebhookSecrets: {
      /** Secrets, newest first. Each one signs every message. */
      secrets: {
        /** `whsec_` and the base64 key, as Standard Webhooks libraries expect it. */
        secret: string;
        /** When the secret was created. */
        created_at: string;
        expires_at: string | null;
      }[];
    };
    /** A webhook endpoint. */
    WebhookEndpoint: {
      /** Endpoint ID. `default` is the webhook URL of the account, which has all events of jobs and pipelines. */
      id: string;
      /** The URL that messages are sent to. */
      url: string;
      description: string | null;
      /** The types of events that it receives. */
      events: ("job.completed" | "job.failed" | "job.cancelled" | "pipeline.completed" | "pipeline.failed" | "pipeline.cancelled" | "quota.warning" | "quota.reached")[];
      /** Whether it receives messages. */
      enabled: boolean;
      /** Secrets, newest first. Each one signs every message. */
      secrets: {
        /** `whsec_` and the base64 key, as Standard Webhooks libraries expect it. */
        secret: string;
        /** When the secret was created. */
        created_at: string;
        expires_at: string | null;
      }[];
      /** When the endpoint was created. */
      created_at: string;
    };
    /** The webhook endpoints of an account. */
    WebhookEndpointList: {
      /** Endpoints, oldest first, after the default one. */
      endpoints: components["schemas"]["WebhookEndpoint"][];
    };
    /** The result of a test message. */
    WebhookTest: {
      /** Whether the endpoint accepted the message with a 2xx status within 15 seconds. */
      delivered: boolean;
      /** The `webhook-id` of the message. */
      message_id: string;
      /** Milliseconds until the response or timeout. */
      duration_ms: number;
      status: number | null;
      error: string | null;
    };
    /** The body of a webhook message about a job. */
    WebhookEvent: {
      /** The type of event. */
      type: "job.completed" | "job.failed" | "job.cancelled";
      /** When the job ended. */
      timestamp: string;
      data: components["schemas"]["Job"];
    };
    /** The body of a webhook message about the quota. Sent once per month and threshold. */
    QuotaEvent: {
      /** `quota.warning` at 80 %, `quota.reached` at 100 %. */
      type: "quota.warning" | "quota.reached";
      /** When the threshold was reached. */
      timestamp: string;
      /** The usage of the account. */
      data: {
        /** The UTC month: `2026-11`. */
        month: string;
        /** The threshold: 80 or 100. */
        percent: number;
        /** Requests per month. */
        limit: number;
        /** Requests counted when the threshold was noticed. */
        used: number;
        /** When the next month starts. */
        resets_at: string;
      };
    };
    /** The body of a test message. */
    WebhookTestEvent: {
      /** The type of event. */
      type: "webhook.test";
      /** When the test was requested. */
      timestamp: string;
      /** What was tested. */
      data: {
        /** The tested endpoint. */
        endpoint_id: string;
      };
    };
    /** A storage. Credentials are never returned. */
    Storage: {
      /** The name, unique in the account. */
      name: string;
      /** The protocol. */
      type: "s3" | "webdav";
      /** The URL of the service, or of the WebDAV folder. */
      endpoint: string;
      region: string | null;
      bucket: string | null;
      /** Whether the bucket is part of the host name. */
      virtual_host: boolean;
      /** When the storage was created. */
      created_at: string;
      /** When the storage was last changed. */
      updated_at: string;
    };
    /** The storages of the account. */
    StorageList: {
      /** Storages by name. */
      storages: components["schemas"]["Storage"][];
    };
    /** The result of a test. */
    StorageTest: {
      /** Whether a small file could be written and deleted. */
      succeeded: boolean;
      error: string | null;
    };
    /** The body of a webhook message about a pipeline. */
    PipelineEvent: {
      /** The type of event. */
      type: "pipeline.completed" | "pipeline.failed" | "pipeline.cancelled";
      /** When the last step ended. */
      timestamp: string;
      data: components["schemas"]["Pipeline"];
    };
    /** A request in the log. */
    LoggedRequest: {
      /** ID of the log entry. */
      id: string;
      /** The request ID of the response: `X-Request-Id`. */
      request_id: string;
      /** When the request arrived. */
      created_at: string;
      key_id: string | null;
      /** ID of the operation, such as `createJob`. */
      operation: string;
      /** The HTTP method. */
      method: string;
      /** The path, without its query and download tokens. */
      path: string;
      /** The HTTP status of the response. */
      status: number;
      error_code: string | null;
      /** Milliseconds until the response was ready. */
      duration_ms: number;
      bytes_in: number | null;
      bytes_out: number | null;
      job_id: string | null;
    };
    /** A page of requests. */
    RequestList: {
      /** Requests, newest first. */
      requests: components["schemas"]["LoggedRequest"][];
      /** The value of `after` for the next page. Null on the last page. */
      next: string | null;
    };
    /** A request in the log, with the body of its response. */
    RequestDetail: {
      /** ID of the log entry. */
      id: string;
      /** The request ID of the response: `X-Request-Id`. */
      request_id: string;
      /** When the request arrived. */
      created_at: string;
      key_id: string | null;
      /** ID of the operation, such as `createJob`. */
      operation: string;
      /** The HTTP method. */
      method: string;
      /** The path, without its query and download tokens. */
      path: string;
      /** The HTTP status of the response. */
      status: number;
      error_code: string | null;
      /** Milliseconds until the response was ready. */
      duration_ms: number;
      bytes_in: number | null;
      bytes_out: number | null;
      job_id: string | null;
      body: string | null;
      /** Whether parts of the body are missing. */
      body_truncated: boolean;
    };
    /** A file format. */
    Format: {
      /** Format ID. */
      id: string;
      /** Display name. */
      name: string;
      /** Family: image, document, audio, … */
      family: string;
      /** File extensions without the dot. Results get the first one. */
      extensions: string[];
      /** Whether this server can convert files to this format. */
      writable: boolean;
      /** IDs of the formats that it can be converted to; with a filter, only of the listed conversions. */
      targets: string[];
      /** IDs of the targets that people usually want, the likeliest first. Only of the format that `source` names. */
      usual_targets?: string[];
      /** Media types. Results get the first one. Only with `conversions=true`. */
      media_types?: string[];
      /** Whether this server can convert files of this format. Only with `conversions=true`. */
      readable?: boolean;
      /** The engines that read or write the format, as `getHealth` names them. Only with `conversions=true`. */
      engines?: string[];
    };
    /** A conversion that this server supports. */
    Conversion: {
      /** ID of the source format. */
      source: string;
      /** ID of the target format. */
      target: string;
      /** What a conversion preserves: `lossless` everything, `lossy` everything except some quality, `content_only` the content without its layout. */
      fidelity: "lossless" | "lossy" | "content_only";
      /** The steps from source to target. */
      steps: {
        /** The engine that runs the step. */
        engine: string;
        /** ID of the source format. */
        from: string;
        /** ID of the target format. */
        to: string;
      }[];
      /** What the source can contain and the result loses. */
      drops: string[];
      /** JSON Schema (2020-12) of the supported `options`. */
      options: { [key: string]: unknown };
      /** Whether several source files can be merged into one result. */
      merges: boolean;
      /** Maximum size of the source in bytes; of all sources together for a merge. */
      max_bytes: number;
    };
    /** Formats and, on request, their conversions. */
    FormatList: {
      /** The formats of the listed conversions. */
      formats: components["schemas"]["Format"][];
      /** The listed conversions. Only with `conversions=true`. */
      conversions?: components["schemas"]["Conversion"][];
    };
    /** Problem details (RFC 9457). */
    Problem: {
      /** `urn:anyform:error:` and the code. Identifies the type of the error; it is not a link. */
      type: string;
      /** The code in words. */
      title: string;
      /** The HTTP status. */
      status: number;
      /** What is wrong with this request, and how to fix it. */
      detail: string;
      /** The path of the request, without secrets. */
      instance: string;
      /** Error code. Stable: use it in programs. The code of a job error if a conversion in one call failed. */
      code: "malformed_json" | "malformed_multipart" | "invalid_request" | "missing_api_key" | "invalid_api_key" | "expired_api_key" | "missing_session" | "forbidden_scope" | "forbidden_origin" | "forbidden_role" | "cross_site" | "not_found" | "method_not_allowed" | "not_acceptable" | "upload_incomplete" | "upload_failed" | "idempotency_conflict" | "email_taken" | "owner_required" | "subscription_active" | "limit_reached" | "expired" | "payload_too_large" | "unsupported_media_type" | "unsupported_conversion" | "invalid_options" | "idempotency_mismatch" | "unrecognized_format" | "source_format_mismatch" | "wrong_code" | "invitation_refused" | "identity_refused" | "passkey_refused" | "rate_limited" | "quota_exceeded" | "key_quota_exceeded" | "internal_error" | "not_offered" | "temporarily_unavailable" | "page_unavailable" | "page_refused" | "source_corrupt" | "source_mismatch" | "password_required" | "too_many_pages" | "too_long" | "archive_unsafe" | "too_many_pixels" | "output_too_large" | "unsupported_feature" | "cancelled" | "timed_out" | "out_of_memory" | "engine_failed" | "engine_crashed";
      /** The request ID to include in support requests. Also in `X-Request-Id`. */
      request_id: string;
      /** Whether the same request can succeed later. */
      retryable: boolean;
      /** Validation errors of the request, at most 50. */
      errors?: {
        /** JSON pointer (RFC 6901) into the body, or `/` and the name of a parameter. */
        pointer: string;
        /** Code of the validation error. */
        code: string;
        /** A description of the validation error. */
        detail: string;
      }[];
      /** The failed job, if a conversion in one call failed. */
      job_id?: string;
      /** Formats the file can be converted to instead. */
      supported_targets?: string[];
    };
    /** A sign-in code that was sent. */
    SignInCode: {
      /** The challenge ID to pass to `createSession`. */
      challenge_id: string;
      /** When the code expires. */
      expires_at: string;
    };
    /** The current session and account, and what this server offers. */
    Session: {
      account: components["schemas"]["Owner"] | null;
      /** Whether the owner of the account operates this deployment. */
      operator: boolean;
      session: {
        /** Session ID. */
        id: string;
        /** How the session was started. */
        by: "code" | "identity" | "invitation" | "passkey" | "visitor";
        /** When the session expires. */
        expires_at: string;
        /** The member of the account who is signed in. */
        member_id: string;
        email: string | null;
        /** `owner`: everything. `developer`: files, jobs, keys, webhooks, presets and storages. `billing`: plan, invoices and usage. */
        role: "owner" | "developer" | "billing";
      } | null;
      /** What this server offers. */
      offers: {
        /** Whether sign-in codes can be emailed. */
        codes: boolean;
        identity_provider: string | null;
        /** Whether plans are paid for online. Otherwise they are requested from the operator. */
        payments: boolean;
        /** Whether visitors can convert a few files without an account. */
        visitors: boolean;
        /** Maximum size in bytes of a file in a multipart form. Send larger files with `filename` and `size` first. */
        upload_bytes_max: number;
      };
    };
    /** The account, as shown to its owner. */
    Owner: {
      /** Account ID. */
      id: string;
      email: string | null;
      /** The plan of the account. */
      plan: "free" | "api" | "enterprise" | "unlimited";
      /** Whether the owner has picked a plan. */
      plan_picked: boolean;
      requested_plan: {
        /** The requested plan. */
        plan: "free" | "api" | "enterprise" | "unlimited";
        /** When it was requested. */
        at: string;
      } | null;
      billing: {
        /** `past_due` while a failed payment is retried. */
        status: "active" | "past_due" | "ended";
        paid_until: string | null;
        /** Whether the subscription ends then instead of renewing. */
        ends_then: boolean;
      } | null;
      /** Whether emails are sent when 80 % and 100 % of the monthly quota are used. */
      quota_mails: boolean;
      webhook_url: string | null;
      /** Hours that files are kept after their job. 0: until the first download. */
      retention_hours: number;
      visitor_until: string | null;
    };
    /** The members of an account. */
    MemberList: {
      /** The members, the account's own address first. */
      members: {
        /** Member ID. */
        id: string;
        /** The email address that the member signs in with. */
        email: string;
        /** `owner`: everything. `developer`: files, jobs, keys, webhooks, presets and storages. `billing`: plan, invoices and usage. */
        role: "owner" | "developer" | "billing";
        /** When the member joined. */
        joined_at: string;
        /** Whether this is the account's own address, which always is an owner. */
        is_account_address: boolean;
      }[];
      /** Invitations that can be accepted. */
      invitations: {
        /** Invitation ID. */
        id: string;
        /** The invited email address. */
        email: string;
        /** `owner`: everything. `developer`: files, jobs, keys, webhooks, presets and storages. `billing`: plan, invoices and usage. */
        role: "owner" | "developer" | "billing";
        /** The email address of the inviting owner. */
        invited_by: string;
        /** When the invitation expires. */
        expires_at: string;
      }[];
    };
    /** The accounts that a person can use. */
    AccountList: {
      /** The accounts of the person who is signed in. */
      accounts: {
        /** Account ID. */
        id: string;
        /** The account's own address. */
        email: string;
        /** `owner`: everything. `developer`: files, jobs, keys, webhooks, presets and storages. `billing`: plan, invoices and usage. */
        role: "owner" | "developer" | "billing";
        /** Whether this is the account of the session. */
        current: boolean;
      }[];
    };
    /** The sessions of an account. */
    DeviceList: {
      /** Sessions, last used first. */
      sessions: {
        /** Session ID. */
        id: string;
        /** The browser and operating system, from its user agent. */
        device: string;
        /** How the session was started. */
        by: "code" | "identity" | "invitation" | "passkey" | "visitor";
        /** When the session started. */
        created_at: string;
        /** When the session was last used, to the hour. */
        last_used_at: string;
        /** When the session expires. */
        expires_at: string;
        /** Whether this is the session of the request. */
        current: boolean;
      }[];
    };
    /** A challenge to sign in with a passkey. */
    PasskeyRequestOptions: {
      /** The challenge ID to pass to `createPasskeySession`. */
      challenge_id: string;
      /** Options for `navigator.credentials.get`, as JSON (WebAuthn). */
      options: { [key: string]: unknown };
    };
    /** A challenge to add a passkey. */
    PasskeyCreationOptions: {
      /** The challenge ID to pass to `createPasskey`. */
      challenge_id: string;
      /** Options for `navigator.credentials.create`, as JSON (WebAuthn). */
      options: { [key: string]: unknown };
    };
    /** A passkey. */
    Passkey: {
      /** Passkey ID. */
      id: string;
      /** The name of the passkey. */
      name: string;
      /** When the passkey was added. */
      created_at: string;
      last_used_at: string | null;
    };
    /** The passkeys of an account. */
    PasskeyList: {
      /** Passkeys, newest first. */
      passkeys: components["schemas"]["Passkey"][];
    };
    /** A file that the client sends to the file store. */
    DirectUploadRequest: {
      /** The filename. The format is detected from the content first, then from the extension. */
      filename: string;
      /** Size of the file in bytes. */
      size: number;
      /** The media type of the file. It decides between text formats if neither the content nor the filename does. */
      content_type?: string;
      /** The format of the file: an ID, an extension or a media type. Default: detected from the content, then from the filename, then from the media type. Set it if the content is ambiguous, such as a CSV file named `data.dat`. A file whose content has the signature of another format is rejected. */
      source_format?: string;
      /** SHA-256 of the file, in hexadecimal. The upload fails if it does not match. */
      sha256?: string;
    };
    /** A file that the service fetches: set `url`, or `storage` and `key`. */
    UrlUploadRequest: {
      /** The URL of the file. Must be reachable from the internet; up to five redirects are followed. */
      url?: string;
      /** The name of a storage: 1 to 64 letters, digits, dots, underscores and hyphens. */
      storage?: string;
      /** The key of the object in the storage. */
      key?: string;
      /** The filename. Default: the last segment of the URL's path, or of the key. */
      filename?: string;
      /** The format of the file: an ID, an extension or a media type. Default: detected from the content, then from the filename, then from the media type. Set it if the content is ambiguous, such as a CSV file named `data.dat`. A file whose content has the signature of another format is rejected. */
      source_format?: string;
      /** Headers of the request for the file, such as `Authorization`; not host, content-length, connection, transfer-encoding. Never returned. */
      headers?: { [key: string]: string };
    };
    /** A conversion of one upload, or a merge of several into one file. Set one of `upload_id`, `upload_ids` and `url`. */
    ConversionRequest: {
      /** The upload to convert. */
      upload_id?: string;
      /** Instead of `upload_id`: the uploads to merge into one file, in this order. Images and PDFs can be merged into a PDF; images into an animated gif, webp or apng, or a multi-page tiff; any files into a zip, tar, tgz or tzst. */
      upload_ids?: string[];
      /** Instead of `upload_id`: the web page to load in a browser, for the targets pdf, png, jpg and webp. Must be reachable from the internet. To convert a file at a URL, create an upload with its `url` first. */
      url?: string;
      /** ID, extension (with or without the dot) or media type of a format. Case-insensitive. Required unless `preset` or `steps` is set. */
      target_format?: string;
      /** Options of the conversion, as described by the JSON Schema that `getConversion` returns. Unknown options are rejected. */
      options?: { [key: string]: unknown };
      /** The filename of the result. Default: the name of the upload with the extension of the target format. */
      filename?: string;
      /** The URL that receives a webhook when the job ends. Must be reachable from the internet; redirects are not followed. Default: the account's webhook URL, if any. */
      webhook_url?: string;
      /** The body of the webhook. `file`: the result itself, up to 20000000 bytes, with the headers `anyform-job` and `anyform-event`; larger results and failed jobs are sent as `job`. Default: `job`. */
      webhook_body?: "job" | "file";
      /** Delivers the result when the job has completed, with retries. Set one of `url` and `storage`. */
      export?: {
        /** The URL that receives the result, such as a presigned URL. Must be reachable from the internet; redirects are not followed. Its query is never returned. */
        url?: string;
        /** The method of the request to `url`. Default: PUT. */
        method?: "PUT" | "POST";
        /** Headers of the request to `url`, such as `Authorization`; not host, content-length, connection, transfer-encoding. Never returned. */
        headers?: { [key: string]: string };
        /** The name of a storage: 1 to 64 letters, digits, dots, underscores and hyphens. */
        storage?: string;
        /** The key of the object in the storage. `{name}` is the filename of the result, `{id}` the job ID. Default: `{name}`. */
        key?: string;
      };
      /** Key-value pairs that are returned with the job. */
      metadata?: { [key: string]: string };
      /** Name of a saved preset. Its settings apply unless the request sets them; options are merged. */
      preset?: string;
      /** Steps after the conversion, each of which reads the result of the one before. The job of the response is the last step. Without `target_format`, the first step reads the upload. To read several results or offer several, use `createPipeline`. */
      steps?: {
        /** What the step does. All options of its conversion are allowed. */
        operation: "convert" | "merge" | "archive" | "compress" | "watermark" | "number_pages" | "encrypt" | "decrypt" | "rotate" | "crop" | "resize" | "thumbnail" | "select_pages" | "trim" | "metadata" | "fill_form" | "flatten" | "attach";
        /** ID, extension or media type of the format of the result. `convert` requires it; `merge` defaults to pdf, `archive` to zip, `thumbnail` to jpg, and the other operations to the format of the input. */
        target_format?: string;
        /** Options of the conversion, as `getConversion` describes them. An option whose value is the ID of an upload can also name an input. */
        options?: { [key: string]: unknown };
        /** Name of a saved preset. Its settings apply unless the request sets them; options are merged. */
        preset?: string;
        /** The filename of the result. Default: the name of the first input with the extension of the target format. */
        filename?: string;
      }[];
    };
    BatchRequest: {
      /** The bodies of `createJob` (`ConversionRequest`). Invalid items are rejected individually. */
      conversions: unknown[];
    };
    /** Conversions that read each other's results. */
    PipelineRequest: {
      /** Upload IDs by the names that steps read them under. */
      inputs: { [key: string]: string };
      /** The steps, at most 20, in any order. */
      steps: {
        /** A name that other steps read the result under. */
        name: string;
        /** What the step does. All options of its conversion are allowed. */
        operation: "convert" | "merge" | "archive" | "compress" | "watermark" | "number_pages" | "encrypt" | "decrypt" | "rotate" | "crop" | "resize" | "thumbnail" | "select_pages" | "trim" | "metadata" | "fill_form" | "flatten" | "attach";
        /** The inputs and steps that it reads, by name; `merge` and `archive` read several, in this order. Default: the step before it, or the only input. */
        from?: string | string[];
        /** ID, extension or media type of the format of the result. `convert` requires it; `merge` defaults to pdf, `archive` to zip, `thumbnail` to jpg, and the other operations to the format of the input. */
        target_format?: string;
        /** Options of the conversion, as `getConversion` describes them. An option whose value is the ID of an upload can also name an input. */
        options?: { [key: string]: unknown };
        /** Name of a saved preset. Its settings apply unless the request sets them; options are merged. */
        preset?: string;
        /** The filename of the result. Default: the name of the first input with the extension of the target format. */
        filename?: string;
        /** Whether its result is offered for download. Default: whether no other step reads it. Each result is counted as one request. */
        result?: boolean;
      }[];
      /** The URL that receives a webhook when the pipeline ends. Default: the account's webhook URL, if any. */
      webhook_url?: string;
      /** Key-value pairs that are returned with the job. */
      metadata?: { [key: string]: string };
    };
    /** Settings of conversions. */
    PresetRequest: {
      /** ID, extension or media type of a format. */
      target_format?: string;
      /** Options of the conversion. They are checked when a request uses the preset, because they depend on the source format. */
      options?: { [key: string]: unknown };
      /** Steps of `createJob`. A preset with steps cannot be the preset of a step. */
      steps?: {
        /** What the step does. All options of its conversion are allowed. */
        operation: "convert" | "merge" | "archive" | "compress" | "watermark" | "number_pages" | "encrypt" | "decrypt" | "rotate" | "crop" | "resize" | "thumbnail" | "select_pages" | "trim" | "metadata" | "fill_form" | "flatten" | "attach";
        /** ID, extension or media type of the format of the result. `convert` requires it; `merge` defaults to pdf, `archive` to zip, `thumbnail` to jpg, and the other operations to the format of the input. */
        target_format?: string;
        /** Options of the conversion, as `getConversion` describes them. An option whose value is the ID of an upload can also name an input. */
        options?: { [key: string]: unknown };
        /** Name of a saved preset. Its settings apply unless the request sets them; options are merged. */
        preset?: string;
        /** The filename of the result. Default: the name of the first input with the extension of the target format. */
        filename?: string;
      }[];
    };
    NewWebhookEndpoint: {
      /** The URL that receives the messages. Must be reachable from the internet; redirects are not followed. */
      url: string;
      /** The types of events that it receives. Default: all. */
      events?: ("job.completed" | "job.failed" | "job.cancelled" | "pipeline.completed" | "pipeline.failed" | "pipeline.cancelled" | "quota.warning" | "quota.reached")[];
      description?: string | null;
      /** Whether it receives messages. Default: true. */
      enabled?: boolean;
    };
    WebhookEndpointChanges: {
      /** The URL that receives the messages. Must be reachable from the internet; redirects are not followed. */
      url?: string;
      /** The types of events that it receives. Default: all. */
      events?: ("job.completed" | "job.failed" | "job.cancelled" | "pipeline.completed" | "pipeline.failed" | "pipeline.cancelled" | "quota.warning" | "quota.reached")[];
      description?: string | null;
      /** Whether it receives messages. Default: true. */
      enabled?: boolean;
    };
    /** A storage with its credentials, which are encrypted and never returned. */
    StorageRequest: {
      /** The protocol. */
      type: "s3" | "webdav";
      /** The URL of the service, without the bucket, or of the WebDAV folder. Must be reachable from the internet. Default: Amazon S3 in the region. */
      endpoint?: string;
      /** The region of the bucket. Default: `us-east-1`. */
      region?: string;
      /** The bucket. Required for `s3`. */
      bucket?: string;
      /** Whether the bucket is part of the host name instead of the path. Default: false. */
      virtual_host?: boolean;
      /** The ID of the access key. Required for `s3`. */
      access_key_id?: string;
      /** The secret access key. Required for `s3`. Never returned. */
      secret_access_key?: string;
      /** The user of WebDAV. Default: no authentication. */
      username?: string;
      /** The password of WebDAV. Never returned. */
      password?: string;
    };
    /** Success and latency of the engines per day. Failures because of the file do not count. */
    ServiceStatus: {
      /** The first UTC day. */
      from: string;
      /** Today in UTC. */
      to: string;
      /** The engines that were used, by name. */
      engines: {
        /** The engine. */
        engine: string;
        /** Share of conversions that the service did not fail. All days together. From 0 to 1. */
        success: number;
        /** Median duration of a step with the engine. `null` without conversions. */
        median_ms: number | null;
        /** Duration that 95% of the steps do not exceed. `null` without conversions. */
        p95_ms: number | null;
        /** The days with conversions, oldest first. */
        days: {
          /** The UTC day, `YYYY-MM-DD`. */
          date: string;
          /** Share of conversions that the service did not fail. From 0 to 1. */
          success: number;
          /** Median duration of a step with the engine. `null` without conversions. */
          median_ms: number | null;
        }[];
      }[];
    };
    /** The health of the service. */
    Health: {
      /** Always `ok`: an unhealthy service does not respond. */
      status: "ok";
      /** The conversion engines and their versions. */
      engines: { [key: string]: string };
    };
    /** A request for a sign-in code. */
    CodeRequest: {
      /** The email address that the code is sent to. Case-insensitive. */
      email: string;
      /** The language of the email. Default: `en`. */
      locale?: "en" | "de";
    };
    /** A sign-in code. */
    CodeSessionRequest: {
      /** `challenge_id` from `createSignInCode`. */
      challenge_id: string;
      /** The six digits of the email. */
      code: string;
    };
    /** A sign-in that the identity provider continues. */
    IdentityRequest: {
      /** The challenge ID to pass to `createOidcSession`. Only this browser may know it. */
      challenge_id: string;
      /** The page of the identity provider where the user signs in. */
      url: string;
      /** When the sign-in expires. */
      expires_at: string;
    };
    /** The answer of the identity provider. */
    OidcSessionRequest: {
      /** `challenge_id` from `startOidcSignIn`. */
      challenge_id: string;
      /** `code` of the URL that the provider returned to. */
      code: string;
      /** `state` of that URL. */
      state: string;
      /** `iss` of that URL, if it has one. */
      iss?: string;
    };
    /** A sign-in with a passkey. */
    PasskeySessionRequest: {
      /** `challenge_id` from `startPasskeySignIn`. */
      challenge_id: string;
      credential: components["schemas"]["PasskeyAssertion"];
    };
    /** The result of `navigator.credentials.get`, as JSON (`AuthenticationResponseJSON` of WebAuthn). */
    PasskeyAssertion: {
      /** Credential ID. Base64url. */
      id: string;
      /** Same as `id`. Base64url. */
      rawId: string;
      /** The response of the authenticator. */
      response: {
        /** The client data: challenge and origin. Base64url. */
        clientDataJSON: string;
        /** The authenticator data. Base64url. */
        authenticatorData: string;
        /** The signature of both. Base64url. */
        signature: string;
        userHandle?: string | null;
      };
      /** Always `public-key`. */
      type: "public-key";
    };
    /** A new passkey. */
    NewPasskeyRequest: {
      /** `challenge_id` from `startPasskey`. */
      challenge_id: string;
      /** A name for the passkey, such as the device it is on. */
      name: string;
      credential: components["schemas"]["PasskeyAttestation"];
    };
    /** The result of `navigator.credentials.create`, as JSON (`RegistrationResponseJSON` of WebAuthn). */
    PasskeyAttestation: {
      /** Credential ID. Base64url. */
      id: string;
      /** Same as `id`. Base64url. */
      rawId: string;
      /** The response of the authenticator. */
      response: {
        /** The client data: challenge and origin. Base64url. */
        clientDataJSON: string;
        /** The new public key and the authenticator data. Base64url. */
        attestationObject: string;
        /** How the browser reaches the authenticator. */
        transports?: string[];
      };
      /** Always `public-key`. */
      type: "public-key";
    };
    PlanChoiceRequest: {
      /** The plan to pick. */
      plan: "free" | "api" | "enterprise";
      /** A note for the operator, such as the number of requests per month. */
      note?: string;
    };
    /** A webhook of the payment service. */
    BillingEvent: {
      /** Event ID. */
      id: string;
      /** Event type, as named by the payment service. */
      type: string;
      /** The subject of the event. */
      data: {

      };
    };
    AccountChanges: {
      webhook_url?: string | null;
      /** Whether to send emails when 80 % and 100 % of the monthly quota are used. Default: true. */
      quota_mails?: boolean;
      /** Hours to keep files after their job has ended. 0: until the first download. Applies to new jobs. */
      retention_hours?: number;
    };
    AccountDeletion: {
      /** Whether everything was deleted. */
      deleted: boolean;
    };
    /** The state of a deployment, for its operators. */
    OperatorOverview: {
      /** The version of the service. */
      version: string;
      /** The queue of each lane. */
      lanes: {
        /** The lane. */
        lane: string;
        /** Jobs that wait for a converter. */
        waiting: number;
        /** Jobs that are being converted, or are tried again later. */
        active: number;
        oldest_ms: number | null;
      }[];
      /** The messages that could not be processed, by queue. */
      dead_letters: {
        /** The queue that the messages were sent to: `jobs` for all lanes, or that of a background task. */
        queue: string;
        /** Messages that could not be processed. Those of `jobs` and `imports` are removed within minutes, when their jobs and uploads have been marked as failed. */
        messages: number;
      }[];
      disk: {
        /** Free bytes. */
        free_bytes: number;
        /** All bytes. */
        total_bytes: number;
      } | null;
      /** How long data is kept. */
      retention: {
        /** Hours that files are kept after their job, unless the account sets less. */
        files_hours: number;
        /** Days that jobs are listed. */
        records_days: number;
      };
      /** The engines that failed, most failures first. */
      failures: {
        /** The engine. */
        engine: string;
        /** Conversions that failed because of the service, over 90 days. */
        failed: number;
        example: {
          /** The job. */
          job_id: string;
          /** Its account. */
          account_id: string;
          /** The format of the file. */
          source_format: string;
          /** The requested format. */
          target_format: string;
          /** The error code. */
          code: string;
          /** The message of the error. */
          detail: string;
          /** When it failed. */
          at: string;
        } | null;
      }[];
      /** The engines and their versions. */
      engines: { [key: string]: string };
      /** The settings in force, without secrets. */
      settings: { [key: string]: string };
    };
    /** A page of accounts. */
    OperatedAccountList: {
      /** The accounts. */
      accounts: components["schemas"]["OperatedAccount"][];
      /** The value of `after` for the next page. Null on the last page. */
      next: string | null;
    };
    OperatedPlanRequest: {
      /** The new plan. It fulfills a request for this plan. Null: the plan stays, and the request is declined. */
      plan: "free" | "api" | "enterprise" | "unlimited" | null;
      /** The monthly quota, if it differs from the plan's. Required for `enterprise`. */
      requests_per_month?: number;
    };
    /** An account, as shown to operators. */
    OperatedAccount: {
      /** Account ID. */
      id: string;
      /** The email address. */
      email: string;
      /** The plan. */
      plan: "free" | "api" | "enterprise" | "unlimited";
      requests_per_month: number | null;
      /** Requests of this month. */
      used: number;
      requested_plan: {
        /** The requested plan. */
        plan: "free" | "api" | "enterprise" | "unlimited";
        /** When it was requested. */
        at: string;
        note: string | null;
      } | null;
      billing_status: string | null;
      /** Whether its owner operates the deployment. */
      is_operator: boolean;
      /** When the account was created. */
      created_at: string;
    };
    /** An invitation. */
    InvitationRequest: {
      /** The email address to invite. Case-insensitive. */
      email: string;
      /** `owner`: everything. `developer`: files, jobs, keys, webhooks, presets and storages. `billing`: plan, invoices and usage. */
      role: "owner" | "developer" | "billing";
      /** The language of the email. Default: `en`. */
      locale?: "en" | "de";
    };
    MemberChanges: {
      /** `owner`: everything. `developer`: files, jobs, keys, webhooks, presets and storages. `billing`: plan, invoices and usage. */
      role: "owner" | "developer" | "billing";
    };
    /** An accepted invitation. */
    InvitationAnswer: {
      /** The code of the email, which works once. */
      code: string;
    };
    KeyRequest: {
      /** A name for the key, such as the program that uses it. */
      name: string;
      /** What the key can be used for. Default: everything. */
      scopes?: ("upload" | "convert" | "read" | "download" | "webhooks" | "storages")[];
      /** A `test` key converts small files and is not metered. Default: `live`. */
      kind?: "live" | "test";
      expires_at?: string | null;
      monthly_limit?: number | null;
      allowed_origins?: string[] | null;
    };
    KeyChanges: {
      monthly_limit?: number | null;
      allowed_origins?: string[] | null;
    };
    KeyRotation: {
      /** Hours that the old key stays valid. 0: it is revoked immediately. Default: 24. */
      overlap_hours?: number;
    };
  };
}
