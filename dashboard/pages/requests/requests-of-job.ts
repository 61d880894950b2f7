import { queryOf } from "../../ui/paging.ts";

/** @returns the path of the page with the requests that created or named a job */
export const requestsOfJob = (id: string): string => `/requests${queryOf({ search: id })}`;
