import { useEffect, useState } from "preact/hooks";
import { useLocation, useSearch } from "wouter-preact";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { announce } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Chooser } from "./chooser.tsx";
import { FormatDetails } from "./format-details.tsx";
import { type Choice, exactFormat, type Format } from "./search.ts";
import "./formats.css";

/**
 * The conversions from and to each format. The selected format is in the URL; its conversions are loaded when it is
 * selected.
 */
export const FormatsPage = () => {
  const { formats: text } = texts.value;
  const list = useRemote(() => api.get<Schemas["FormatList"]>("formats"));
  const { data } = list;
  const [chosen, choose] = useChoice(data?.formats ?? []);
  const [typed, setTyped] = useState("");
  const isDropping = useDroppedName((name) => {
    const format = exactFormat(data?.formats ?? [], name);
    setTyped(format === undefined ? name : "");
    choose(format && { format, direction: "from" });
  });
  const title = titleOf(chosen);
  useEffect(() => {
    document.title = `${title} · Anyform`;
  }, [title]);
  return (
    <>
      <PageHead title={title} lead={chosen === undefined ? text.lead(data?.formats.length ?? 0) : text.chosenLead} />
      {isDropping && (
        <p class="formats-drop" aria-hidden="true">
          {text.dropHere}
        </p>
      )}
      <Loaded of={list}>
        {({ formats }) =>
          chosen === undefined ? (
            <Chooser formats={formats} typed={typed} onType={setTyped} onChoose={choose} />
          ) : (
            <FormatDetails
              key={`${chosen.format.id}-${chosen.direction}`}
              {...chosen}
              formats={formats}
              onChoose={choose}
            />
          )
        }
      </Loaded>
    </>
  );
};

const titleOf = (chosen: Choice | undefined): string => {
  const { formats: text } = texts.value;
  return chosen === undefined ? text.title : text[chosen.direction](chosen.format.name);
};

/** @returns the format in the URL, such as `?from=heic` or `?to=pdf`, and a function to change it */
const useChoice = (formats: readonly Format[]): readonly [Choice | undefined, (choice: Choice | undefined) => void] => {
  const query = new URLSearchParams(useSearch());
  const [, go] = useLocation();
  const direction = query.has("to") ? "to" : "from";
  const format = exactFormat(formats, query.get(direction) ?? "");
  const choose = (choice: Choice | undefined): void => {
    go(choice === undefined ? "/formats" : `/formats?${choice.direction}=${encodeURIComponent(choice.format.id)}`);
    announce(titleOf(choice));
    scrollTo({ top: 0 });
  };
  return [format && { format, direction }, choose];
};

/** Handles files that are dropped anywhere on the page. Only the first file's name is read. */
const useDroppedName = (onName: (name: string) => void): boolean => {
  const [isDropping, setDropping] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files")) {
        event.preventDefault();
        setDropping(true);
      }
    };
    const leave = ({ relatedTarget }: DragEvent): void => setDropping(relatedTarget !== null);
    const drop = (event: DragEvent): void => {
      const name = event.dataTransfer?.files[0]?.name;
      setDropping(false);
      if (name !== undefined) {
        event.preventDefault();
        onName(name);
      }
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  });
  return isDropping;
};
