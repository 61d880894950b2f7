import { useEffect, useRef } from "preact/hooks";
import { ProblemNotice } from "./notice.tsx";

/** What went wrong with something that was pressed further down: it is brought into sight. Nothing while all is well. */
export const SeenProblem = ({ error }: { readonly error: unknown }) => {
  const place = useRef<HTMLDivElement>(null);
  // Each refusal anew, also the same one a second time.
  useEffect(() => {
    if (error !== undefined) {
      place.current?.scrollIntoView({ block: "nearest" });
    }
  }, [error]);
  return error === undefined ? null : (
    <div ref={place}>
      <ProblemNotice error={error} />
    </div>
  );
};
