import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> {
  /** @default plain */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  /** Shows that work is in progress and ignores clicks. */
  readonly busy?: boolean;
  /** The button is busy until the returned promise settles. */
  readonly onClick?: () => unknown;
  readonly children: ComponentChildren;
}

/** A button. While busy it keeps the focus, ignores clicks, and does not submit its form. */
export const Button = ({ kind = "plain", busy = false, onClick, type = "button", children, ...rest }: ButtonProps) => {
  const [working, setWorking] = useState(false);
  const isBusy = busy || working;
  const press = async (event: Event): Promise<void> => {
    if (isBusy) {
      event.preventDefault();
      return;
    }
    const result = onClick?.();
    if (result instanceof Promise) {
      setWorking(true);
      await result.finally(() => setWorking(false));
    }
  };
  return (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${rest.class ?? ""}`.trim()}
      aria-busy={isBusy}
      aria-disabled={isBusy || undefined}
      onClick={(event) => void press(event)}
    >
      {children}
    </button>
  );
};
