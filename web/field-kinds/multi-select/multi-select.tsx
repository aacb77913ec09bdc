import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { SelectOptionsForm } from '#web/field-kinds/select/select.tsx'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import '../field-kinds.css'

/** Maximum number of values shown in a cell. */
const MAX_SHOWN = 6

function MultiSelectCell({ field, value }: CellProps<'multi-select'>) {
  const hidden = value.length - MAX_SHOWN
  const colorOf = (name: string) => field.options.choices.find((option) => option.name === name)?.color ?? 'gray'
  return (
    <span className="cell-chips">
      {value.slice(0, MAX_SHOWN).map((name, at) => (
        <OptionChip key={name} name={<Highlighted text={name} entry={at} />} color={colorOf(name)} />
      ))}
      {hidden > 0 && <span className="cell-more">+{hidden}</span>}
    </span>
  )
}

export const multiSelectUi: FieldKindUi<'multi-select'> = {
  ...SHORT_VALUE,
  Cell: MultiSelectCell,
  Input: lazyComponent(() => import('./input.tsx'), 'MultiSelectInput'),
  defaultOptions: { choices: [] },
  OptionsForm: SelectOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/select/cell-editor.tsx'), 'MultiSelectCellEditor'),
  columnWidthPx: 220,
}
