import { texts } from "../../text.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { deleteJobs } from "./job-actions.ts";
import { isUnfinished, type Job, nameOf } from "./job-list.ts";

export interface DeleteDialogProps {
  readonly jobs: readonly Job[];
  readonly onDeleted: (job: Job) => void;
  readonly onClose: () => void;
  /** Called when all jobs are deleted. */
  readonly onDone: () => void;
}

/** Asks for confirmation, then deletes jobs with their files. */
export const DeleteDialog = ({ jobs, onDeleted, onClose, onDone }: DeleteDialogProps) => {
  const { confirm } = texts.value.jobs;
  const [only] = jobs;
  const running = jobs.filter(isUnfinished).length;
  const remove = async (): Promise<void> => {
    await deleteJobs(jobs, onDeleted);
    onDone();
  };
  return (
    <Confirm
      title={jobs.length === 1 && only ? confirm.titleOf(nameOf(only)) : confirm.title(jobs.length)}
      action={confirm.action(jobs.length)}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{confirm.lead}</p>
      {running > 0 && <p>{confirm.running(running)}</p>}
    </Confirm>
  );
};
