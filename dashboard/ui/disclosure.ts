import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";

/** A menu that a button opens: Escape closes it and returns the focus; a selection or a click elsewhere also closes it. */
export const useDisclosure = <Container extends HTMLElement>() => {
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const container = useRef<Container>(null);
  // Close the menu when another page is opened.
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) {
      return;
    }
    const stop = new AbortController();
    const close = (event: Event): void => {
      if (event.target instanceof Node && !container.current?.contains(event.target)) {
        setOpen(false);
      }
    };
    const leave = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") {
        setOpen(false);
        button.current?.focus();
      }
    };
    addEventListener("pointerdown", close, { signal: stop.signal });
    addEventListener("keydown", leave, { signal: stop.signal });
    return () => stop.abort();
  }, [open]);
  return { open, setOpen, button, container };
};
