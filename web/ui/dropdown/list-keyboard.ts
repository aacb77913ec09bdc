import type { KeyboardEvent } from 'react'
import { normalizeForSearch } from './filter-options.ts'

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
