import type { Schemas } from "../../api.ts";

export type UsageDetail = Schemas["UseDetail"];

/** What a breakdown groups by. */
export const groupings = ["key", "conversion", "error"] as const;

export type Grouping = (typeof groupings)[number];

/** The jobs of a group. */
export interface Group {
  /** The ID of the key, the pair of formats, or the code of the error; empty: the dashboard. */
  readonly id: string;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

const idOf = (row: UsageDetail, by: Grouping): string | undefined => {
  if (by === "key") {
    return row.key_id ?? "";
  }
  return by === "conversion" ? `${row.source_format} → ${row.target_format}` : (row.error_code ?? undefined);
};

const jobsOf = ({ completed, failed, cancelled }: Group): number => completed + failed + cancelled;

/** @returns the groups, with the most jobs first; by error, only failed jobs are in one */
export const groupsOf = (rows: readonly UsageDetail[], by: Grouping): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const id = idOf(row, by);
    if (id !== undefined) {
      const group = groups.get(id) ?? { id, completed: 0, failed: 0, cancelled: 0, bytesIn: 0, bytesOut: 0 };
      groups.set(id, {
        ...group,
        [row.status]: group[row.status] + row.jobs,
        bytesIn: group.bytesIn + row.bytes_in,
        bytesOut: group.bytesOut + row.bytes_out,
      });
    }
  }
  return [...groups.values()].toSorted((a, b) => jobsOf(b) - jobsOf(a) || (a.id < b.id ? -1 : 1));
};

/** @returns the jobs of all rows */
export const countOf = (rows: readonly UsageDetail[]): number => rows.reduce((sum, { jobs }) => sum + jobs, 0);

/** @returns the bytes of all rows */
export const bytesOf = (rows: readonly UsageDetail[]): { readonly read: number; readonly written: number } => ({
  read: rows.reduce((sum, row) => sum + row.bytes_in, 0),
  written: rows.reduce((sum, row) => sum + row.bytes_out, 0),
});
