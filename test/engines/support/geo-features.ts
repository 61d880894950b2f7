import type { Feature } from "geojson";

/** The geo features of all samples: a point with an elevation, a line, an area with a hole, and a multipoint. */

export const PLACES: readonly Feature[] = [
  {
    type: "Feature",
    properties: { name: "Zürich 東京", code: "007", big: 9_007_199_254_740_992, share: 0.1, day: "2024-02-29" },
    geometry: { type: "Point", coordinates: [8.541694, 47.376887, 408.5] },
  },
  {
    type: "Feature",
    properties: { name: "line & <b>", code: "010", big: -1, share: 2.5, day: "1999-12-31" },
    geometry: {
      type: "LineString",
      coordinates: [
        [8.5, 47.3],
        [8.6, 47.4],
        [8.7, 47.35],
      ],
    },
  },
  {
    type: "Feature",
    properties: { name: 'مثلث "q", x', code: "00", big: 0, share: 0, day: "2000-01-01" },
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [8, 47],
          [9, 47],
          [9, 48],
          [8, 48],
          [8, 47],
        ],
        [
          [8.2, 47.2],
          [8.2, 47.4],
          [8.4, 47.4],
          [8.4, 47.2],
          [8.2, 47.2],
        ],
      ],
    },
  },
  {
    type: "Feature",
    properties: { name: "two", code: "1e5", big: 12, share: -0.25, day: "2024-03-01" },
    geometry: {
      type: "MultiPoint",
      coordinates: [
        [8.25, 46.75],
        [8.75, 46.5],
      ],
    },
  },
];
