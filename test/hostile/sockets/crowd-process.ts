import { type Crowd, type CrowdSettings, openCrowd } from "./crowd.ts";

/** Opens a crowd in a separate process, so that its work does not delay the client that is measured. */

const REPORT_MS = 500;

let crowd: Crowd | undefined;
process.on("message", async (settings: CrowdSettings) => {
  crowd = await openCrowd(settings);
  process.send?.("open");
  // The callback receives the error of a parent that has just disconnected.
  setInterval(() => process.send?.(crowd?.open() ?? 0, () => undefined), REPORT_MS);
});
process.on("disconnect", () => process.exit(0));
