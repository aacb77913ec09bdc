import { plainText } from '#domain/rich-text/plain-text.ts'
import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { HighlightedLine } from '#web/field-kinds/value-highlights.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

function RichTextCell({ value }: CellProps<'rich-text'>) {
  if (value === null) return null
  return <HighlightedLine text={typeof value === 'string' ? value : plainText(value)} />
}

export const richTextUi: FieldKindUi<'rich-text'> = {
  ...SHORT_VALUE,
  Cell: RichTextCell,
  Input: lazyComponent(() => import('./input.tsx'), 'RichTextInput'),
  defaultOptions: {},
  CellEditor: null,
  columnWidthPx: 260,
  isWide: true,
  canHaveDefault: false,
  canBePreset: false,
}
