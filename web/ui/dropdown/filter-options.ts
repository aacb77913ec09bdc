import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

/** The value of the row that tells how many options were left out; it is never chosen. */
export const MORE_OPTIONS_VALUE = '\u0000more'

/** Text as it is compared while searching: without accents, without case, without space around it. */
export function normalizeForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** One option with its group, if it has one, so that the limit can be counted over all groups. */
type Candidate = { readonly item: ComboboxItem; readonly group: ComboboxParsedItemGroupName; readonly order: number }
type ComboboxParsedItemGroupName = Extract<ComboboxParsedItem, { group: unknown }>['group'] | undefined

function flatten(options: readonly ComboboxParsedItem[]): Candidate[] {
  const flat: Candidate[] = []
  for (const [order, option] of options.entries()) {
    if (!('group' in option)) flat.push({ item: option, group: undefined, order })
    else for (const item of option.items) flat.push({ item, group: option.group, order })
  }
  return flat
}

/** Puts what is left back under its groups; a group with nothing left in it is gone. */
function regroup(candidates: readonly Candidate[]): ComboboxParsedItem[] {
  const result: ComboboxParsedItem[] = []
  const groups = new Map<number, ComboboxItem[]>()
  for (const { item, group, order } of candidates) {
    const open = groups.get(order)
    if (group === undefined) result.push(item)
    else if (open) open.push(item)
    else {
      const items = [item]
      groups.set(order, items)
      result.push({ group, items })
    }
  }
  return result
}

function byGroupThenLength(a: Candidate, b: Candidate): number {
  if (a.group === undefined && b.group === undefined) return a.item.label.length - b.item.label.length
  return a.order - b.order || a.item.label.length - b.item.label.length
}

/**
 * The filter of every dropdown: accents and case do not matter, shorter labels come first while searching, and the
 * limit is counted over all groups together (Mantine's own filter counts it per group and keeps empty groups).
 * What was left out is named in a last row that cannot be chosen.
 */
export const filterOptions: OptionsFilter = ({ options, search, limit }) => {
  const wanted = normalizeForSearch(search)
  const all = flatten(options)
  const found = wanted ? all.filter(({ item }) => normalizeForSearch(item.label).includes(wanted)) : all
  const ordered = wanted ? found.toSorted(byGroupThenLength) : found
  const shown = regroup(ordered.slice(0, limit))
  if (found.length <= limit) return shown
  return [
    ...shown,
    { value: MORE_OPTIONS_VALUE, label: UI_TEXTS.dropdown.firstOf(limit, found.length), disabled: true },
  ]
}
