import { useEffect, useMemo } from "preact/hooks";
import { bytes } from "../../../format.ts";
import { saveBlob } from "../../../save-blob.ts";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Code } from "../../../ui/copy.tsx";
import { Badge } from "../../../ui/parts.tsx";
import type { Received } from "./send.ts";

/** The response to a request: status, headers, and its body as text, picture or file. */
export const ResponseView = ({ received }: { readonly received: Received }) => {
  const { reference } = texts.value;
  const { status, reason, milliseconds, headers, mediaType, text, blob, filename } = received;
  return (
    <section class="reference-received" aria-label={reference.response}>
      <p class="reference-status">
        <Badge tone={status < 400 ? "good" : "bad"}>
          {status} {reason}
        </Badge>
        <span class="muted">{reference.took(milliseconds, bytes(blob.size))}</span>
      </p>
      <details>
        <summary>{reference.headers}</summary>
        <Code text={headers.map(([name, value]) => `${name}: ${value}`).join("\n")} label={reference.headers} />
      </details>
      {text !== undefined && text !== "" && <Code text={text} label={reference.responseBody} />}
      {mediaType.startsWith("image/") && <Picture blob={blob} name={filename} />}
      {blob.size > 0 && (
        <div class="actions">
          <Button onClick={() => saveBlob(blob, filename)}>{reference.save}</Button>
        </div>
      )}
    </section>
  );
};

const Picture = ({ blob, name }: { readonly blob: Blob; readonly name: string }) => {
  const url = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img class="reference-picture" src={url} alt={name} />;
};
