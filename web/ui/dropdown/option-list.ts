import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { type KeyboardEvent, useCallback, useEffect, useReducer, useRef } from 'react'

export const MORE_OPTIONS_VALUE = '\u0000more'

export const CREATE_VALUE = '\u0000create'

export const isCreateOption = ({ value }: { readonly value: string }): boolean => value === CREATE_VALUE

export function normalizeForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** Position of an option in its list, which may be longer than the rendered part; a length of -1 means unknown. */
export const optionPosition = (at: number, listLength: number) => ({
  'aria-posinset': at + 1,
  'aria-setsize': listLength,
})

export type OptionPosition = ReturnType<typeof optionPosition>

/** An option with its position, which the filter passes to `renderOption`. */
export type PlacedItem = ComboboxItem & { readonly position?: OptionPosition }

/** An option with its group, so that the limit can be applied across all groups. */
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
 * The filter of every dropdown: ignores case and accents, lists shorter labels first, and applies the limit across all
 * groups (Mantine applies it per group and keeps empty groups). A disabled row shows how many options were omitted; the
 * row that creates an option is always last.
 */
export const filterOptions: OptionsFilter = ({ options, search, limit }) => {
  const wanted = normalizeForSearch(search)
  const all = flatten(options)
  const creating = all.filter(({ item }) => isCreateOption(item))
  const known = all.filter(({ item }) => !isCreateOption(item))
  const found = wanted ? known.filter(({ item }) => normalizeForSearch(item.label).includes(wanted)) : known
  const ordered = wanted ? found.toSorted(byGroupThenLength) : found
  const placed = (candidate: Candidate, at: number): Candidate => {
    const item: PlacedItem = { ...candidate.item, position: optionPosition(at, found.length + creating.length) }
    return { ...candidate, item }
  }
  const more = { value: MORE_OPTIONS_VALUE, label: UI_TEXTS.dropdown.firstOf(limit, found.length), disabled: true }
  return [
    ...regroup(ordered.slice(0, limit).map(placed)),
    ...(found.length > limit ? [more] : []),
    ...creating.map((candidate) => placed(candidate, found.length).item),
  ]
}

/** Page Up and Page Down move by one row less than is visible. */
const PAGE = 7

/** In ms: letters typed within this time are combined into one word. */
const WORD_REST_MS = 700

let typed = ''
let typedAtMs = 0

/** Only one list is open at a time, but Mantine may still report events from the previous one. */
function optionsOf(input: HTMLElement): readonly Element[] {
  if (input.dataset['expanded'] === undefined) return []
  const list = [...document.querySelectorAll('[role="listbox"]')].at(-1)
  return list ? [...list.querySelectorAll('[data-combobox-option]:not([data-combobox-disabled])')] : []
}

function placeOf(options: readonly Element[]): number {
  const gone = options.findIndex((option) => option.hasAttribute('data-combobox-selected'))
  return gone === -1 ? options.findIndex((option) => option.hasAttribute('data-combobox-active')) : gone
}

/** Mantine moves one option at a time and wraps around, so larger moves repeat the step. */
function goTo(input: HTMLElement, options: readonly Element[], place: number): void {
  const from = placeOf(options)
  const down = (place - from + options.length) % options.length
  const key = from !== -1 && down > options.length / 2 ? 'ArrowUp' : 'ArrowDown'
  for (let steps = 0; placeOf(options) !== place && steps <= options.length; steps += 1) {
    input.dispatchEvent(new globalThis.KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }))
  }
}

function placeAfter(key: string, input: HTMLInputElement, options: readonly Element[]): number | undefined {
  const last = options.length - 1
  const place = Math.max(placeOf(options), 0)
  if (key === 'PageDown') return Math.min(place + PAGE, last)
  if (key === 'PageUp') return Math.max(place - PAGE, 0)
  const { readOnly, value, selectionStart, selectionEnd } = input
  if (!readOnly && selectionStart !== 0 && value !== '') return undefined
  if (!readOnly && selectionEnd !== value.length) return undefined
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

function placeOfTyped(key: string, options: readonly Element[], nowMs: number): number | undefined {
  typed = nowMs - typedAtMs < WORD_REST_MS ? typed + normalizeForSearch(key) : normalizeForSearch(key)
  typedAtMs = nowMs
  const isSame = [...typed].every((character) => character === typed[0])
  const word = isSame ? typed.slice(0, 1) : typed
  // A repeated letter moves to the next match; a longer word can keep the current match.
  const from = placeOf(options) + (isSame ? 1 : 0)
  const inOrder = options.map((_, at) => (at + Math.max(from, 0)) % options.length)
  return inOrder.find((at) => normalizeForSearch(options[at]?.textContent ?? '').startsWith(word))
}

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/**
 * Adds features missing from Mantine's lists: Page Up, Page Down, Home, End, and type-ahead if there is no filter
 * input.
 */
export function pressListKey(event: KeyboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget
  if (event.nativeEvent.isComposing || input.disabled) return
  const options = optionsOf(input)
  const isTyped = input.readOnly && isLetter(event)
  if (options.length === 0) {
    if (isTyped && input.dataset['expanded'] === undefined) input.click()
    return
  }
  const place = isTyped ? placeOfTyped(event.key, options, event.timeStamp) : placeAfter(event.key, input, options)
  if (place === undefined) return
  event.preventDefault()
  goTo(input, options, place)
}

/** For lists without free text: Enter on an open list with no highlighted option would submit the form with the old value. */
export function pressSelectKey(event: KeyboardEvent<HTMLInputElement>): void {
  const isOpen = event.currentTarget.dataset['expanded'] !== undefined
  const isHighlighted = (option: Element): boolean => option.hasAttribute('data-combobox-selected')
  if (event.key === 'Enter' && isOpen && !optionsOf(event.currentTarget).some(isHighlighted)) event.preventDefault()
  pressListKey(event)
}

/**
 * Call this when a list opens. A lazily rendered list gets its ID after the input, so the input must re-render to set
 * `aria-controls`. This re-renders every option, so it is delayed until after the list's first paint.
 */
export function useAnnounceOpen(): () => void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const frame = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current)
      clearTimeout(timer.current)
    },
    [],
  )
  return useCallback(() => {
    frame.current = requestAnimationFrame(() => {
      timer.current = setTimeout(drawAgain)
    })
  }, [])
}
