import { t } from '#web/i18n/t.ts'
import type { GridCommand, KeyPlace } from './keyboard.ts'

/** A grid shortcut as displayed, with the command that it must trigger. */
export type GridKey = {
  readonly keys: readonly string[]
  readonly does: string
  readonly place: KeyPlace
  readonly command: GridCommand['do']
}

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
  { keys: ['PageUp', 'PageDown'], does: t('Go up or down one screen'), place: 'row', command: 'page' },
  { keys: ['Shift+ArrowDown'], does: t('Select cells'), place: 'row', command: 'move' },
  { keys: ['Enter'], does: t('Edit cell or open record'), place: 'row', command: 'editOrOpen' },
  { keys: ['F2'], does: t('Edit cell'), place: 'row', command: 'edit' },
  { keys: ['Space'], does: t('Open record, toggle checkbox or preview file'), place: 'row', command: 'toggleOrOpen' },
  { keys: ['Mod+Enter'], does: t('Open record'), place: 'row', command: 'open' },
  { keys: ['Space'], does: t('Select record (in row number column)'), place: 'row', command: 'toggleOrOpen' },
  { keys: ['Delete'], does: t('Clear selected cells'), place: 'row', command: 'clear' },
  {
    keys: ['Alt+ArrowUp', 'Alt+ArrowDown'],
    does: t('Move record (in manual order)'),
    place: 'row',
    command: 'moveRow',
  },
  { keys: ['Mod+Z'], does: t('Undo'), place: 'row', command: 'undo' },
  { keys: ['Mod+Shift+Z', 'Mod+Y'], does: t('Redo'), place: 'row', command: 'redo' },
  { keys: ['Mod+D'], does: t('Fill down'), place: 'row', command: 'fill' },
  { keys: ['Mod+R'], does: t('Fill to the end'), place: 'row', command: 'fill' },
  { keys: ['Shift+Space'], does: t('Select the row’s cells'), place: 'row', command: 'selectCells' },
  { keys: ['Control+Space'], does: t('Select the column’s cells'), place: 'row', command: 'selectCells' },
  { keys: ['Mod+A'], does: t('Select all cells'), place: 'row', command: 'selectCells' },
  { keys: ['Enter'], does: t('Sort (in header)'), place: 'header', command: 'sort' },
  { keys: ['Shift+Enter'], does: t('Also sort by this column (in header)'), place: 'header', command: 'sort' },
  {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
    does: t('Resize column (in header)'),
    place: 'header',
    command: 'resize',
  },
  {
    keys: ['Mod+Shift+ArrowLeft', 'Mod+Shift+ArrowRight'],
    does: t('Move column (in header)'),
    place: 'header',
    command: 'moveColumn',
  },
  { keys: ['Mod+Shift+F'], does: t('Fit column width'), place: 'header', command: 'fitColumn' },
  { keys: ['Alt+ArrowDown'], does: t('Go to controls in the header'), place: 'header', command: 'enterCell' },
  { keys: ['ArrowRight', 'ArrowLeft'], does: t('Expand or collapse group'), place: 'group', command: 'toggleGroup' },
]
