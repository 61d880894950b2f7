import { engines } from "../../functions/engines/index.ts";

/** Run when the image is built: loads what a start or a conversion loads, and Node keeps what V8 makes of it. */

await import("../../functions/events/convert-file.ts");
await import("../../functions/engines/convert.ts");
await import("../../local/context.ts");
await import("../../local/dashboard.ts");
await import("../../local/gateway.ts");
await Promise.all(Object.values(engines).map((load) => load()));
