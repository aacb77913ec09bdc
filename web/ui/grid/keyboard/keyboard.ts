import type { EditMove } from '#web/ui/grid/editing/grid-editing.ts'
import { mirroredKey } from '#web/ui/shortcuts/shortcuts.tsx'

export type KeyPress = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

export type PendingKey = {
  /** Undefined for a mouse press, after which buffered typing ends. */
  readonly press?: KeyPress
  /** The cell in which the key was pressed; undefined if an earlier queued key may still move focus. */
  readonly at?: GridPosition
}

export type KeyPlace = 'header' | 'filters' | 'group' | 'row' | 'footer'

export type GridMovement = { readonly isExtending?: true } & (
  | { readonly do: 'move'; readonly rows: number; readonly columns: number }
  | { readonly do: 'page'; readonly pages: 1 | -1 }
  | { readonly do: 'edge'; readonly to: GridEdge }
)

export type GridEdge = 'rowStart' | 'rowEnd' | 'columnStart' | 'columnEnd' | 'gridStart' | 'gridEnd'

export type GridCommand =
  | GridMovement
  | { readonly do: 'selectCells'; readonly what: 'rows' | 'columns' | 'all' }
  | { readonly do: 'edit'; readonly seed?: string }
  | { readonly do: 'fill'; readonly to: 'down' | 'end' }
  | { readonly do: 'sort'; readonly isAdding: boolean }
  | { readonly do: 'resize'; readonly steps: number }
  | { readonly do: 'moveColumn' | 'moveRow'; readonly by: 1 | -1 }
  | { readonly do: 'toggleGroup'; readonly to: 'expanded' | 'collapsed' | 'other'; readonly isAll: boolean }
  | {
      readonly do:
        | 'toggleOrOpen'
        | 'selectAll'
        | 'open'
        | 'editOrOpen'
        | 'clear'
        | 'undo'
        | 'redo'
        | 'fitColumn'
        | 'enterCell'
        | 'leaveCell'
    }

/** The focused cell: lines are counted from the first header line, columns from the selection column. */
export type GridPosition = { readonly line: number; readonly column: number }

export type GridExtent = {
  readonly headerLines: number
  readonly bodyLines: number
  readonly footerLines?: number
  readonly columns: number
  /** Defaults to `columns`; includes the control after the last header, if there is one. */
  readonly headerColumns?: number
  readonly linesPerPage: number
}

const ARROWS: Readonly<Record<string, Step>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/**
 * The command for a key, based on the ARIA grid pattern and spreadsheets; undefined if the browser should handle the
 * key.
 */
export function commandFor(press: KeyPress, place: KeyPlace): GridCommand | undefined {
  const arrow = ARROWS[press.key]
  if (arrow) return arrowCommand(press, place, arrow)
  const isExtending = extendingOf(press, place)
  const withCtrl = press.ctrlKey || press.metaKey

  switch (press.key) {
    case 'Home':
      return { do: 'edge', to: withCtrl ? 'gridStart' : 'rowStart', ...isExtending }
    case 'End':
      return { do: 'edge', to: withCtrl ? 'gridEnd' : 'rowEnd', ...isExtending }
    case 'PageUp':
      return { do: 'page', pages: -1, ...isExtending }
    case 'PageDown':
      return { do: 'page', pages: 1, ...isExtending }
    case 'Escape':
      return { do: 'leaveCell' }
    case ' ':
      return spaceCommand(press, place)
    case 'Enter':
      return enterCommand(press, place)
    default:
      return withCtrl && !press.altKey ? shortcutFor(press, place) : plainCommand(press, place)
  }
}

export const mirrored = (press: KeyPress): KeyPress => ({ ...pressOf(press), key: mirroredKey(press.key) })

export const pressOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyPress): KeyPress => ({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
})

