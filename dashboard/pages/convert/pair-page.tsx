import { useEffect, useRef } from "preact/hooks";
import { NotFoundMessage } from "../../shell/page-errors.tsx";
import { ConvertPage } from "./page.tsx";
import { pairArticle } from "./pair-article.ts";
import { queue } from "./store.ts";
import "../../ui/stacked.css";
import "./pair.css";

/** The page of a usual conversion, such as `/convert/heic-to-jpg`: its target is preselected. */
export const PairPage = () => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (pairArticle === undefined) {
      return;
    }
    document.title = `${pairArticle.heading} · Anyform`;
    place.current?.append(pairArticle.element);
    queue.wanted.value = pairArticle.target;
    return () => {
      queue.wanted.value = undefined;
    };
  }, []);
  return pairArticle === undefined ? (
    <NotFoundMessage />
  ) : (
    <>
      <ConvertPage title={pairArticle.heading} lead={pairArticle.lead} />
      <div ref={place} class="pair" />
    </>
  );
};
