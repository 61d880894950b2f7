import { randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signInMail } from "../../../functions/domain/sessions/sign-in-mail.ts";
import { outbox } from "../../../local/accounts/outbox.ts";
import { smtpMail } from "../../../local/accounts/smtp-mail.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { NOW } from "../../support/world/records.ts";

const message = signInMail("ada@example.com", "012345", "de");

describe("the outbox", () => {
  let folder: TemporaryFolder;
  let shown: string[];
  let now: number;
  beforeEach(() => {
    folder = temporaryFolder();
    [shown, now] = [[], NOW];
  });
  afterEach(() => folder.remove());

  const boxed = () =>
    outbox({
      folder: join(folder.path, "outbox"),
      show: (line) => shown.push(line),
      clock: () => now,
      random: randomBytes,
    });
  const names = async () => (await readdir(join(folder.path, "outbox"))).sort();

  test("stores a message that mail programs can open, readable only by the operator, and logs the code", async () => {
    await boxed().send(message);
    const [name = ""] = await names();
    const path = join(folder.path, "outbox", name);
    expect(name).toMatch(/^2026-11-20T12-00-00-000Z-\w{8}\.eml$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.path, "outbox"))).mode & 0o777).toBe(0o700);
    const { to, subject, text } = await PostalMime.parse(await readFile(path));
    expect(to).toMatchObject([{ address: "ada@example.com" }]);
    expect([subject, text?.replaceAll("\r\n", "\n")]).toEqual([message.subject, message.text]);
    expect(shown).toEqual(["Sign-in code for ada@example.com: 012345"]);
  });

  test("keeps the newest hundred messages", async () => {
    const box = boxed();
    for (let count = 0; count < 103; count += 1) {
      now += 1_000;
      await box.send(message);
    }
    const kept = await names();
    expect(kept).toHaveLength(100);
    expect(kept[0]).toMatch(/^2026-11-20T12-00-04/);
  });
});

describe("email by SMTP", () => {
  let server: Server;
  let heard: string;
  /** The server's response to the recipient address. */
  let taken: string;
  beforeEach(async () => {
    [heard, taken] = ["", "250 OK"];
    server = createServer((socket) => {
      let isMessage = false;
      socket.write("220 test\r\n");
      socket.on("data", (chunk) => {
        heard += chunk.toString();
        if (isMessage) {
          isMessage = !heard.endsWith("\r\n.\r\n");
          socket.write(isMessage ? "" : "250 OK\r\n");
          return;
        }
        isMessage = /^DATA/m.test(chunk.toString());
        const answer = /^RCPT/m.test(chunk.toString()) ? taken : isMessage ? "354 go on" : "250 OK";
        socket.write(`${answer}\r\n`);
      });
      socket.on("error", () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => server.close());

  const sender = () => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : "";
    return smtpMail({ url: `smtp://127.0.0.1:${port}`, from: "Anyform <codes@example.com>" });
  };

  test("is sent to the configured server from the configured sender", async () => {
    await sender().send(message);
    expect(heard).toContain("MAIL FROM:<codes@example.com>");
    expect(heard).toContain("RCPT TO:<ada@example.com>");
    expect(heard).toContain("012345");
  });

  test("that the server rejects can be retried, and its response is not repeated", async () => {
    taken = "550 ada@example.com is unknown";
    const refused = await sender()
      .send(message)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "temporarily_unavailable" });
    expect(String(refused)).not.toContain("ada@example.com");
  });
});
