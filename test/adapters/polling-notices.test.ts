import { expect, it } from "vitest";
import { pollingNotices } from "../../functions/adapters/polling-notices.ts";

it.each([0, -1, 10])("is over at once when %i ms are left", async (milliseconds) => {
  expect(await pollingNotices().changed("job_1", milliseconds)).toBeUndefined();
});

it("looks again long before an hour is over, because nobody will tell", async () => {
  expect(await pollingNotices().changed("job_1", 3_600_000)).toBeUndefined();
});
