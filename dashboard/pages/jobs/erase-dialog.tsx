import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { eraseJobs } from "./job-acts.ts";
import { isUnfinished, type Job, nameOf } from "./job-list.ts";

export interface EraseDialogProps {
  readonly jobs: readonly Job[];
  readonly onErased: (job: Job) => void;
  readonly onClose: () => void;
  /** All are erased. */
  readonly onDone: () => void;
}

/** Erases jobs with their files, when the reader has seen how many. */
export const EraseDialog = ({ jobs: erased, onErased, onClose, onDone }: EraseDialogProps) => {
  const { confirm } = texts.value.jobs;
  const erasing = useAction(() => eraseJobs(erased, onErased));
  const [only] = erased;
  const running = erased.filter(isUnfinished).length;
  const erase = async (): Promise<void> => {
    if (await erasing.run()) {
      onDone();
    }
  };
  return (
    <Confirm
      title={erased.length === 1 && only ? confirm.titleOf(nameOf(only)) : confirm.title(erased.length)}
      action={confirm.action(erased.length)}
      onConfirm={erase}
      onClose={onClose}
    >
      <p>{confirm.lead}</p>
      {running > 0 && <p>{confirm.running(running)}</p>}
      {erasing.problem !== undefined && <ProblemNotice error={erasing.problem} />}
    </Confirm>
  );
};
