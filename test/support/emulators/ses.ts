import { createServer } from "node:http";
import { addressOf } from "../address.ts";

/** The part of Amazon SES that sends mail: its `SendEmail` (API version 2) accepts messages, and a test reads them. */
export interface MailServer {
  /** The environment variables that the functions and the SDK need to send there. */
  readonly environment: Readonly<Record<string, string>>;
  readonly messages: readonly SentMail[];
  /** From now on responds with this SES error; undefined: accepts everything again. */
  refuse(name: string | undefined): void;
  close(): void;
}

export interface SentMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The body of a `SendEmail` with a simple message. */
interface SendEmail {
  readonly FromEmailAddress: string;
  readonly Destination: { readonly ToAddresses: readonly string[] };
  readonly Content: {
    readonly Simple: {
      readonly Subject: { readonly Data: string };
      readonly Body: { readonly Text: { readonly Data: string } };
    };
  };
}

export const startMailServer = async (): Promise<MailServer> => {
  const messages: SentMail[] = [];
  let refusal: string | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST" || request.url !== "/v2/email/outbound-emails") {
        response.writeHead(404).end();
        return;
      }
      const { FromEmailAddress, Destination, Content } = JSON.parse(Buffer.concat(chunks).toString()) as SendEmail;
      const [to = ""] = Destination.ToAddresses;
      if (refusal !== undefined) {
        // SES includes the address in its error message.
        response.writeHead(400, { "x-amzn-errortype": refusal, "content-type": "application/json" });
        response.end(JSON.stringify({ message: `Email address is not verified: ${to}` }));
        return;
      }
      const { Subject, Body } = Content.Simple;
      messages.push({ from: FromEmailAddress, to, subject: Subject.Data, text: Body.Text.Data });
      response.writeHead(200, { "content-type": "application/json" }).end('{"MessageId":"1"}');
    });
  });
  const url = await addressOf(server);
  return {
    environment: { AWS_ENDPOINT_URL_SESV2: url, ANYFORM_MAIL_FROM: "anyform@example.com" },
    messages,
    refuse: (name) => {
      refusal = name;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
