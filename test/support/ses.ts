import { createServer } from "node:http";
import { addressOf } from "./address.ts";

/** Amazon SES, as far as mail is sent: its `SendEmail` (API version 2) takes messages, and a test reads them. */
export interface MailServer {
  /** What the functions and the SDK read from the environment to send there. */
  readonly environment: Readonly<Record<string, string>>;
  readonly messages: readonly SentMail[];
  /** Answers from now on as SES does to what it refuses; undefined: takes everything again. */
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
        // SES names the address in what it says.
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
