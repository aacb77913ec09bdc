import type { CellProps } from '../part-props.ts'
import { HighlightedLine } from '../value-marks.tsx'

/** Text of several lines, drawn in one. */
export function LongTextCell({ value }: CellProps<'long-text'>) {
  return value === null ? null : <HighlightedLine text={value} />
}
