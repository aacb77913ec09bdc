import { runCommand } from './grid-keys.ts'
import { type GridContext, kindOfLine } from '#web/ui/grid/grid-context.ts'
import { commandFor, endOf, type GridCommand, type GridPosition, type PendingKey, type KeyPress } from './keyboard.ts'

/** What only the hands can do, or do otherwise than the grid without them. */
const INTERACTION_COMMANDS: ReadonlySet<GridCommand['do']> = new Set([
  ...(['mark', 'edit', 'editOrOpen', 'clear', 'fill', 'undo', 'redo'] as const),
  ...(['select', 'moveColumn', 'fitColumn'] as const),
])

/**
 * Does what a key asks for, or keeps it until that can be done: who types faster than the hands of the grid or the
 * editor of a cell arrive finds everything where it belongs. False for a key that is the browser's.
 */
export function pressKey<Row>(reach: GridContext<Row>, askForHands: () => void, press: KeyPress, at: GridPosition) {
  const { held, editing, hands } = reach
  const phase = editing.phase()
  if (held.length > 0 || phase === 'ending') return holdNext(reach, press)
  if (phase === 'coming') return typeAhead(reach, press)
  const command = commandFor(press, kindOfLine(reach, at.line))
  if (!command) return false
  if (hands || !INTERACTION_COMMANDS.has(command.do)) return runCommand(reach, command, at)
  askForHands()
  held.push({ press, at })
  return true
}

/** A key after others that wait waits as well, unless it is the browser's. */
function holdNext<Row>(reach: GridContext<Row>, press: KeyPress): boolean {
  const isEditing = reach.editing.phase() === 'ending' || reach.held.some((key) => key.press && beginsEdit(key.press))
  if (!commandFor(press, 'row') && !(isEditing && (endOf(press) || press.key === 'Enter'))) return false
  reach.held.push({ press })
  return true
}

const beginsEdit = (press: KeyPress): boolean => {
  const wish = commandFor(press, 'row')?.do
  return wish === 'edit' || wish === 'editOrOpen'
}

/** Does to an edit what a key would have done in its editor, had that been there. */
function typeAhead<Row>({ editing }: GridContext<Row>, press: KeyPress): boolean {
  const breaksLine = editing.now()?.column.breaksLines === true && press.key === 'Enter'
  const end = endOf(press)
  const command = commandFor(press, 'row')
  if (breaksLine && (press.shiftKey || press.altKey)) editing.type((typed) => `${typed}\n`)
  else if (end === 'cancel') editing.cancel()
  else if (end) editing.settle(end)
  else if (press.key === 'Backspace') editing.type((typed) => [...typed].slice(0, -1).join(''))
  else if (press.key === ' ') editing.type((typed) => `${typed} `)
  else if (command?.do === 'edit') editing.type((typed) => typed + (command.seed ?? ''))
  else return command !== undefined
  return true
}

/** Does what keys that waited ask for, as far as that can be done; to be called whenever the grid was drawn. */
export function replayKeys<Row>(reach: GridContext<Row>, drawAnew: () => void): void {
  const { held, hands, editing } = reach
  // Where an edit has ended since, the cell it leads to is known once that is drawn.
  const isBehind = editing.edited !== undefined && editing.phase() === 'none'
  if (!hands || isBehind) return
  while (held.length > 0 && editing.phase() !== 'ending') {
    // What was typed was refused: the keyboard is with it.
    if (editing.phase() === 'here') held.length = 0
    else if (replayKey(reach, held.shift())) return drawAnew()
  }
}

/** True when the next key may be for a cell that this one leads to. */
function replayKey<Row>(reach: GridContext<Row>, { press, at = reach.cell.active }: PendingKey = {}): boolean {
  const { editing } = reach
  if (editing.phase() === 'coming') {
    if (press) typeAhead(reach, press)
    else editing.settle(undefined)
    return false
  }
  const command = press && commandFor(press, kindOfLine(reach, at.line))
  if (command) runCommand(reach, command, at)
  return command !== undefined && editing.phase() !== 'coming'
}
