import { useRef } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Icon } from "../../../ui/icon.tsx";
import { announce } from "../../../ui/live.tsx";
import type { Row } from "../rows.ts";
import { moved } from "./moved.ts";
import "./merge.css";

interface MergeOrderProps {
  readonly rows: readonly Row[];
  readonly onOrder: (rows: readonly Row[]) => void;
}

/** The files of a merge in their order: dragged by their handles, or moved with buttons and arrow keys. */
export const MergeOrder = ({ rows, onOrder }: MergeOrderProps) => {
  const { convert } = texts.value;
  const list = useRef<HTMLOListElement>(null);
  const dragged = useRef<Row | undefined>(undefined);
  const move = (from: number, to: number): void => {
    const row = rows[from];
    if (row === undefined || to < 0 || to >= rows.length || to === from) {
      return;
    }
    onOrder(moved(rows, from, to));
    announce(convert.mergeMoved(row.name, to + 1, rows.length));
  };
  // The list captures the pointer: an item that is moved in the document would lose it.
  const grab = (row: Row, pointerId: number): void => {
    dragged.current = row;
    list.current?.setPointerCapture(pointerId);
  };
  const drag = ({ clientX, clientY }: PointerEvent): void => {
    const over = document.elementFromPoint(clientX, clientY)?.closest("li");
    if (dragged.current !== undefined && over) {
      move(rows.indexOf(dragged.current), [...(list.current?.children ?? [])].indexOf(over));
    }
  };
  const drop = (): void => {
    dragged.current = undefined;
  };
  return (
    <fieldset class="merge-order">
      <legend>{convert.mergeOrder}</legend>
      <ol ref={list} onPointerMove={drag} onPointerUp={drop} onPointerCancel={drop}>
        {rows.map((row, index) => (
          <MergeItem
            key={row.id}
            {...{ row, index }}
            count={rows.length}
            onMove={(by) => move(index, index + by)}
            onGrab={(pointerId) => grab(row, pointerId)}
          />
        ))}
      </ol>
    </fieldset>
  );
};

interface MergeItemProps {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly onMove: (by: number) => void;
  readonly onGrab: (pointerId: number) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

const MergeItem = ({ row, index, count, onMove, onGrab }: MergeItemProps) => {
  const { convert } = texts.value;
  return (
    <li>
      <button
        type="button"
        class="merge-handle"
        aria-label={convert.mergeDrag(row.name)}
        title={convert.mergeDragHint}
        onPointerDown={({ pointerId }) => onGrab(pointerId)}
        onKeyDown={(event) => {
          const by = STEPS[event.key];
          if (by !== undefined) {
            event.preventDefault();
            movedWithFocus(event.currentTarget, () => onMove(by));
          }
        }}
      >
        <Icon name="grip" />
      </button>
      <span class="merge-name">{row.name}</span>
      <MoveButton label={convert.mergeUp(row.name)} icon="up" isOff={index === 0} onClick={() => onMove(-1)} />
      <MoveButton
        label={convert.mergeDown(row.name)}
        icon="down"
        isOff={index === count - 1}
        onClick={() => onMove(1)}
      />
    </li>
  );
};

/** An element that is moved in the document loses the focus, so it gets it back. */
const movedWithFocus = (element: HTMLElement, move: () => void): void => {
  move();
  requestAnimationFrame(() => element.focus());
};

interface MoveButtonProps {
  readonly label: string;
  readonly icon: "down" | "up";
  readonly isOff: boolean;
  readonly onClick: () => void;
}

/** Stays focusable at the end of the list: a disabled button would lose the focus. */
const MoveButton = ({ label, icon, isOff, onClick }: MoveButtonProps) => (
  <button
    type="button"
    class="button quiet merge-move"
    aria-label={label}
    aria-disabled={isOff}
    onClick={({ currentTarget }) => movedWithFocus(currentTarget, onClick)}
  >
    <Icon name={icon} />
  </button>
);
