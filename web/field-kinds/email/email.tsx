import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { TextOptionsForm } from '#web/field-kinds/text/text.tsx'
import { CellLink, mailtoHref } from '#web/field-kinds/typed-text/link-cell.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

function EmailCell({ value }: CellProps<'email'>) {
  return value === null ? null : <CellLink href={mailtoHref(value)} text={value} />
}

export const emailUi: FieldKindUi<'email'> = {
  ...SHORT_VALUE,
  Cell: EmailCell,
  Input: lazyComponent(() => import('./input.tsx'), 'EmailInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'EmailCellEditor'),
  columnWidthPx: 220,
}
