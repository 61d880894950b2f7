import { expect, it } from "vitest";
import { engineIds, engineOf } from "../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { usualPairs, usualTargets } from "../../functions/domain/formats/usual-targets.ts";

it("names only conversions that exist without optional programs, each once", () => {
  const routes = planRoutes(new Set(engineIds.filter((id) => !engineOf(id).optional)));
  const pairs = usualPairs();
  expect(pairs.filter(([source, target]) => routes.find(source, target) === undefined)).toEqual([]);
  expect(new Set(pairs.map(String)).size).toBe(pairs.length);
});

it("names the likeliest target first, and none for formats without a usual target", () => {
  expect(["heic", "docx", "mov"].map((source) => usualTargets(source as "heic")[0])).toEqual(["jpg", "pdf", "mp4"]);
  expect(usualTargets("iso")).toEqual([]);
});
