import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { TextOptionsForm } from '#web/field-kinds/text/text.tsx'
import { CellLink, shortUrl } from '#web/field-kinds/typed-text/link-cell.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

function UrlCell({ value }: CellProps<'url'>) {
  if (value === null) return null
  const short = shortUrl(value)
  return <CellLink href={value} text={short} from={value.indexOf(short)} />
}

export const urlUi: FieldKindUi<'url'> = {
  ...SHORT_VALUE,
  Cell: UrlCell,
  Input: lazyComponent(() => import('./input.tsx'), 'UrlInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'UrlCellEditor'),
  columnWidthPx: 220,
}
