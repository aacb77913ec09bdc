import type { CellProps } from '../part-props.ts'
import { Marked } from '../value-marks.tsx'

/** One line of text. */
export function TextCell({ value }: CellProps<'text'>) {
  return value === null ? null : <Marked text={value} />
}
