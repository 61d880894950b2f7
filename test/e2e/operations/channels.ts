import { openAsBlob } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect } from "vitest";
import { anyform, sources } from "../../client/support/command.ts";
import type { Bench } from "../../client/support/service.ts";
import { type Channel, inputsOf, type Row, textOf } from "./table.ts";

/** The ways to an operation. Each reads the sources of the folder, and writes the result to a path in it. */

const optionsOf = ({ options = {} }: Row): readonly (readonly [string, unknown])[] => Object.entries(options);

const filesOf = ({ files = {} }: Row): readonly (readonly [string, string])[] => Object.entries(files);

/** A form with the file and its options, or uploads that are merged. */
export const apiChannel =
  ({ service, apiKey, folder }: Bench): Channel =>
  async (row, output) => {
    const authorization = `Bearer ${apiKey}`;
    const send = async (path: string, fields: readonly (readonly [string, string | File])[]) => {
      const body = new FormData();
      for (const [name, value] of fields) {
        body.append(name, value);
      }
      const response = await fetch(`${service.url}/api/v1/${path}`, {
        method: "POST",
        headers: { authorization },
        body,
      });
      expect([200, 201], await response.clone().text()).toContain(response.status);
      return response;
    };
    const file = async (name: string) => new File([await openAsBlob(join(folder, name))], name);
    const inputs = inputsOf(row);
    const [first = ""] = inputs;
    const attached = await Promise.all(filesOf(row).map(async ([name, path]) => [name, await file(path)] as const));
    const options = optionsOf(row).map(([name, value]) => [name, textOf(value)] as const);
    if (inputs.length === 1) {
      const fields = [["file", await file(first)], ...attached, ...options, ["target_format", row.to]] as const;
      await writeFile(output, Buffer.from(await (await send("convert", fields)).arrayBuffer()));
      return;
    }
    const ids: string[] = [];
    for (const input of inputs) {
      const { upload_id } = (await (await send("upload", [["file", await file(input)]])).json()) as {
        upload_id: string;
      };
      ids.push(upload_id);
    }
    const response = await fetch(`${service.url}/api/v1/convert`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", prefer: "wait=25" },
      body: JSON.stringify({ upload_ids: ids, target_format: row.to, options: row.options }),
    });
    const job = (await response.json()) as { status: string; result?: { download_token: string } };
    expect(job, JSON.stringify(job)).toMatchObject({ status: "completed" });
    const token = job.result?.download_token;
    const result = await fetch(`${service.url}/api/v1/download/${token}`, { headers: { authorization } });
    expect(result.status).toBe(200);
    await writeFile(output, Buffer.from(await result.arrayBuffer()));
  };

/** Options that are files are uploaded first. */
export const clientChannel =
  ({ client, folder }: Bench): Channel =>
  async (row, output) => {
    const uploads = await Promise.all(
      filesOf(row).map(async ([name, path]) => [name, (await client.upload(join(folder, path))).upload_id] as const),
    );
    const otherOptions = { ...row.options, ...Object.fromEntries(uploads) };
    const paths = inputsOf(row).map((name) => join(folder, name));
    const [first = ""] = paths;
    const result =
      paths.length === 1
        ? await client.convert(first, row.to, { otherOptions })
        : await client.merge(paths, row.to, { otherOptions });
    await result.save(output);
  };

export const commandChannel =
  ({ service, apiKey, folder }: Bench): Channel =>
  async (row, output) => {
    const env = { ANYFORM_URL: service.url, ANYFORM_API_KEY: apiKey };
    const options = [...optionsOf(row), ...filesOf(row)].flatMap(([name, value]) => ["-O", `${name}=${textOf(value)}`]);
    const inputs = inputsOf(row);
    const merge = inputs.length > 1 ? ["--merge"] : [];
    const args = ["convert", ...inputs, "--to", row.to, "--out", output, ...merge, ...options];
    const { code, stderr } = await anyform({ cwd: folder, env }, args);
    expect(code, stderr).toBe(0);
  };

/** @returns the channel of an MCP server, and its end */
export const openMcp = async ({ service, apiKey, folder }: Bench) => {
  const client = new Client({ name: "test", version: "1" });
  const [command, ...args] = sources;
  const env = { ANYFORM_URL: service.url, ANYFORM_API_KEY: apiKey };
  await client.connect(new StdioClientTransport({ command, args: [...args, "mcp", "--root", folder], env }));
  const channel: Channel = async (row, output) => {
    const inputs = inputsOf(row);
    const [first = ""] = inputs;
    const options = { ...row.options, ...row.files };
    const source = inputs.length === 1 ? { input: first } : { inputs };
    const result = await client.callTool({
      name: inputs.length === 1 ? "convert" : "merge",
      arguments: { ...source, target: row.to, output: basename(output), options },
    });
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    expect((await readFile(output)).length).toBeGreaterThan(0);
  };
  return { channel, close: () => client.close() };
};
