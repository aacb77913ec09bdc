import { plainText } from '#domain/rich-text/plain-text.ts'

import { type CellProps, HighlightedLine } from '#web/field-kinds/value-highlights.tsx'

/** The words of a document, in one line. */
export function RichTextCell({ value }: CellProps<'rich-text'>) {
  if (value === null) return null
  return <HighlightedLine text={typeof value === 'string' ? value : plainText(value)} />
}
