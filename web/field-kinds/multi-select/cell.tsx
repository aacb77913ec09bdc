import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { type CellProps, Highlighted } from '#web/field-kinds/value-highlights.tsx'
import '../field-kinds.css'

/** More than fit into a cell are counted. */
const MAX_SHOWN = 6

/** The chosen options as chips, in their order. */
export function MultiSelectCell({ field, value }: CellProps<'multi-select'>) {
  const hidden = value.length - MAX_SHOWN
  const colorOf = (name: string) => field.options.choices.find((choice) => choice.name === name)?.color ?? 'gray'
  return (
    <span className="cell-chips">
      {value.slice(0, MAX_SHOWN).map((name, at) => (
        <OptionChip key={name} name={<Highlighted text={name} entry={at} />} color={colorOf(name)} />
      ))}
      {hidden > 0 && <span className="cell-more">+{hidden}</span>}
    </span>
  )
}