export function endOf({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyPress): EditMove | 'cancel' | undefined {
  if (key === 'Escape') return 'cancel'
  if (ctrlKey || altKey || metaKey) return undefined
  if (key === 'Enter') return shiftKey ? 'up' : 'down'
  if (key === 'Tab') return shiftKey ? 'previous' : 'next'
  return undefined
}

export function isMovement(command: GridCommand): command is GridMovement {
  return command.do === 'move' || command.do === 'page' || command.do === 'edge'
}

export const columnsOf = (extent: Pick<GridExtent, 'columns' | 'headerColumns'>, line: number): number =>
  (line <= 0 ? extent.headerColumns : undefined) ?? extent.columns

/** The position after a movement, which never leaves the grid or wraps around. */
export function moved(command: GridMovement, from: GridPosition, extent: GridExtent): GridPosition {
  const lastLine = extent.headerLines + extent.bodyLines + (extent.footerLines ?? 0) - 1
  const at = (line: number, column: number) => ({
    line: Math.max(0, Math.min(line, lastLine)),
    column: Math.max(0, Math.min(column, columnsOf(extent, line) - 1)),
  })
  switch (command.do) {
    case 'move':
      return at(from.line + command.rows, from.column + command.columns)
    case 'page':
      return from.line < extent.headerLines && command.pages < 0
        ? from
        : at(
            Math.max(from.line + command.pages * extent.linesPerPage, Math.min(from.line, extent.headerLines)),
            from.column,
          )
    case 'edge':
      return edgeOf(command.to, from, extent, at)
  }
}

type Step = readonly [rows: number, columns: number]

function arrowCommand(press: KeyPress, place: KeyPlace, step: Step): GridCommand | undefined {
  const [rows, columns] = step
  const isSideways = columns !== 0
  if (press.altKey && place === 'row' && rows !== 0) return { do: 'moveRow', by: rows > 0 ? 1 : -1 }
  if (press.altKey) return place === 'header' && rows > 0 ? { do: 'enterCell' } : undefined
  if (place === 'header' && isSideways && press.shiftKey) return columnCommand(press, columns)
  if (place === 'group' && isSideways) {
    return { do: 'toggleGroup', to: columns > 0 ? 'expanded' : 'collapsed', isAll: press.shiftKey }
  }
  return walk(press, place, step)
}

function walk(press: KeyPress, place: KeyPlace, [rows, columns]: Step): GridMovement {
  const isExtending = extendingOf(press, place)
  if (!press.ctrlKey && !press.metaKey) return { do: 'move', rows, columns, ...isExtending }
  const [back, forth] = columns === 0 ? (['columnStart', 'columnEnd'] as const) : (['rowStart', 'rowEnd'] as const)
  return { do: 'edge', to: rows + columns > 0 ? forth : back, ...isExtending }
}

function extendingOf(press: KeyPress, place: KeyPlace): { readonly isExtending?: true } {
  return press.shiftKey && (place === 'row' || place === 'group') ? { isExtending: true } : {}
}

function columnCommand({ ctrlKey, metaKey }: KeyPress, columns: number): GridCommand {
  const by = columns > 0 ? 1 : -1
  return ctrlKey || metaKey ? { do: 'moveColumn', by } : { do: 'resize', steps: by }
}

function spaceCommand(press: KeyPress, place: KeyPlace): GridCommand | undefined {
  if (press.altKey || press.metaKey) return undefined
  if (press.ctrlKey) return { do: 'selectCells', what: press.shiftKey ? 'all' : 'columns' }
  if (place === 'row') return press.shiftKey ? { do: 'selectCells', what: 'rows' } : { do: 'toggleOrOpen' }
  return pressCommand(press, place)
}

function enterCommand(press: KeyPress, place: KeyPlace): GridCommand | undefined {
  if (press.altKey) return undefined
  const withCtrl = press.ctrlKey || press.metaKey
  if (place !== 'row') return withCtrl ? undefined : pressCommand(press, place)
  if (press.shiftKey) return undefined
  return { do: withCtrl ? 'open' : 'editOrOpen' }
}

function pressCommand(press: KeyPress, place: Exclude<KeyPlace, 'row'>): GridCommand {
  if (place === 'header') return { do: 'sort', isAdding: press.shiftKey }
  return place !== 'group' ? { do: 'enterCell' } : { do: 'toggleGroup', to: 'other', isAll: press.shiftKey }
}

/** Shortcuts with Ctrl or Command and a letter, regardless of Shift. */
function shortcutFor(press: KeyPress, place: KeyPlace): GridCommand | undefined {
  const key = press.key.toLowerCase()
  if (press.shiftKey) {
    if (key === 'z') return { do: 'redo' }
    return key === 'f' ? { do: 'fitColumn' } : undefined
  }
  switch (key) {
    case 'a':
      return place === 'header' ? { do: 'selectAll' } : { do: 'selectCells', what: 'all' }
    case 'z':
      return { do: 'undo' }
    case 'y':
      return { do: 'redo' }
    case 'd':
      return place === 'row' ? { do: 'fill', to: 'down' } : undefined
    case 'r':
      return place === 'row' ? { do: 'fill', to: 'end' } : undefined
    default:
      return undefined
  }
}

/** Keys that start dead-key or input-method input, for which the editor must already be open. */
const COMPOSING = new Set(['Dead', 'Process'])

function plainCommand({ key, ctrlKey, altKey, metaKey }: KeyPress, place: KeyPlace): GridCommand | undefined {
  if (key === 'F2') return place === 'row' ? { do: 'edit' } : { do: 'enterCell' }
  if (place !== 'row' || metaKey) return undefined
  if (key === 'Delete' || key === 'Backspace') return { do: 'clear' }
  if (COMPOSING.has(key)) return { do: 'edit', seed: '' }
  // On some keyboards, Ctrl+Alt types AltGr characters; combinations with a plain letter or digit are left to the
  // browser.
  const isShortcut = (ctrlKey || altKey) && /^[a-z\d]$/i.test(key)
  return [...key].length === 1 && !isShortcut ? { do: 'edit', seed: key } : undefined
}

function edgeOf(
  to: GridEdge,
  from: GridPosition,
  extent: GridExtent,
  at: (line: number, column: number) => GridPosition,
): GridPosition {
  const firstLine = extent.bodyLines > 0 ? extent.headerLines : 0
  const lastLine = extent.headerLines + extent.bodyLines - 1
  switch (to) {
    case 'rowStart':
      return at(from.line, 0)
    case 'rowEnd':
      return at(from.line, columnsOf(extent, from.line) - 1)
    case 'columnStart':
      return at(from.line < extent.headerLines ? 0 : firstLine, from.column)
    case 'columnEnd':
      return at(lastLine, from.column)
    case 'gridStart':
      return at(firstLine, 0)
    case 'gridEnd':
      return at(lastLine, extent.columns - 1)
  }
}
