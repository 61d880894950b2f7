import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * `node test/selection/print-routes.ts <root>`: prints how a checkout converts each pair, as JSON, with every engine
 * installed.
 */

const [root = ""] = process.argv.slice(2);
const conversions = (name: string): string => pathToFileURL(join(root, "functions/domain/conversions", name)).href;
const { planRoutes }: typeof import("../../functions/domain/conversions/plan.ts") = await import(
  conversions("plan.ts")
);
const { engineIds }: typeof import("../../functions/domain/conversions/engines.ts") = await import(
  conversions("engines.ts")
);

const routes = planRoutes(new Set(engineIds)).all.map(({ from, to, steps, fidelity }) => [
  `${from} ${to}`,
  JSON.stringify([steps, fidelity]),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(routes)));
