import { type CellProps, HighlightedLine } from '#web/field-kinds/value-highlights.tsx'

/** Text of several lines, drawn in one. */
export function LongTextCell({ value }: CellProps<'long-text'>) {
  return value === null ? null : <HighlightedLine text={value} />
}
