import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import '../field-kinds.css'

/** In characters; a longer text would slow the page down and can't be seen in a cell. */
const MAX_LENGTH = 300

const toSingleLine = (text: string): string =>
  text
    .slice(0, MAX_LENGTH * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)

function JsonCell({ value }: CellProps<'json'>) {
  return value === null ? null : <code className="cell-code">{toSingleLine(JSON.stringify(value))}</code>
}

export const jsonUi: FieldKindUi<'json'> = {
  ...SHORT_VALUE,
  Cell: JsonCell,
  Input: lazyComponent(() => import('./input.tsx'), 'JsonInput'),
  defaultOptions: {},
  CellEditor: null,
  columnWidthPx: 200,
  isWide: true,
  canBePreset: false,
}
