import { Link } from "wouter-preact";
import { api } from "../../api.ts";
import { bytes, duration, exactTime } from "../../format.ts";
import { texts } from "../../text.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Badge, Facts } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { type LoggedRequest, type RequestDetails, readableBody, toneOf } from "./request-list.ts";

export interface RequestDetailProps {
  readonly request: LoggedRequest;
  /** The name of its API key. */
  readonly keyName: string;
  readonly onClose: () => void;
}

/** All details of a request, with the body of its response. */
export const RequestDetail = ({ request, keyName, onClose }: RequestDetailProps) => {
  const { requests } = texts.value;
  const read = useRemote(() => api.get<RequestDetails>(`requests/${request.id}`), [request.id]);
  return (
    <Dialog title={`${request.method} ${request.path}`} onClose={onClose}>
      <RequestFacts request={request} keyName={keyName} />
      <h3>{requests.body}</h3>
      <Loaded of={read}>{(data) => <Body of={data} />}</Loaded>
    </Dialog>
  );
};

const size = (value: number | null): string => (value === null ? "–" : bytes(value));

const RequestFacts = ({ request, keyName }: Omit<RequestDetailProps, "onClose">) => {
  const { requests } = texts.value;
  const { detail } = requests;
  return (
    <Facts
      facts={[
        [
          requests.status,
          <span key="status" class="requests-status">
            <Badge tone={toneOf(request.status)}>{request.status}</Badge>
            {request.error_code !== null && <code>{request.error_code}</code>}
          </span>,
        ],
        [requests.time, exactTime(request.created_at)],
        [requests.key, keyName],
        [requests.operation, <code key="operation">{request.operation}</code>],
        [requests.duration, duration(request.duration_ms)],
        [detail.sizes, detail.sizesText(size(request.bytes_in), size(request.bytes_out))],
        [detail.requestId, <Copied key="id" text={request.request_id} />],
        ...(request.job_id === null
          ? []
          : [[detail.job, <JobLink key="job" id={request.job_id} />] as [string, preact.JSX.Element]]),
      ]}
    />
  );
};

const JobLink = ({ id }: { readonly id: string }) => (
  <Link href={`/jobs?search=${id}`}>
    <code>{id}</code>
  </Link>
);

const Copied = ({ text }: { readonly text: string }) => (
  <span class="requests-copied">
    <code>{text}</code>
    <CopyButton text={text} />
  </span>
);

const Body = ({ of: { body, body_truncated } }: { readonly of: RequestDetails }) => {
  const { detail } = texts.value.requests;
  if (body === null) {
    return <p class="muted">{detail.noBody}</p>;
  }
  return (
    <>
      {/* The service's words. */}
      <pre class="requests-body" lang="en">
        <code>{readableBody(body)}</code>
      </pre>
      <p class="hint">{body_truncated ? detail.truncated : detail.redacted}</p>
    </>
  );
};
