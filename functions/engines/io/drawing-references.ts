/** A tag of a drawing, as far as it is looked at. */
export interface Tag {
  readonly name: string;
  readonly attributes: string;
  /** An element that is empty both opens and closes. */
  readonly opens: boolean;
  readonly closes: boolean;
}

/** What is drawn, as often as it is: elements, and steps of filters. */
interface Drawn {
  readonly elements: number;
  readonly filterSteps: number;
}

/** An element with an id, and all within it but what has an id of its own. */
interface Thing {
  elements: number;
  filterSteps: number;
  /** The ids of what stands in it, and of what it refers to, as often as it does. */
  readonly parts: string[];
  total?: Drawn;
}

/** What a drawing comes to when everything is counted as often as something refers to it: symbols of symbols can be endless. */
interface ReferenceCount {
  add(tag: Tag): void;
  /** @returns what is drawn by reference, beside what stands in the file; a filter counts each time it is applied */
  total(): Drawn;
}

export const referenceCount = (): ReferenceCount => {
  const root: Thing = { elements: 0, filterSteps: 0, parts: [] };
  const things = new Map<string, Thing>();
  const open: Thing[] = [];
  let elements = 0;
  return {
    add: ({ name, attributes, opens, closes }) => {
      const around = open.at(-1) ?? root;
      const thing = opens ? entered(things, around, attributes) : around;
      if (opens) {
        const drawn = WEIGHTLESS.test(name) ? 0 : 1;
        elements += drawn;
        thing.elements += drawn;
        thing.filterSteps += FILTER_STEP.test(name) ? 1 : 0;
        for (const [, id = ""] of attributes.matchAll(REFERENCE)) {
          thing.parts.push(id);
        }
      }
      if (opens && !closes) {
        open.push(thing);
      } else if (closes && !opens) {
        open.pop();
      }
    },
    total: () => {
      const { elements: all, filterSteps } = totalOf(root, things, 0);
      return { elements: all - elements, filterSteps };
    },
  };
};

/** Colours, and what tells of the drawing. */
const WEIGHTLESS = /^(?:linearGradient|radialGradient|stop|fe[A-Z]\w*|title|desc|metadata)$/;

const FILTER_STEP = /^fe(?!MergeNode|Func|\w*Light$)[A-Z]/;

/** What is drawn in place of the element, or on it. */
const REFERENCE = /(?:\bhref\s*=\s*["']\s*#|url\(\s*["']?\s*#)([^"')\s]+)/g;

const ID = /(?:^|\s)id\s*=\s*["']([^"']+)/;

/** @returns the thing that an element is of: one of its own, where it has an id */
const entered = (things: Map<string, Thing>, around: Thing, attributes: string): Thing => {
  const id = ID.exec(attributes)?.[1];
  if (id === undefined) {
    return around;
  }
  around.parts.push(id);
  const thing = things.get(id) ?? { elements: 0, filterSteps: 0, parts: [] };
  things.set(id, thing);
  return thing;
};

/** Deeper, references go in a circle, or are made to end whoever follows them. */
const LEVELS_MAX = 1_000;

const ENDLESS: Drawn = { elements: Number.POSITIVE_INFINITY, filterSteps: 0 };

/** What refers to itself is drawn once: readers break off there. */
const NOTHING: Drawn = { elements: 0, filterSteps: 0 };

const totalOf = (thing: Thing, things: ReadonlyMap<string, Thing>, level: number): Drawn => {
  if (level > LEVELS_MAX) {
    return ENDLESS;
  }
  if (thing.total === undefined) {
    thing.total = NOTHING;
    let { elements, filterSteps } = thing;
    for (const id of thing.parts) {
      const part = things.get(id);
      const more = part === undefined ? NOTHING : totalOf(part, things, level + 1);
      elements += more.elements;
      filterSteps += more.filterSteps;
    }
    thing.total = { elements, filterSteps };
  }
  return thing.total;
};
