import { describe, expect, test } from "vitest";
import { listPath as jobsPath } from "../../dashboard/pages/jobs/job-list.ts";
import { listPath, readableBody } from "../../dashboard/pages/requests/request-list.ts";
import { requestsOfJob } from "../../dashboard/pages/requests/requests-of-job.ts";

const path = (query: string): string => listPath(new URLSearchParams(query), undefined);

describe("the search of the request log", () => {
  test.each([
    ["job_00GxPqjL0a1b2c3d4e5f6g", "job_id=job_00GxPqjL0a1b2c3d4e5f6g"],
    ["quota_exceeded", "error_code=quota_exceeded"],
    ["createJob", "operation=createJob"],
    ["4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11", "request_id=4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11"],
    ["ZkY2lhDJoAMEbEg=", "request_id=ZkY2lhDJoAMEbEg%3D"],
  ])("sends %s as %s", (search, parameter) => {
    expect(path(new URLSearchParams({ search }).toString())).toBe(`requests?limit=20&${parameter}`);
  });

  test("includes the last day of a period, and ignores values that are no filters", () => {
    expect(path("from=2026-11-01&to=2026-11-30&status=4xx&key=key_1")).toBe(
      "requests?limit=20&status_class=4xx&key_id=key_1&created_after=2026-11-01&created_before=2026-12-01",
    );
    expect(path("from=yesterday&to=2026-13-01&status=9xx")).toBe("requests?limit=20");
  });

  test("is linked from a job", () => {
    expect(requestsOfJob("job_1")).toBe("/requests?search=job_1");
  });
});

test("the search of jobs takes a part of a name, or an ID", () => {
  const of = (query: string): string => jobsPath(new URLSearchParams(query), undefined);
  expect(of("search=holiday&source=heic&target=jpg&status=failed")).toBe(
    "convert?limit=20&status=failed&filename=holiday&source_format=heic&target_format=jpg",
  );
  expect(of("search=job_1")).toBe("convert?limit=20&job_id=job_1");
});

test("a body is shown with line breaks, a truncated one as it is", () => {
  expect(readableBody('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readableBody('{"a":')).toBe('{"a":');
});
