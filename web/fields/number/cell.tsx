import { formatNumber } from '../format-value.ts'
import type { CellProps } from '../part-props.ts'

/** A number in the reader's language; its column stands at the end, in tabular figures. */
export function NumberCell({ value }: CellProps<'number'>) {
  return value === null ? null : formatNumber(value)
}
