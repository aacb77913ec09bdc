import { plainText } from '#domain/rich-text/plain-text.ts'
import type { CellProps } from '../part-props.ts'
import { HighlightedLine } from '../value-marks.tsx'

/** The words of a document, in one line. */
export function RichTextCell({ value }: CellProps<'rich-text'>) {
  if (value === null) return null
  return <HighlightedLine text={typeof value === 'string' ? value : plainText(value)} />
}
