import { plainText } from '#domain/rich-text/plain-text.ts'
import { inOneLine } from '../in-one-line.ts'
import type { CellProps } from '../part-props.ts'

/** The words of a document, in one line. */
export function RichTextCell({ value }: CellProps<'rich-text'>) {
  if (value === null) return null
  return inOneLine(typeof value === 'string' ? value : plainText(value))
}
