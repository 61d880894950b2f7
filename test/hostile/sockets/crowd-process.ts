import { type Crowd, type CrowdSettings, openCrowd } from "./crowd.ts";

/** Opens a crowd in a separate process, so that its work does not delay the client that is measured. */

let crowd: Crowd | undefined;
process.on("message", async (settings: CrowdSettings) => {
  crowd = await openCrowd(settings);
  process.send?.("open");
  setInterval(() => process.send?.(crowd?.open() ?? 0), 500);
});
process.on("disconnect", () => process.exit(0));
