import { useEffect, useRef } from "preact/hooks";
import { ProblemNotice } from "./notice.tsx";

/** The error of an action elsewhere on the page, scrolled into view. Renders nothing without an error. */
export const ProblemInView = ({ error }: { readonly error: unknown }) => {
  const box = useRef<HTMLDivElement>(null);
  // For each error, even if the same one occurs again.
  useEffect(() => {
    if (error !== undefined) {
      box.current?.scrollIntoView({ block: "nearest" });
    }
  }, [error]);
  return error === undefined ? null : (
    <div ref={box}>
      <ProblemNotice error={error} />
    </div>
  );
};
