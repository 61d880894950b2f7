import { engines } from "../../functions/engines/index.ts";

/** Runs during the image build: loads the modules of a start and a conversion, to fill Node's compile cache. */

await import("../../functions/events/convert-file.ts");
await import("../../functions/events/open-page.ts");
await import("../../functions/engines/core/convert.ts");
await import("../../local/context.ts");
await import("../../local/http/dashboard.ts");
await import("../../local/http/gateway.ts");
await Promise.all(Object.values(engines).map((load) => load()));
