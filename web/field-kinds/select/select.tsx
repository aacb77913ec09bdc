import type { SelectFieldOptions } from '#domain/fields/field.ts'
import { type CellProps, type FieldKindUi, type OptionsFormProps, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { type LazyComponent, lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { OptionChip } from './option-chip.tsx'
import '../field-kinds.css'

function SelectCell({ field, value }: CellProps<'select'> | CellProps<'state'>) {
  if (value === null) return null
  const option = field.options.choices.find(({ name }) => name === value)
  return <OptionChip name={<Highlighted text={value} />} color={option?.color ?? 'gray'} />
}

const SelectOptionsForm: LazyComponent<OptionsFormProps<SelectFieldOptions>> = lazyComponent(
  () => import('./options.tsx'),
  'SelectOptionsForm',
)

export const selectUi: FieldKindUi<'select'> = {
  ...SHORT_VALUE,
  Cell: SelectCell,
  Input: lazyComponent(() => import('./input.tsx'), 'SelectInput'),
  defaultOptions: { choices: [] },
  OptionsForm: SelectOptionsForm,
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'SelectCellEditor'),
  columnWidthPx: 150,
}

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
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'MultiSelectCellEditor'),
  columnWidthPx: 220,
}

export const stateUi: FieldKindUi<'state'> = {
  ...SHORT_VALUE,
  Cell: SelectCell,
  Input: lazyComponent(() => import('./input.tsx'), 'StateInput'),
  defaultOptions: { choices: [] },
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'StateOptionsForm'),
  CellEditor: lazyComponent(() => import('./state-cell-editor.tsx'), 'StateCellEditor'),
  columnWidthPx: 150,
}
