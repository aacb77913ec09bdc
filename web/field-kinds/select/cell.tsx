import { type CellProps, Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { OptionChip } from './option-chip.tsx'

/** The chosen option as a chip. */
export function SelectCell({ field, value }: CellProps<'select'> | CellProps<'state'>) {
  if (value === null) return null
  const choice = field.options.choices.find(({ name }) => name === value)
  return <OptionChip name={<Highlighted text={value} />} color={choice?.color ?? 'gray'} />
}
