import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { TextOptionsForm } from '#web/field-kinds/text/text.tsx'
import { CellLink, telHref } from '#web/field-kinds/typed-text/link-cell.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

function PhoneCell({ value }: CellProps<'phone'>) {
  return value === null ? null : <CellLink href={telHref(value)} text={value} />
}

export const phoneUi: FieldKindUi<'phone'> = {
  ...SHORT_VALUE,
  Cell: PhoneCell,
  Input: lazyComponent(() => import('./input.tsx'), 'PhoneInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'PhoneCellEditor'),
  columnWidthPx: 160,
}
