import type { ComponentChildren } from "preact";
import { texts } from "../../text.ts";
import { Badge } from "../../ui/parts.tsx";
import type { Content, OpenapiDocument, Operation, Parameter, ResponseObject } from "./document.ts";
import { headerText } from "./document.ts";
import { Method } from "./navigation.tsx";
import { ReferenceMarkdown } from "./reference-markdown.tsx";
import { FieldHead, FieldText, SchemaView, typeOf } from "./schema-view.tsx";
import { RequestPanel } from "./try/request-panel.tsx";

export interface OperationProps {
  readonly operation: Operation;
  readonly document: OpenapiDocument;
}

/** An operation: what it does, its parameters, bodies and responses; then its code. */
export const OperationView = ({
  operation,
  document,
  around,
}: OperationProps & {
  /** Below the text. */
  readonly around: ComponentChildren;
}) => {
  const { reference } = texts.value;
  const { parameters, bodies, responses, kind } = operation;
  return (
    <>
      <article class="reference-text">
        <h1 lang="en">{operation.summary}</h1>
        <p class="reference-path">
          {kind === "request" && <Method of={operation.method} />} <code>{operation.path}</code>
        </p>
        {kind === "request" && <Access operation={operation} />}
        <ReferenceMarkdown text={operation.description} document={document} />
        {parameters.length > 0 && (
          <section>
            <h2>{kind === "request" ? reference.parameters : reference.headers}</h2>
            <ul class="fields">
              {parameters.map((parameter) => (
                <ParameterRow key={`${parameter.in} ${parameter.name}`} parameter={parameter} document={document} />
              ))}
            </ul>
          </section>
        )}
        {bodies.map(([type, content]) => (
          <Body key={type} type={type} content={content} document={document} />
        ))}
        <section>
          <h2>{reference.responses}</h2>
          {responses.map(([status, response]) => (
            <Response key={status} status={status} response={response} document={document} />
          ))}
        </section>
        {around}
      </article>
      <RequestPanel operation={operation} document={document} />
    </>
  );
};

const Access = ({ operation: { access, scope } }: Pick<OperationProps, "operation">) => {
  const { reference } = texts.value;
  return (
    <p class="reference-access">
      <Badge>{reference.access[access]}</Badge>
      {scope !== undefined && (
        <Badge>
          {reference.scope} <code>{scope}</code>
        </Badge>
      )}
    </p>
  );
};

interface ParameterProps {
  readonly parameter: Parameter;
  readonly document: OpenapiDocument;
}

const ParameterRow = ({ parameter, document }: ParameterProps) => (
  <li>
    <FieldHead
      name={parameter.name}
      type={`${typeOf(document, parameter.schema)} (${parameter.in})`}
      required={parameter.required ?? false}
    />
    <FieldText document={document} schema={{ ...parameter.schema, description: parameter.description }} />
  </li>
);

interface BodyProps {
  readonly type: string;
  readonly content: Content;
  readonly document: OpenapiDocument;
}

const Body = ({ type, content: { schema }, document }: BodyProps) => (
  <section>
    <h2>
      {texts.value.reference.body} <code>{type}</code>
    </h2>
    {schema.description && <ReferenceMarkdown text={schema.description} document={document} />}
    <SchemaView document={document} schema={schema} />
  </section>
);

interface ResponseProps {
  readonly status: string;
  readonly response: ResponseObject;
  readonly document: OpenapiDocument;
}

/** A response. Errors are listed by code; what all of them have is described once, in the guide. */
const Response = ({ status, response, document }: ResponseProps) => {
  const { reference } = texts.value;
  const isGood = Number(status) < 400;
  const headers = Object.entries(response.headers ?? {});
  const contents = Object.entries(response.content ?? {});
  return (
    <div class="reference-response">
      <Badge tone={isGood ? "good" : "bad"}>{status}</Badge>
      <div>
        <ReferenceMarkdown text={response.description} document={document} />
        {isGood &&
          contents.map(([type, { schema }]) => (
            <details key={type}>
              <summary>{reference.bodyOf(type)}</summary>
              <p class="muted" lang="en">
                {typeOf(document, schema)}
              </p>
              <SchemaView document={document} schema={schema} />
            </details>
          ))}
        {isGood && headers.length > 0 && (
          <details>
            <summary>{reference.headers}</summary>
            <ul class="fields">
              {headers.map(([name, header]) => (
                <li key={name}>
                  <code class="field-name">{name}</code>
                  <ReferenceMarkdown text={headerText(document, header)} document={document} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  );
};
