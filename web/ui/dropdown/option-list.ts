import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { type KeyboardEvent, useCallback, useEffect, useReducer, useRef } from 'react'

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

/** How far Page Up and Page Down go: as many lines as the list shows, less one. */
const PAGE = 7

/** Letters typed without a longer rest than this are one word. */
const WORD_REST_MS = 700

let typed = ''
let typedAtMs = 0

/** The options of the list that is open; there is one at a time, and Mantine may still say another was it. */
function optionsOf(input: HTMLElement): readonly Element[] {
  if (input.dataset['expanded'] === undefined) return []
  const list = [...document.querySelectorAll('[role="listbox"]')].at(-1)
  return list ? [...list.querySelectorAll('[data-combobox-option]:not([data-combobox-disabled])')] : []
}

/** Where one is in a list: at what was gone to, else at what is chosen. */
function placeOf(options: readonly Element[]): number {
  const gone = options.findIndex((option) => option.hasAttribute('data-combobox-selected'))
  return gone === -1 ? options.findIndex((option) => option.hasAttribute('data-combobox-active')) : gone
}

/** Mantine's list knows one step at a time, and goes around its ends: whatever is further is so many steps. */
function goTo(input: HTMLElement, options: readonly Element[], place: number): void {
  const from = placeOf(options)
  const down = (place - from + options.length) % options.length
  const key = from !== -1 && down > options.length / 2 ? 'ArrowUp' : 'ArrowDown'
  // It may take its first step on the spot.
  for (let steps = 0; placeOf(options) !== place && steps <= options.length; steps += 1) {
    input.dispatchEvent(new globalThis.KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }))
  }
}

/** The place a key leads to; undefined where it means something else here. */
function placeAfter(key: string, input: HTMLInputElement, options: readonly Element[]): number | undefined {
  const last = options.length - 1
  const place = Math.max(placeOf(options), 0)
  if (key === 'PageDown') return Math.min(place + PAGE, last)
  if (key === 'PageUp') return Math.max(place - PAGE, 0)
  // Among words that were typed these two move the caret.
  const { readOnly, value, selectionStart, selectionEnd } = input
  if (!readOnly && selectionStart !== 0 && value !== '') return undefined
  if (!readOnly && selectionEnd !== value.length) return undefined
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** The next option whose words begin with the letters that were typed. */
function placeOfTyped(key: string, options: readonly Element[], nowMs: number): number | undefined {
  typed = nowMs - typedAtMs < WORD_REST_MS ? typed + normalizeForSearch(key) : normalizeForSearch(key)
  typedAtMs = nowMs
  const isSame = [...typed].every((letter) => letter === typed[0])
  const word = isSame ? typed.slice(0, 1) : typed
  // The same letter again goes on to the next that begins with it; a longer word may stay where it is.
  const from = placeOf(options) + (isSame ? 1 : 0)
  const inOrder = options.map((_, at) => (at + Math.max(from, 0)) % options.length)
  return inOrder.find((at) => normalizeForSearch(options[at]?.textContent ?? '').startsWith(word))
}

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/**
 * What Mantine's lists leave out: Page Up and Page Down, Home and End, and letters that lead to what begins with them
 * where one cannot type to narrow.
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

/**
 * What to call when a list opens. A list that is drawn only then names itself after its input was drawn, so that the input
 * must be drawn once more to tell screen readers that it is open, and which list is its. That draws every option again,
 * so it comes behind the list's first picture.
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
