import { describe, expect, it } from "vitest";
import { graphOf } from "../../../functions/domain/pipelines/graph.ts";

describe("the graph of a pipeline", () => {
  it("orders steps after those that they read, whatever the order of the list", () => {
    const graph = graphOf(
      [
        { name: "c", from: ["b", "x"] },
        { name: "b", from: "a" },
        { name: "a", from: "x" },
      ],
      ["x"],
    );
    expect(graph).toEqual({
      steps: [
        { name: "a", index: 2, from: ["x"] },
        { name: "b", index: 1, from: ["a"] },
        { name: "c", index: 0, from: ["b", "x"] },
      ],
    });
  });

  it("reads the step before it, and the only input first, if a step does not say what it reads", () => {
    expect(graphOf([{ name: "a" }, { name: "b" }], ["x"])).toMatchObject({ steps: [{ from: ["x"] }, { from: ["a"] }] });
    expect(graphOf([{ name: "a" }], ["x", "y"])).toMatchObject({ errors: [{ pointer: "/steps/0/from" }] });
  });

  it("rejects cycles, also of one step, and names their steps", () => {
    expect(graphOf([{ name: "a", from: "a" }], ["x"])).toMatchObject({ errors: [{ code: "cycle" }] });
    const steps = [
      { name: "a", from: "x" },
      { name: "b", from: "d" },
      { name: "c", from: "b" },
      { name: "d", from: "c" },
    ];
    expect(graphOf(steps, ["x"])).toMatchObject({
      errors: [{ pointer: "/steps/1/from", detail: expect.stringContaining("b, c, d") }, {}, {}],
    });
  });

  it("rejects names that are used twice, and sources that do not exist, with the nearest name", () => {
    const graph = graphOf(
      [
        { name: "x", from: "x" },
        { name: "photo", from: "foto" },
      ],
      ["x"],
    );
    const errors = "errors" in graph ? graph.errors : [];
    expect(errors.map(({ code }) => code)).toEqual(["duplicate", "unknown"]);
    expect(errors[1]?.detail).toContain("photo");
  });
});
