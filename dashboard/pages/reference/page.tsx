import { useEffect, useRef } from "preact/hooks";
import { api } from "../../api.ts";
import { focusHeading } from "../../shell/focus.ts";
import { texts } from "../../text.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { useRemote } from "../../ui/remote.ts";
import type { OpenapiDocument } from "./document.ts";
import { Navigation } from "./navigation.tsx";
import { currentTopic, followAddress } from "./topic-path.ts";
import { TopicView } from "./topic-view.tsx";
import { topicsOf } from "./topics.ts";
import "./reference.css";

/** The API reference: guides and operations, from the project's documentation and the OpenAPI document of the service. */
export const ReferencePage = () => {
  const { reference } = texts.value;
  const remote = useRemote(() => api.get<OpenapiDocument>("openapi.json"));
  const { data: document, error } = remote;
  const topics = topicsOf(document, reference.groups);
  const id = currentTopic.value;
  const topic = id === "" ? topics[0] : topics.find((each) => each.id === id);
  useEffect(followAddress, []);
  useTopicShown(topic?.id, `${topic?.title ?? reference.title} · ${reference.title} · Anyform`);
  return (
    <div class="reference">
      <Navigation topics={topics} current={topic?.id} isComplete={document !== undefined} />
      {topic !== undefined && <TopicView key={topic.id} topic={topic} topics={topics} document={document} />}
      {(topic === undefined || error !== undefined) && (
        <div class="reference-text">
          {topic === undefined && <h1>{reference.title}</h1>}
          <Loaded of={remote}>{() => topic === undefined && <p>{reference.unknown(id)}</p>}</Loaded>
        </div>
      )}
    </div>
  );
};

/** Sets the window's title, and moves the focus to the heading of each topic after the first one. */
const useTopicShown = (id: string | undefined, title: string): void => {
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    window.document.title = title;
    if (shown.current !== undefined && id !== undefined && shown.current !== id) {
      (window.document.activeElement as HTMLElement | null)?.blur();
      focusHeading();
    }
    shown.current = id ?? shown.current;
  }, [id, title]);
};
