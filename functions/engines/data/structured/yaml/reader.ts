import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from "js-yaml";
import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from "js-yaml";
import { TREE_DEPTH_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { corrupt, placeIn, type Source } from "../codec.ts";
import { keyOf, newMap, type Tree } from "../tree.ts";
import { isMerge, plainScalar, taggedScalar } from "./scalars.ts";

/**
 * @returns the documents of a YAML text. They are built here from parser events, which preserves big integers, the
 * digits of decimals and the order of keys, and counts references each time they are followed.
 */
export const readDocuments = (text: string, source: Source): Tree[] => {
  const walk: Walk = { text, source, events: eventsOf(text), at: 0, anchors: new Map() };
  noteComments(walk);
  const documents: Tree[] = [];
  while (walk.at < walk.events.length) {
    // The start event of the document.
    walk.at += 1;
    walk.anchors.clear();
    documents.push(isPop(walk) ? null : node(walk, 0));
    // The end event of the document.
    walk.at += 1;
  }
  return documents;
};

interface Walk {
  readonly text: string;
  readonly source: Source;
  readonly events: readonly Event[];
  /** Anchored values; undefined while they are being read. */
  readonly anchors: Map<string, Anchor | undefined>;
  at: number;
}

interface Anchor {
  readonly tree: Tree;
  readonly nodes: number;
  readonly characters: number;
}

const eventsOf = (text: string): Event[] => {
  try {
    return parseEvents(text, { maxDepth: TREE_DEPTH_MAX });
  } catch (error) {
    if (error instanceof YAMLException) {
      const place = error.mark === undefined ? "" : `: ${placeIn(text, error.mark.position)}`;
      throw corrupt(`Malformed YAML: ${error.reason}${place}.`, { cause: error });
    }
    throw error;
  }
};

const isPop = ({ events, at }: Walk): boolean => events[at]?.type === EVENT_ID.POP || at >= events.length;

const node = (walk: Walk, depth: number): Tree => {
  const event = walk.events[walk.at];
  walk.at += 1;
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) {
    throw corrupt("The YAML file is truncated.");
  }
  walk.source.budget.depth(depth);
  if (event.type === EVENT_ID.ALIAS) {
    return alias(walk, event);
  }
  walk.source.budget.spend(1, 0);
  const name = walk.text.slice(event.anchorStart, event.anchorEnd);
  if (event.anchorStart === -1) {
    return content(walk, event, depth);
  }
  walk.anchors.set(name, undefined);
  const before = walk.source.budget.spent();
  const tree = content(walk, event, depth);
  const { nodes, characters } = walk.source.budget.spent();
  walk.anchors.set(name, { tree, nodes: nodes - before.nodes + 1, characters: characters - before.characters });
  return tree;
};

const alias = ({ text, anchors, source }: Walk, { anchorStart, anchorEnd }: AliasEvent): Tree => {
  const name = text.slice(anchorStart, anchorEnd);
  const anchor = anchors.get(name);
  if (anchor === undefined) {
    const what = anchors.has(name) ? "refers to itself" : "is not defined";
    throw corrupt(`Invalid YAML alias: *${name} ${what}: ${placeIn(text, anchorStart)}.`);
  }
  source.budget.spend(anchor.nodes, anchor.characters);
  return anchor.tree;
};

const content = (walk: Walk, event: SequenceEvent | MappingEvent | ScalarEvent, depth: number): Tree => {
  const tag = event.tagStart === -1 ? undefined : walk.text.slice(event.tagStart, event.tagEnd);
  if (event.type === EVENT_ID.SCALAR) {
    return scalar(walk, event, tag);
  }
  if (tag !== undefined && !/^(?:!!|!<tag:yaml\.org,2002:)(?:map|seq)>?$/.test(tag)) {
    walk.source.notes.add("tags_dropped");
  }
  return event.type === EVENT_ID.SEQUENCE ? sequence(walk, depth) : mapping(walk, depth);
};

const scalar = ({ text, source }: Walk, event: ScalarEvent, tag: string | undefined): Tree => {
  const value = getScalarValue(text, event);
  source.budget.spend(0, value.length);
  if (tag !== undefined) {
    return taggedScalar(tag, value, source.notes);
  }
  return event.style === SCALAR_STYLE.PLAIN ? plainScalar(value) : value;
};

const sequence = (walk: Walk, depth: number): Tree => {
  const items: Tree[] = [];
  while (!isPop(walk)) {
    items.push(node(walk, depth + 1));
  }
  walk.at += 1;
  return items;
};

const mapping = (walk: Walk, depth: number): Tree => {
  const { map, add } = newMap(walk.source.notes);
  let merged: readonly Tree[] = [];
  while (!isPop(walk)) {
    const event = walk.events[walk.at];
    const merges = event?.type === EVENT_ID.SCALAR && isMerge(walk.text, event);
    const key = node(walk, depth + 1);
    const value = node(walk, depth + 1);
    if (merges) {
      merged = merged.concat(value);
    } else {
      add(keyOf(key, walk.source.notes), value);
    }
  }
  walk.at += 1;
  return merged.length === 0 ? map : withMerged(map, merged);
};

/** @returns the map with the entries of merged maps that it does not have itself (yaml.org/type/merge.html) */
const withMerged = (map: ReadonlyMap<string, Tree>, others: readonly Tree[]): Tree => {
  const all = new Map<string, Tree>();
  for (const other of others) {
    if (!(other instanceof Map)) {
      throw corrupt("Invalid YAML merge (<<): the value is not a mapping.");
    }
    for (const [key, value] of other) {
      if (!all.has(key)) {
        all.set(key, value);
      }
    }
  }
  for (const [key, value] of map) {
    all.set(key, value);
  }
  return all;
};

/** Comments are only in the gaps between values: a `#` in a value is not a comment. */
const noteComments = ({ text, events, source }: Walk): void => {
  let at = 0;
  let count = 0;
  const countTo = (end: number) => {
    count += text.slice(at, end).match(/(?:^|[\s,[\]{}])#/g)?.length ?? 0;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR && event.valueStart >= at) {
      countTo(event.valueStart);
      at = event.valueEnd;
    }
  }
  countTo(text.length);
  if (count > 0) {
    source.notes.add("comments_dropped", count);
  }
};
