import type { SelectFieldOptions } from '#domain/fields/field.ts'
import { type CellProps, type FieldKindUi, type OptionsFormProps, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { type LazyComponent, lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { OptionChip } from './option-chip.tsx'

export function SelectCell({ field, value }: CellProps<'select'> | CellProps<'state'>) {
  if (value === null) return null
  const option = field.options.choices.find(({ name }) => name === value)
  return <OptionChip name={<Highlighted text={value} />} color={option?.color ?? 'gray'} />
}

export const SelectOptionsForm: LazyComponent<OptionsFormProps<SelectFieldOptions>> = lazyComponent(
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
