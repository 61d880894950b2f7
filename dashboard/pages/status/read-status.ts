import { ApiProblem, api, type Schemas } from "../../api.ts";
import { type Backlog, backlogOf } from "./backlog.ts";

/** The status of the service at one point in time. */
export interface StatusReport {
  readonly status: Schemas["ServiceStatus"];
  readonly formats: readonly Schemas["Format"][];
  /** Undefined for people without an account. */
  readonly backlog: Backlog | undefined;
  readonly checkedAt: string;
}

/** How many of the newest jobs are checked. */
const JOBS_MAX = 50;

const HEALTH_MS_MAX = 10_000;

/** @throws ApiProblem `not_reachable` if the service does not respond */
export const readStatus = async (asMember: boolean): Promise<StatusReport> => {
  const [status, list, jobs] = await Promise.all([
    api.get<Schemas["ServiceStatus"]>("status"),
    api.get<Schemas["FormatList"]>("formats"),
    asMember ? api.get<Schemas["JobList"]>(`convert?limit=${JOBS_MAX}`) : undefined,
    checkHealth(),
  ]);
  return {
    status,
    formats: list.formats,
    backlog: jobs && backlogOf(jobs.jobs, Date.now()),
    checkedAt: new Date().toISOString(),
  };
};

/** The other answers can come from the browser's cache. The health check is outside the API. */
const checkHealth = async (): Promise<void> => {
  const unreachable = (cause: unknown): never => {
    throw new ApiProblem({ code: "not_reachable", detail: String(cause) });
  };
  const signal = AbortSignal.timeout(HEALTH_MS_MAX);
  const response = await fetch("/health", { cache: "no-store", signal }).catch(unreachable);
  if (!response.ok) {
    unreachable(`The health check returned ${response.status}.`);
  }
};
