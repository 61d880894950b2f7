import { BUILT_PAGES, buildDashboard } from "./http/build-dashboard.ts";
import { type Dashboard, dashboard } from "./http/dashboard.ts";
import type { Settings } from "./settings.ts";

/** @returns the dashboard, rebuilt if its sources have changed; undefined if there is none. The API works without it */
export const servicePages = async ({ publicUrl, operatorTexts }: Settings): Promise<Dashboard | undefined> => {
  const build = await buildDashboard();
  if (build.outcome === "built") {
    console.log(`Built the dashboard in ${(build.milliseconds / 1_000).toFixed(1)} s.\n`);
  }
  if (build.outcome === "failed") {
    console.error(`The dashboard build failed:\n${build.output}\n`);
  }
  const origin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return dashboard(BUILT_PAGES, { origin, operatorTexts });
};
