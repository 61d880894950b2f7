import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { texts } from "../text.ts";
import { useAction } from "./action.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { ProblemNotice } from "./notice.tsx";

export interface DialogProps {
  readonly title: string;
  /** Also called on Escape. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons in the footer. */
  readonly actions?: ComponentChildren;
}

/** A native dialog, which traps the focus and restores it. It is open while it is rendered. */
export const Dialog = ({ title, onClose, children, actions }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={cancel}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" aria-label={texts.value.common.close} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
};

export interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  /** May fail: the dialog shows the error. It stays open until it is no longer rendered. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks for confirmation of an action that cannot be undone. */
export const Confirm = ({ title, action, onConfirm, onClose, children }: ConfirmProps) => {
  const { run, problem } = useAction(onConfirm);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.value.common.cancel}</Button>
          <Button kind="danger" onClick={() => run()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
};
