import { useState } from "preact/hooks";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Table } from "../../ui/parts.tsx";
import type { Job } from "./job-list.ts";
import { JobRow, type JobRowProps } from "./job-row.tsx";

export interface JobTableProps {
  readonly jobs: readonly Job[];
  readonly onAct: JobRowProps["onAct"];
  /** Asks for these to be erased. */
  readonly onErase: (jobs: readonly Job[]) => void;
}

export const JobTable = ({ jobs: rows, onAct, onErase }: JobTableProps) => {
  const { jobs } = texts.value;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ id }) => ticked.has(id));
  const all = selected.length === rows.length;
  const tickAll = (
    <input
      type="checkbox"
      aria-label={jobs.selectAll}
      checked={all}
      indeterminate={selected.length > 0 && !all}
      onChange={({ currentTarget }) => setTicked(new Set(currentTarget.checked ? rows.map(({ id }) => id) : []))}
    />
  );
  const heads = [jobs.job, jobs.state, jobs.size, jobs.started, jobs.took];
  return (
    <>
      {selected.length > 0 && (
        <Selection count={selected.length} onErase={() => onErase(selected)} onClear={() => setTicked(new Set())} />
      )}
      <div class="stacked jobs-table" id="jobs-list" tabIndex={-1}>
        <Table caption={jobs.list} head={[tickAll, ...heads, <span class="hidden">{jobs.actions}</span>]}>
          {rows.map((job) => (
            <JobRow
              key={job.id}
              job={job}
              selected={ticked.has(job.id)}
              onSelect={(on) => setTicked(withId(ticked, job.id, on))}
              onAct={onAct}
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
  readonly onErase: () => void;
  readonly onClear: () => void;
}

const Selection = ({ count, onErase, onClear }: SelectionProps) => {
  const { jobs } = texts.value;
  return (
    <div class="jobs-selection">
      <span role="status">{jobs.selected(count)}</span>
      <Button kind="danger" onClick={onErase}>
        {jobs.eraseSelected}
      </Button>
      <Button kind="quiet" onClick={onClear}>
        {jobs.clearSelection}
      </Button>
    </div>
  );
};
