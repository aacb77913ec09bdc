import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { filterOptions, normalizeForSearch } from './filter-options.ts'
import type { DropdownGroup, DropdownOption } from './option.tsx'

/** The value of the row that makes a new option. */
export const CREATE_VALUE = '\u0000create'

/** What a dropdown gives Mantine: the rows, and our options by their value. */
export type DropdownData = {
  readonly rows: ComboboxParsedItem[]
  readonly byValue: ReadonlyMap<string, DropdownOption>
}

function rowOf(option: DropdownOption): ComboboxItem {
  return { value: option.value, label: option.label, ...(option.disabled && { disabled: true }) }
}

/**
 * Turns options and groups into Mantine's rows. A value that comes twice is left out the second time: options are
 * made by people, and Mantine takes the whole form down when two of them are the same.
 */
export function dropdownData(options: readonly (DropdownOption | DropdownGroup)[]): DropdownData {
  const byValue = new Map<string, DropdownOption>()
  const rows: ComboboxParsedItem[] = []

  const takeNew = (option: DropdownOption) => {
    if (byValue.has(option.value)) return false
    byValue.set(option.value, option)
    return true
  }

  for (const option of options) {
    if ('group' in option) rows.push({ group: option.group, items: option.options.filter(takeNew).map(rowOf) })
    else if (takeNew(option)) rows.push(rowOf(option))
  }
  return { rows, byValue }
}

/** The text a new option would get, or nothing where an option of that name is there already. */
export function newOptionText(search: string, data: DropdownData): string | undefined {
  const text = search.trim()
  if (!text) return undefined
  const folded = normalizeForSearch(text)
  for (const option of data.byValue.values()) if (normalizeForSearch(option.label) === folded) return undefined
  return text
}

/** The row that makes a new option, as it stands among the others. */
export function createRow(text: string): ComboboxItem {
  return { value: CREATE_VALUE, label: UI_TEXTS.dropdown.create(text) }
}

/** The filter of a dropdown in which options can be made: the row that makes one is always there, and last. */
export const filterKeepingCreate: OptionsFilter = (input) => {
  const isCreate = (row: ComboboxParsedItem) => 'value' in row && row.value === CREATE_VALUE
  const options = input.options.filter((row) => !isCreate(row))
  return [...filterOptions({ ...input, options }), ...input.options.filter(isCreate)]
}
