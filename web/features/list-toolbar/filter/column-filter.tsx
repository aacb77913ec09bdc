import { valueField } from '#domain/formulas/value-field.ts'
import { NativeSelect } from '@mantine/core'
import { type Field, hasSelectOptions } from '#domain/fields/field.ts'
import { EVERYTHING } from '#domain/query/filter/parse-filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { useListFilter } from '#web/shared/conditions/list-filter.tsx'
import { FilterText } from '#web/ui/grid/header/debounced-inputs.tsx'
import type { FilterSlot } from '#web/ui/grid/columns/grid-column.ts'
import { t } from '#web/i18n/t.ts'
import { columnCondition, columnFilterOf, columnText, treeOf, withColumnCondition } from './column-condition.ts'

export type ColumnFilterProps = { readonly field: Field; readonly slot: FilterSlot }

export function ColumnFilter({ field: column, slot }: ColumnFilterProps) {
  const field = valueField(column)
  const { text, onChange } = useListFilter()
  const tree = treeOf(text)
  const shown = columnText(field, columnCondition(tree ?? EVERYTHING, field))
  // Invalid filter text is kept until the user corrects it.
  const isText = tree === undefined
  const words = columnFilterOf(field)
  const apply = (typed: string) => {
    const condition = words.read(typed, field.name)
    // Ignores incomplete input; empty input removes the condition.
    if (condition === undefined && typed.trim() !== '') return
    onChange((latest) => printFilter(withColumnCondition(treeOf(latest) ?? EVERYTHING, field, condition)))
  }

  const options = optionsOf(field)
  if (options === undefined)
    return (
      <FilterText
        {...slot}
        value={shown}
        onApply={apply}
        placeholder={words.placeholder}
        faultOf={(typed) =>
          typed.trim() !== '' && words.read(typed, field.name) === undefined
            ? t('Use a format like {placeholder}', { placeholder: words.placeholder })
            : undefined
        }
        isDisabled={isText}
      />
    )
  return (
    <NativeSelect
      size="xs"
      aria-label={slot.label}
      tabIndex={slot.tabIndex}
      value={shown}
      disabled={isText}
      data={[{ value: '', label: words.placeholder }, ...options]}
      onChange={({ currentTarget }) => apply(currentTarget.value)}
    />
  )
}

function optionsOf(field: Field): readonly { readonly value: string; readonly label: string }[] | undefined {
  if (field.kind === 'checkbox') return YES_NO_OPTIONS
  if (field.kind === 'json') return PRESENCE_OPTIONS
  return hasSelectOptions(field) ? field.options.choices.map(({ name }) => ({ value: name, label: name })) : undefined
}

const YES_NO_OPTIONS = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
]

const PRESENCE_OPTIONS = [
  { value: 'filled', label: t('Filled') },
  { value: 'empty', label: t('Empty') },
]
