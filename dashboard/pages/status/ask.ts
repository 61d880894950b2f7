import { ApiProblem, api, type Schemas } from "../../api.ts";
import { type Pace, paceOf } from "./engines.ts";

/** What the service said of itself. */
export interface Findings {
  readonly health: Schemas["Health"];
  readonly formats: readonly Schemas["Format"][];
  /** Undefined for who has no account. */
  readonly pace: Pace | undefined;
  readonly askedAt: string;
}

/** How many of the newest jobs are looked at. */
const JOBS_MAX = 50;

const HEALTH_MS_MAX = 10_000;

/** @throws ApiProblem `not_reachable` when nothing answers */
export const ask = async (asMember: boolean): Promise<Findings> => {
  const [health, list, jobs] = await Promise.all([
    readHealth(),
    api.get<Schemas["FormatList"]>("formats?conversions=false"),
    asMember ? api.get<Schemas["JobList"]>(`convert?limit=${JOBS_MAX}`) : undefined,
  ]);
  return {
    health,
    formats: list.formats,
    pace: jobs && paceOf(jobs.jobs, Date.now()),
    askedAt: new Date().toISOString(),
  };
};

/** It is asked beside the interface, where load balancers ask, too. */
const readHealth = async (): Promise<Schemas["Health"]> => {
  const unreachable = (cause: unknown): never => {
    throw new ApiProblem({ code: "not_reachable", detail: String(cause) });
  };
  const signal = AbortSignal.timeout(HEALTH_MS_MAX);
  const response = await fetch("/health", { cache: "no-store", signal }).catch(unreachable);
  return response.ok ? response.json() : unreachable(`It answered ${response.status}.`);
};
