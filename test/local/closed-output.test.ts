import { once } from "node:events";
import { expect, it } from "vitest";
import { startLocalService } from "../support/services/local-service.ts";

it("serves and stops in order after the reader of its output has ended", async () => {
  const service = await startLocalService();
  try {
    service.process.stdout?.destroy();
    await once(service.process.stdout ?? service.process, "close");
    for (const email of ["a@example.com", "b@example.com"]) {
      const headers = { "content-type": "application/json" };
      // Prints the code.
      const response = await fetch(`${service.url}/api/v1/session/code`, {
        method: "POST",
        headers,
        body: JSON.stringify({ email }),
      });
      expect(response.status).toBe(202);
    }
    expect(await service.stop()).toBe(0);
  } finally {
    await service.kill();
    await service.erase();
  }
});
