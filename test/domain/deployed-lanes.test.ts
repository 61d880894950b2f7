import { describe, expect, test } from "vitest";
import { readConfig } from "../../functions/config.ts";
import { engineIds, engineOf, isDeployable } from "../../functions/domain/conversions/engines.ts";
import { type LaneId, laneIds, lanes } from "../../functions/domain/conversions/lanes.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";

const routesOn = (deployed: readonly LaneId[]) =>
  planRoutes(new Set(engineIds.filter((engine) => isDeployable(engine, deployed))), { lanes: deployed });

describe("a deployment without container images", () => {
  const zipped = readConfig({ ANYFORM_LANES: "fast,data" }).lanes;
  const routes = routesOn(zipped);

  test("has the lanes that need no image", () => {
    expect(zipped).toEqual(laneIds.filter((lane) => !lanes[lane].image));
  });

  test("lists no route whose lane is missing, and no engine that starts a program", () => {
    expect(routes.all.filter(({ lane }) => !zipped.includes(lane))).toEqual([]);
    const engines = new Set(routes.all.flatMap(({ steps }) => steps.map(({ engine }) => engine)));
    expect([...engines].filter((engine) => engineOf(engine).programs !== undefined)).toEqual([]);
    expect(routes.find("docx", "odt")).toBeUndefined();
    expect(routes.find("wav", "mp3")).toBeUndefined();
  });

  test("falls back to a route through its own lanes when a better one needs an image", () => {
    expect(routes.find("md", "docx")?.lane).toBe("fast");
    expect(routes.find("heic", "jpg")?.lane).toBe("fast");
  });
});

describe("a complete deployment", () => {
  test("has all lanes by default", () => {
    expect(readConfig({}).lanes).toEqual(laneIds);
  });

  test("starts programs only in lanes that are container images", () => {
    const routes = routesOn(laneIds).all;
    const withPrograms = routes.filter(({ steps }) => steps.some(({ engine }) => engineOf(engine).programs));
    expect(withPrograms.length).toBeGreaterThan(0);
    expect(withPrograms.filter(({ lane }) => !lanes[lane].image)).toEqual([]);
  });
});
