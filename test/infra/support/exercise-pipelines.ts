import { context } from "../../../functions/context.ts";
import { advancePipeline } from "../../../functions/events/advance-pipeline.ts";
import type { RightsRecorder } from "../../support/rights/rights-recorder.ts";

/** Every kind of request about pipelines and presets. */
export const exercisePipelines = async (recorder: RightsRecorder, { form, hook }: Sent): Promise<void> => {
  const { call, open } = recorder;
  await open("pipelines@example.com");
  const { upload_id } = await call("POST /api/v1/upload", { form });
  const steps = [
    { name: "one", operation: "convert", target_format: "webp" },
    { name: "two", operation: "convert", target_format: "jpg" },
  ];
  const body = { inputs: { photo: upload_id }, steps, webhook_url: hook };
  const headers = { "idempotency-key": "pipeline" };
  for (const _ of ["first", "again"]) {
    await call("POST /api/v1/pipelines", { body, headers });
  }
  const pipeline = await call("POST /api/v1/pipelines", { body });
  await call(`GET /api/v1/pipelines/${pipeline.id}`);
  await call(`GET /api/v1/pipelines/${pipeline.id}/events`);
  await call("GET /api/v1/pipelines");
  await finishFirst(recorder, pipeline);
  await call(`POST /api/v1/pipelines/${pipeline.id}/cancel`);
  await recorder.as("announceEnd", () => advancePipeline(context())(pipeline.id));
  await call(`DELETE /api/v1/pipelines/${pipeline.id}`);
  const other = await call("POST /api/v1/pipelines", { body });
  await context().jobs.cancel(other.steps[0].job_id, Date.now());
  await recorder.as("announceEnd", () => advancePipeline(context())(other.id));
  const last = await call("POST /api/v1/pipelines", { body });
  await call(`DELETE /api/v1/pipelines/${last.id}`);
  await call("PUT /api/v1/presets/small", { body: { options: { width: 5 } } });
  await call("GET /api/v1/presets/small");
  await call("GET /api/v1/presets");
  await call("DELETE /api/v1/presets/small");
};

interface Sent {
  readonly form: Buffer;
  readonly hook: string;
}

/** Completes the first step and starts the second. */
const finishFirst = async (
  { as }: RightsRecorder,
  { id, steps }: { readonly id: string; readonly steps: readonly { readonly job_id: string }[] },
): Promise<void> => {
  const { jobs, clock } = context();
  const jobId = steps[0]?.job_id ?? "";
  await jobs.claim(jobId, clock());
  const key = `results/${jobId}/1`;
  const token = `dl_${"0".repeat(43)}`;
  const result = { key, bytes: 1, mediaType: "image/webp", sha256: "00", token, expiresAt: clock() + 3_600_000 };
  await jobs.finish(jobId, 1, { status: "completed", result, timings: [], warnings: [] }, clock());
  await as("announceEnd", () => advancePipeline(context())(id));
};
