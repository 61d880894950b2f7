import { useState } from "preact/hooks";
import { isMember } from "../../../session.ts";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { announce } from "../../../ui/live.tsx";
import { client, queue } from "../store.ts";
import { FILES_MAX } from "./entries.ts";
import { shortcutFile, webUrl } from "./web-url.ts";

/** Adds the file at a URL, or the web page itself if the service loads web pages. */
export const UrlForm = () => {
  const { convert } = texts.value;
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const loadsPages = useWebPages(text !== "" && isMember.value);
  const add = (addUrl: (url: string) => void): void => {
    const url = webUrl(text);
    setWrong(url === undefined);
    if (url !== undefined && queue.rows.value.length < FILES_MAX) {
      addUrl(url);
      setText("");
      announce(convert.added(1));
    }
  };
  return (
    <form
      class="convert-url"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add(queue.addUrl);
      }}
    >
      <TextField
        type="url"
        label={convert.url}
        placeholder="https://"
        error={isWrong ? convert.urlWrong : undefined}
        value={text}
        onText={setText}
      />
      <Button type="submit">{convert.urlAdd}</Button>
      {loadsPages && (
        <Button
          title={convert.webPageHint}
          onClick={() => add((url) => queue.addFiles({ files: [{ file: shortcutFile(url), folder: "" }] }))}
        >
          {convert.webPage}
        </Button>
      )}
    </form>
  );
};

/** @param isAsked whether the answer is needed yet @returns whether the service converts web pages */
const useWebPages = (isAsked: boolean): boolean => {
  const [loads, setLoads] = useState<boolean | undefined>(undefined);
  if (isAsked && loads === undefined) {
    setLoads(false);
    // Without an answer, only files can be added.
    client.formats({ source: "url" }).then(
      ({ formats }) => setLoads(formats.some(({ id, targets }) => id === "url" && targets.length > 0)),
      () => undefined,
    );
  }
  return loads === true;
};
