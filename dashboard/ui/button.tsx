import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> {
  /** @default plain */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  /** Shows that it works; it cannot be pressed meanwhile. */
  readonly busy?: boolean;
  /** While what it returns is under way the button is busy. */
  readonly onClick?: () => unknown;
  readonly children: ComponentChildren;
}

/** A button. While it is busy it keeps the focus, and a press does nothing, nor does it send its form. */
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
