import { expect, it } from "vitest";
import { pollingNotifications } from "../../functions/adapters/polling-notifications.ts";

it.each([0, -1, 10])("returns immediately when %i ms remain", async (milliseconds) => {
  expect(await pollingNotifications().changed("job_1", milliseconds)).toBeUndefined();
});

it("polls long before an hour has passed, because it receives no notification", async () => {
  expect(await pollingNotifications().changed("job_1", 3_600_000)).toBeUndefined();
});
