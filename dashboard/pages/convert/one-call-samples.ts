/** A program that converts a file with one request. */
interface Sample {
  readonly id: string;
  readonly label: string;
  readonly code: string;
}

/** @param address the URL of this service, without a trailing slash */
export const oneCallSamples = (address: string): readonly Sample[] => [
  {
    id: "curl",
    label: "curl",
    code: `curl -sSfL ${address}/api/v1/convert -H "Authorization: Bearer $KEY" \\
  -F file=@report.docx -F target_format=pdf -o report.pdf`,
  },
  {
    id: "typescript",
    label: "TypeScript",
    code: `import { createClient } from "@anyform/client";

const anyform = createClient({ apiKey: process.env.KEY, baseUrl: "${address}" });
const file = await anyform.convert("report.docx", "pdf");
await file.save("report.pdf");`,
  },
  {
    id: "python",
    label: "Python",
    code: `import os
from anyform import Anyform

client = Anyform(api_key=os.environ["KEY"], base_url="${address}")
client.convert("report.docx", "pdf").save("report.pdf")`,
  },
];
