/** A key press, as much of it as decides what it means. */
export type KeyPress = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/** In which kind of line the focus stands when the key is pressed. */
export type KeyPlace = 'header' | 'filters' | 'group' | 'row'

/** What a key asks the grid to do. */
export type GridCommand =
  | { readonly do: 'move'; readonly rows: number; readonly columns: number }
  | { readonly do: 'page'; readonly pages: 1 | -1 }
  | { readonly do: 'edge'; readonly to: 'rowStart' | 'rowEnd' | 'gridStart' | 'gridEnd' }
  | { readonly do: 'sort'; readonly isAdding: boolean }
  | { readonly do: 'resize'; readonly steps: number }
  | { readonly do: 'toggleGroup'; readonly to: 'expanded' | 'collapsed' | 'other' }
  | { readonly do: 'select' | 'selectAll' | 'open' | 'enterCell' | 'leaveCell' }

/** Where the focus stands: the line counts from the first header line, the column from the selection column. */
export type GridPosition = { readonly line: number; readonly column: number }

/** The size of what the focus can walk over. */
export type GridExtent = {
  /** Header lines above the rows: one, or two with the column filters. */
  readonly headLines: number
  readonly bodyLines: number
  readonly columns: number
  readonly linesPerPage: number
}

const ARROWS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The command of a key; undefined leaves the key to the browser. Follows the ARIA grid pattern. */
export function commandFor(press: KeyPress, place: KeyPlace): GridCommand | undefined {
  const withCtrl = press.ctrlKey || press.metaKey
  const arrow = ARROWS[press.key]
  if (arrow) return arrowCommand(press, place, arrow)

  switch (press.key) {
    case 'Home':
      return { do: 'edge', to: withCtrl ? 'gridStart' : 'rowStart' }
    case 'End':
      return { do: 'edge', to: withCtrl ? 'gridEnd' : 'rowEnd' }
    case 'PageUp':
      return { do: 'page', pages: -1 }
    case 'PageDown':
      return { do: 'page', pages: 1 }
    case 'a':
      return withCtrl ? { do: 'selectAll' } : undefined
    case 'F2':
      return { do: 'enterCell' }
    case 'Escape':
      return { do: 'leaveCell' }
    case ' ':
    case 'Enter':
      return press.altKey || withCtrl ? undefined : pressCommand(press, place)
    default:
      return undefined
  }
}

/** The same key in a page that is read from right to left, where the columns run the other way. */
export function mirrored({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyPress): KeyPress {
  const swapped = key === 'ArrowLeft' ? 'ArrowRight' : key === 'ArrowRight' ? 'ArrowLeft' : key
  return { key: swapped, ctrlKey, metaKey, shiftKey, altKey }
}

/** Where a command of movement leads; it never leaves the grid and never wraps round. */
export function moved(command: GridCommand, from: GridPosition, extent: GridExtent): GridPosition {
  const lastLine = extent.headLines + extent.bodyLines - 1
  const lastColumn = extent.columns - 1
  const at = (line: number, column: number) => ({
    line: Math.max(0, Math.min(line, lastLine)),
    column: Math.max(0, Math.min(column, lastColumn)),
  })
  switch (command.do) {
    case 'move':
      return at(from.line + command.rows, from.column + command.columns)
    case 'page':
      return from.line < extent.headLines && command.pages < 0
        ? from
        : at(
            Math.max(from.line + command.pages * extent.linesPerPage, Math.min(from.line, extent.headLines)),
            from.column,
          )
    case 'edge':
      return edgeOf(command.to, from, extent, at)
    default:
      return from
  }
}

function arrowCommand(
  press: KeyPress,
  place: KeyPlace,
  [rows, columns]: readonly [number, number],
): GridCommand | undefined {
  const isSideways = columns !== 0
  if (press.altKey) return place === 'header' && rows > 0 ? { do: 'enterCell' } : undefined
  if (press.ctrlKey || press.metaKey) return undefined
  if (press.shiftKey) return place === 'header' && isSideways ? { do: 'resize', steps: columns } : undefined
  if (place === 'group' && isSideways) return { do: 'toggleGroup', to: columns > 0 ? 'expanded' : 'collapsed' }
  return { do: 'move', rows, columns }
}

function pressCommand(press: KeyPress, place: KeyPlace): GridCommand {
  if (place === 'header') return { do: 'sort', isAdding: press.shiftKey }
  if (place === 'filters') return { do: 'enterCell' }
  if (place === 'group') return { do: 'toggleGroup', to: 'other' }
  return { do: press.key === ' ' ? 'select' : 'open' }
}

function edgeOf(
  to: 'rowStart' | 'rowEnd' | 'gridStart' | 'gridEnd',
  from: GridPosition,
  extent: GridExtent,
  at: (line: number, column: number) => GridPosition,
): GridPosition {
  switch (to) {
    case 'rowStart':
      return at(from.line, 0)
    case 'rowEnd':
      return at(from.line, extent.columns - 1)
    case 'gridStart':
      return at(extent.bodyLines > 0 ? extent.headLines : 0, 0)
    case 'gridEnd':
      return at(extent.headLines + extent.bodyLines - 1, extent.columns - 1)
  }
}
