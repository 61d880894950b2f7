import { useState } from "preact/hooks";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Table } from "../../ui/parts.tsx";
import type { Job } from "./job-list.ts";
import { JobRow, type JobRowProps } from "./job-row.tsx";

export interface JobTableProps {
  readonly jobs: readonly Job[];
  readonly onAction: JobRowProps["onAction"];
  /** Asks for confirmation to delete these jobs. */
  readonly onDelete: (jobs: readonly Job[]) => void;
}

export const JobTable = ({ jobs: rows, onAction, onDelete }: JobTableProps) => {
  const { jobs } = texts.value;
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ id }) => selectedIds.has(id));
  const all = selected.length === rows.length;
  const selectAllBox = (
    <input
      type="checkbox"
      aria-label={jobs.selectAll}
      checked={all}
      indeterminate={selected.length > 0 && !all}
      onChange={({ currentTarget }) => setSelectedIds(new Set(currentTarget.checked ? rows.map(({ id }) => id) : []))}
    />
  );
  const heads = [jobs.job, jobs.state, jobs.size, jobs.created, jobs.duration];
  return (
    <>
      {selected.length > 0 && (
        <Selection
          count={selected.length}
          onDelete={() => onDelete(selected)}
          onClear={() => setSelectedIds(new Set())}
        />
      )}
      <div class="stacked jobs-table" id="jobs-list" tabIndex={-1}>
        <Table caption={jobs.list} head={[selectAllBox, ...heads, <span class="hidden">{jobs.actions}</span>]}>
          {rows.map((job) => (
            <JobRow
              key={job.id}
              job={job}
              selected={selectedIds.has(job.id)}
              onSelect={(on) => setSelectedIds(withId(selectedIds, job.id, on))}
              onAction={onAction}
            />
          ))}
        </Table>
      </div>
    </>
  );
};

const withId = (ids: ReadonlySet<string>, id: string, on: boolean): ReadonlySet<string> =>
  new Set(on ? [...ids, id] : [...ids].filter((each) => each !== id));

interface SelectionProps {
  readonly count: number;
  readonly onDelete: () => void;
  readonly onClear: () => void;
}

const Selection = ({ count, onDelete, onClear }: SelectionProps) => {
  const { jobs } = texts.value;
  return (
    <div class="jobs-selection">
      <span role="status">{jobs.selected(count)}</span>
      <Button kind="danger" onClick={onDelete}>
        {jobs.deleteSelected}
      </Button>
      <Button kind="quiet" onClick={onClear}>
        {jobs.clearSelection}
      </Button>
    </div>
  );
};
