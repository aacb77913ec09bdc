import { t } from '#web/i18n/t.ts'
import type { GridCommand, KeyPlace } from './keyboard.ts'

/** A key of the grid as it is shown, with what the keyboard judge must make of it. */
export type GridKey = {
  readonly keys: readonly string[]
  readonly does: string
  readonly place: KeyPlace
  readonly command: GridCommand['do']
}

/** Every key of the grid; `grid-key-list.test.ts` presses each. */
export const GRID_KEYS: readonly GridKey[] = [
  {
    keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
    does: t('Go to the next cell'),
    place: 'row',
    command: 'move',
  },
  { keys: ['Mod+ArrowUp', 'Mod+ArrowDown'], does: t('Go to the first or last record'), place: 'row', command: 'edge' },
  { keys: ['Home', 'End'], does: t('Go to the first or last column'), place: 'row', command: 'edge' },
  { keys: ['Mod+Home', 'Mod+End'], does: t('Go to the first or last cell'), place: 'row', command: 'edge' },
  { keys: ['PageUp', 'PageDown'], does: t('Go a screen up or down'), place: 'row', command: 'page' },
  { keys: ['Shift+ArrowDown'], does: t('Mark cells'), place: 'row', command: 'move' },
  { keys: ['Enter'], does: t('Edit the cell, or open the record'), place: 'row', command: 'editOrOpen' },
  { keys: ['F2'], does: t('Edit the cell'), place: 'row', command: 'edit' },
  { keys: ['Mod+Enter'], does: t('Open the record'), place: 'row', command: 'open' },
  { keys: ['Delete'], does: t('Empty the marked cells'), place: 'row', command: 'clear' },
  { keys: ['Mod+Z'], does: t('Undo'), place: 'row', command: 'undo' },
  { keys: ['Mod+Shift+Z', 'Mod+Y'], does: t('Redo'), place: 'row', command: 'redo' },
  { keys: ['Mod+D'], does: t('Fill down'), place: 'row', command: 'fill' },
  { keys: ['Mod+R'], does: t('Fill to the end'), place: 'row', command: 'fill' },
  { keys: ['Space'], does: t('Select the record'), place: 'row', command: 'select' },
  { keys: ['Shift+Space'], does: t('Mark the row'), place: 'row', command: 'mark' },
  { keys: ['Control+Space'], does: t('Mark the column'), place: 'row', command: 'mark' },
  { keys: ['Mod+A'], does: t('Mark all cells'), place: 'row', command: 'mark' },
  { keys: ['Enter'], does: t('Sort, in a header'), place: 'header', command: 'sort' },
  { keys: ['Shift+Enter'], does: t('Sort by this as well, in a header'), place: 'header', command: 'sort' },
  {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
    does: t('Change the width, in a header'),
    place: 'header',
    command: 'resize',
  },
  {
    keys: ['Mod+Shift+ArrowLeft', 'Mod+Shift+ArrowRight'],
    does: t('Move the column, in a header'),
    place: 'header',
    command: 'moveColumn',
  },
  { keys: ['Mod+Shift+F'], does: t('Fit the column'), place: 'header', command: 'fitColumn' },
  { keys: ['Alt+ArrowDown'], does: t('Into what a header holds'), place: 'header', command: 'enterCell' },
  { keys: ['ArrowRight', 'ArrowLeft'], does: t('Open or close a group'), place: 'group', command: 'toggleGroup' },
]
