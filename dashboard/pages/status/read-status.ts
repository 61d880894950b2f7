import { api, type Schemas } from "../../api.ts";
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

/** @throws ApiProblem `not_reachable` if the service does not respond */
export const readStatus = async (asMember: boolean): Promise<StatusReport> => {
  const [status, list, jobs] = await Promise.all([
    api.get<Schemas["ServiceStatus"]>("status"),
    api.get<Schemas["FormatList"]>("formats"),
    asMember ? api.get<Schemas["JobList"]>(`convert?limit=${JOBS_MAX}`) : undefined,
  ]);
  return {
    status,
    formats: list.formats,
    backlog: jobs && backlogOf(jobs.jobs, Date.now()),
    checkedAt: new Date().toISOString(),
  };
};
