import type { CellProps } from '../part-props.ts'
import { ChoiceChip } from '../select/choice-chip.tsx'
import { Marked } from '../value-marks.tsx'
import '../fields.css'

/** More than fit into a cell are counted. */
const MOST_SHOWN = 6

/** The chosen options as chips, in their order. */
export function MultiSelectCell({ field, value }: CellProps<'multi-select'>) {
  const hidden = value.length - MOST_SHOWN
  const colorOf = (name: string) => field.options.choices.find((choice) => choice.name === name)?.color ?? 'gray'
  return (
    <span className="cell-chips">
      {value.slice(0, MOST_SHOWN).map((name, at) => (
        <ChoiceChip key={name} name={<Marked text={name} entry={at} />} color={colorOf(name)} />
      ))}
      {hidden > 0 && <span className="cell-more">+{hidden}</span>}
    </span>
  )
}
