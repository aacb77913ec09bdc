import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { CellEditor, EditMove } from './grid-editing.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'

/** A cell that is being edited: by row and column, so that it stays what it is when the list changes around it. */
export type EditedCell<Row> = {
  /** A new number for every edit, so that its elements are never another's. */
  readonly number: number
  readonly at: GridPosition
  readonly rowId: string
  readonly row: Row
  readonly column: GridColumn<Row>
  readonly slot: CellEditor
}

/** No cell is edited; one is and its editor is on its way, or has to end as soon as it is there; its editor is there. */
export type EditPhase = 'none' | 'coming' | 'ending' | 'here'

/** Editing in a grid: one cell at a time. */
export type CellEditing<Row> = {
  readonly edited: EditedCell<Row> | undefined
  /** Begins to edit; a cell that is being edited already goes on being so. */
  readonly start: (at: GridPosition, row: Row, column: GridColumn<Row>, seed: string | undefined) => void
  readonly phase: () => EditPhase
  /** What is edited at the moment, drawn or not. */
  readonly now: () => EditedCell<Row> | undefined
  /** Changes what was typed to begin with, for an editor that is on its way. What stands in a cell is left alone. */
  readonly type: (change: (typed: string) => string) => void
  /**
   * Keeps what was typed and closes the editor, as soon as it is there; without a move somebody else has the focus
   * already. False when it cannot be kept: then the editor stays.
   */
  readonly settle: (move: EditMove | undefined) => boolean
  readonly cancel: () => void
}

/** Which cell is edited. `onClose` sends the focus on. */
export function useCellEditor<Row>(
  idOf: (row: Row) => string,
  onClose: (at: GridPosition, move: EditMove) => void,
): CellEditing<Row> {
  const [edited, setEdited] = useState<EditedCell<Row> | undefined>()
  // Beside the state, because two events may come before it is drawn.
  const open = useRef<EditedCell<Row> | undefined>(undefined)
  const lastNumber = useRef(0)
  const latest = useRef({ idOf, onClose })
  useLayoutEffect(() => {
    latest.current = { idOf, onClose }
  })

  const show = useCallback((next: EditedCell<Row> | undefined) => {
    open.current = next
    setEdited(next)
  }, [])
  const close = useCallback(
    (number: number | undefined, move: EditMove | undefined) => {
      const was = open.current
      if (!was || was.number !== number) return
      show(undefined)
      if (move) latest.current.onClose(was.at, move)
    },
    [show],
  )

  const { phase, settle, come } = useSettling(open, close)

  return useMemo(
    () => ({
      edited,
      start: (at, row, column, seed) => {
        const rowId = latest.current.idOf(row)
        const before = open.current
        if (before?.rowId === rowId && before.column.id === column.id) return
        const number = ++lastNumber.current
        const slot: CellEditor = {
          seed,
          // Drawn with what was typed by then; what it has to keep, it can keep behind that.
          commitRef: notifyingRef(() => queueMicrotask(() => come(number))),
          onDone: (move = 'stay') => close(number, move),
          onCancel: () => close(number, 'stay'),
        }
        show({ number, at, rowId, row, column, slot })
      },
      type: (change) => {
        const now = open.current
        if (now?.slot.seed === undefined || hasCome(now)) return
        show({ ...now, slot: { ...now.slot, seed: change(now.slot.seed) } })
      },
      phase,
      now: () => open.current,
      settle,
      cancel: () => close(open.current?.number, 'stay'),
    }),
    [edited, show, close, phase, settle, come],
  )
}

type Open = { readonly current: Pick<EditedCell<never>, 'number' | 'slot'> | undefined }
type Close = (number: number | undefined, move: EditMove | undefined) => void

/** How an editor ends with what was typed: at once, or as soon as it is there. */
function useSettling(open: Open, close: Close) {
  const awaited = useRef<{ readonly number: number; readonly move: EditMove | undefined } | undefined>(undefined)
  return useMemo(() => {
    const phase = (): EditPhase => {
      const now = open.current
      if (!now) return 'none'
      if (awaited.current?.number === now.number) return 'ending'
      return hasCome(now) ? 'here' : 'coming'
    }
    const settle = (move: EditMove | undefined): boolean => {
      const now = open.current
      if (now && !hasCome(now)) awaited.current = { number: now.number, move }
      else if (now?.slot.commitRef.current?.() === false) return false
      else close(now?.number, move)
      return true
    }
    const come = (number: number): void => {
      const end = awaited.current
      if (end?.number !== number) return
      awaited.current = undefined
      if (open.current?.number === number) settle(end.move)
    }
    return { phase, settle, come }
  }, [open, close])
}

const hasCome = ({ slot }: { readonly slot: CellEditor }): boolean => slot.commitRef.current !== null

type Commit = CellEditor['commitRef']['current']

/** A ref that tells when something is put into it for the first time. */
function notifyingRef(onFilled: () => void): CellEditor['commitRef'] {
  let held: Commit = null
  return {
    get current() {
      return held
    },
    set current(next: Commit) {
      const isFirst = held === null && next !== null
      held = next
      if (isFirst) onFilled()
    },
  }
}
