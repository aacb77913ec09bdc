import { CheckIcon } from '@mantine/core'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import { normalizeForSearch } from './option-list.ts'
import './dropdown.css'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

export type DropdownOption = {
  readonly value: string
  readonly label: string
  readonly description?: string
  readonly hue?: string
  readonly icon?: ComponentType<{ readonly size?: number; readonly stroke?: number; readonly 'aria-hidden'?: boolean }>
  readonly disabled?: boolean
}

export type DropdownGroup = { readonly group: string; readonly options: readonly DropdownOption[] }

export function HueDot({ hue }: { hue: string }) {
  return <span className="hue-dot" style={{ background: optionColors(hue).dot }} aria-hidden />
}

/** The sign before an option. */
export function OptionMark({ option: { hue, icon: MarkIcon } }: { option: DropdownOption }): ReactNode {
  if (hue !== undefined) return <HueDot hue={hue} />
  return MarkIcon && <MarkIcon size={16} stroke={1.5} aria-hidden />
}

export function OptionRow({ option, checked }: { option: DropdownOption; checked: boolean }): ReactNode {
  return (
    <span className="option-row">
      <OptionMark option={option} />
      {option.description ? (
        <span className="option-words">
          <span>{option.label}</span>
          <span className="option-description">{option.description}</span>
        </span>
      ) : (
        // A list renders up to a thousand of these, so a plain option uses as few elements as possible.
        <span className="option-words">{option.label}</span>
      )}
      {checked && <CheckIcon size={10} className="option-check" />}
    </span>
  )
}

/** Searches options; must stop when the signal aborts. */
export type OptionSearch = (text: string, signal: AbortSignal) => Promise<FoundOptions>

export type FoundOptions = {
  readonly options: readonly DropdownOption[]
  readonly total: number
  /** More than `total` matched; the exact number was not counted. */
  readonly isTotalCapped?: boolean
}

/** Creates what a search didn't find, if the user wants that; undefined if it was canceled or failed. */
export type CreateOption = (text: string) => Promise<DropdownOption | undefined>

const CREATE_VALUE = '\u0000create'

export const isCreateOption = ({ value }: Pick<DropdownOption, 'value'>): boolean => value === CREATE_VALUE

/** The last entry of a list, unless an option has exactly this label. */
export function createOptions({ options, status }: OptionSearchState, typed: string): readonly DropdownOption[] {
  const text = typed.trim()
  const isKnown = options.some(({ label }) => normalizeForSearch(label) === normalizeForSearch(text))
  if (text === '' || status !== 'found' || isKnown) return []
  return [{ value: CREATE_VALUE, label: UI_TEXTS.dropdown.create(text) }]
}

export const NO_OPTIONS: FoundOptions = { options: [], total: 0 }

export type OptionSearchState = FoundOptions & { readonly status: 'searching' | 'found' | 'failed' }

export function cutOptionsText({ total, isTotalCapped = false }: FoundOptions, shown: number): string | undefined {
  if (total <= shown && !isTotalCapped) return undefined
  return isTotalCapped ? UI_TEXTS.dropdown.firstOfMore(shown, total) : UI_TEXTS.dropdown.firstOf(shown, total)
}

export function noOptionsText(status: OptionSearchState['status']): string {
  if (status === 'searching') return UI_TEXTS.dropdown.loading
  return status === 'failed' ? UI_TEXTS.dropdown.failed : UI_TEXTS.nothingFound
}

/** Debounce of the search in ms. */
const SEARCH_DELAY_MS = 200

/**
 * Searches while the list is open: at once for an empty text, else 200 ms after the last keystroke. A new search
 * aborts the previous one, so a late response never replaces a newer one.
 */
export function useOptionSearch(search: OptionSearch, text: string, isOpen: boolean): OptionSearchState {
  const [state, setState] = useState<OptionSearchState>({ status: 'searching', ...NO_OPTIONS })

  useEffect(() => {
    if (!isOpen) return
    const asking = new AbortController()
    const { signal } = asking

    const ask = () => {
      search(text, signal).then(
        (found) => {
          if (!signal.aborted) setState({ ...found, status: 'found' })
        },
        () => {
          if (!signal.aborted) setState({ ...NO_OPTIONS, status: 'failed' })
        },
      )
    }

    // Keeps the previous results until the next response arrives, to avoid flicker.
    setState((before) => ({ ...before, status: 'searching' }))
    const timer = setTimeout(ask, text === '' ? 0 : SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [search, text, isOpen])

  return state
}
