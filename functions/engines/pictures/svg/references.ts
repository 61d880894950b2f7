/** The relevant parts of a tag. */
export interface Tag {
  readonly name: string;
  readonly attributes: string;
  /** An empty element both opens and closes. */
  readonly opens: boolean;
  readonly closes: boolean;
}

/** Number of drawn elements and filter steps, counting repetitions. */
interface Drawn {
  readonly elements: number;
  readonly filterSteps: number;
}

/** An element with an id, and its content except for elements with a separate id. */
interface Thing {
  elements: number;
  filterSteps: number;
  /** The ids of its content and of its references, counting repetitions. */
  readonly parts: string[];
  total?: Drawn;
}

/** Counts everything as often as it is referenced: symbols in symbols can grow exponentially. */
interface ReferenceCount {
  add(tag: Tag): void;
  /**
   * @returns what is drawn by reference, in addition to the elements in the file; a filter counts each time it is
   * applied
   */
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

/** Paint servers, filter primitives, and descriptions. */
const WEIGHTLESS = /^(?:linearGradient|radialGradient|stop|fe[A-Z]\w*|title|desc|metadata)$/;

const FILTER_STEP = /^fe(?!MergeNode|Func|\w*Light$)[A-Z]/;

/** References to what is drawn instead of the element, or on it. */
const REFERENCE = /(?:\bhref\s*=\s*["']\s*#|url\(\s*["']?\s*#)([^"')\s]+)/g;

const ID = /(?:^|\s)id\s*=\s*["']([^"']+)/;

/** @returns the group an element belongs to: a separate one if it has an id */
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

/** Beyond this depth, references are circular, or built to exhaust any reader. */
const LEVELS_MAX = 1_000;

const ENDLESS: Drawn = { elements: Number.POSITIVE_INFINITY, filterSteps: 0 };

/** Self-references are drawn once: readers stop there. */
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
