import { useCallback, useMemo, useRef, useState } from 'react'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import type { GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { CellEditor, EditMove } from './grid-editing.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'

/** The cell being edited, identified by row and column, so that it survives list changes. */
export type EditedCell<Row> = {
  /** Unique for each edit, so that no element is reused. */
  readonly number: number
  readonly at: GridPosition
  readonly rowId: string
  readonly row: Row
  readonly column: GridColumn<Row>
  readonly slot: CellEditor
}

/**
 * `none`: no cell is being edited; `opening`: the editor is loading; `closing`: the editor will close once loaded;
 * `open`: the editor is open.
 */
export type EditPhase = 'none' | 'opening' | 'closing' | 'open'

export type CellEditing<Row> = {
  readonly edited: EditedCell<Row> | undefined
  /** Starts editing, unless this cell is already being edited. */
  readonly start: (at: GridPosition, row: Row, column: GridColumn<Row>, seed: string | undefined) => void
  readonly phase: () => EditPhase
  readonly current: () => EditedCell<Row> | undefined
  /** Changes the initial text of an editor that is still loading; has no effect once it is open. */
  readonly type: (change: (typed: string) => string) => void
  /**
   * Saves and closes the editor once it is loaded. `move` is undefined if another element already has focus. Returns
   * false if the value is invalid; the editor then stays open.
   */
  readonly commit: (move: EditMove | undefined) => boolean
  readonly cancel: () => void
}

export function useCellEditor<Row>(
  idOf: (row: Row) => string,
  onClose: (at: GridPosition, move: EditMove) => void,
): CellEditing<Row> {
  const [edited, setEdited] = useState<EditedCell<Row> | undefined>()
  // A ref in addition to the state, because two events can occur between renders.
  const open = useRef<EditedCell<Row> | undefined>(undefined)
  const lastNumber = useRef(0)
  const latest = useLatest({ idOf, onClose })

  const show = useCallback((next: EditedCell<Row> | undefined) => {
    open.current = next
    setEdited(next)
  }, [])
  const close = useCallback(
    (number: number | undefined, move: EditMove | undefined) => {
      const closing = open.current
      if (!closing || closing.number !== number) return
      show(undefined)
      if (move) latest.current.onClose(closing.at, move)
    },
    [show, latest],
  )

  const { phase, commit, onReady } = useCommit(open, close)

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
          // The editor now contains the text typed so far, so it can be saved.
          commitRef: notifyingRef(() => queueMicrotask(() => onReady(number))),
          onDone: (move = 'stay') => close(number, move),
          onCancel: () => close(number, 'stay'),
        }
        show({ number, at, rowId, row, column, slot })
      },
      type: (change) => {
        const now = open.current
        if (now?.slot.seed === undefined || isReady(now)) return
        show({ ...now, slot: { ...now.slot, seed: change(now.slot.seed) } })
      },
      phase,
      current: () => open.current,
      commit,
      cancel: () => close(open.current?.number, 'stay'),
    }),
    [edited, show, close, phase, commit, onReady, latest],
  )
}

type Open = { readonly current: Pick<EditedCell<never>, 'number' | 'slot'> | undefined }
type Close = (number: number | undefined, move: EditMove | undefined) => void

function useCommit(open: Open, close: Close) {
  const pendingMove = useRef<{ readonly number: number; readonly move: EditMove | undefined } | undefined>(undefined)
  return useMemo(() => {
    const phase = (): EditPhase => {
      const now = open.current
      if (!now) return 'none'
      if (pendingMove.current?.number === now.number) return 'closing'
      return isReady(now) ? 'open' : 'opening'
    }
    const commit = (move: EditMove | undefined): boolean => {
      const now = open.current
      if (now && !isReady(now)) pendingMove.current = { number: now.number, move }
      else if (now?.slot.commitRef.current?.() === false) return false
      else close(now?.number, move)
      return true
    }
    const onReady = (number: number): void => {
      const end = pendingMove.current
      if (end?.number !== number) return
      pendingMove.current = undefined
      if (open.current?.number === number) commit(end.move)
    }
    return { phase, commit, onReady }
  }, [open, close])
}

const isReady = ({ slot }: { readonly slot: CellEditor }): boolean => slot.commitRef.current !== null

type Commit = CellEditor['commitRef']['current']

function notifyingRef(onFilled: () => void): CellEditor['commitRef'] {
  let commit: Commit = null
  return {
    get current() {
      return commit
    },
    set current(next: Commit) {
      const isFirst = commit === null && next !== null
      commit = next
      if (isFirst) onFilled()
    },
  }
}
