import type { CellProps } from '../part-props.ts'
import { Highlighted } from '../value-marks.tsx'

/** One line of text. */
export function TextCell({ value }: CellProps<'text'>) {
  return value === null ? null : <Highlighted text={value} />
}
