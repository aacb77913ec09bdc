import { formatDay } from '../format-value.ts'
import type { CellProps } from '../part-props.ts'

/** A day in the reader's language. */
export function DateCell({ value }: CellProps<'date'>) {
  return value === null ? null : <time dateTime={value}>{formatDay(value)}</time>
}
