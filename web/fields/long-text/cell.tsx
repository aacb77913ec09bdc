import { inOneLine } from '../in-one-line.ts'
import type { CellProps } from '../part-props.ts'

/** Text of several lines, drawn in one. */
export function LongTextCell({ value }: CellProps<'long-text'>) {
  return value === null ? null : inOneLine(value)
}
