import { CheckIcon, type ComboboxLikeRenderOptionInput } from '@mantine/core'
import { type ComponentType, type ReactNode, type Ref, useEffect, useState } from 'react'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import { CREATE_VALUE, normalizeForSearch, optionPosition, type PlacedItem } from './option-list.ts'
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

/** The icon before an option's label. */
export function OptionMark({ option: { hue, icon: MarkIcon } }: { option: DropdownOption }): ReactNode {
  if (hue !== undefined) return <HueDot hue={hue} />
  return MarkIcon && <MarkIcon size={16} stroke={1.5} aria-hidden />
}

type OptionRowProps = {
  readonly option: DropdownOption
  readonly checked: boolean
  readonly ref?: Ref<HTMLSpanElement>
}

export function OptionRow({ option, checked, ref }: OptionRowProps): ReactNode {
  return (
    <span className="option-row" ref={ref}>
      <OptionMark option={option} />
      {option.description ? (
        <span className="option-words">
          <span>{option.label}</span>
          <span className="option-description">{option.description}</span>
        </span>
      ) : (
        // A list may render a thousand options, so a plain one uses as few elements as possible.
        <span className="option-words">{option.label}</span>
      )}
      {checked && <CheckIcon size={10} className="option-check" />}
    </span>
  )
}

type RenderedOption = ComboboxLikeRenderOptionInput<PlacedItem>

/**
 * Renders an option in a Mantine list. Mantine renders the parent element with the `option` role, so a ref sets the
 * ARIA position on that element.
 */
export function renderOption({ option, checked = false }: RenderedOption, shown: DropdownOption = option): ReactNode {
  const place = (row: HTMLElement | null) => {
    const element = row?.closest('[role="option"]')
    for (const [name, value] of Object.entries(option.position ?? {})) element?.setAttribute(name, String(value))
  }
  return <OptionRow ref={place} option={shown} checked={checked} />
}

/** Searches options; must stop when the signal aborts. */
export type OptionSearch = (text: string, signal: AbortSignal) => Promise<FoundOptions>

export type FoundOptions = {
  readonly options: readonly DropdownOption[]
  readonly total: number
  /** Whether there are more than `total` matches, which weren't counted exactly. */
  readonly isTotalCapped?: boolean
}

/** Creates an option that the search didn't find; undefined if this was canceled or failed. */
export type CreateOption = (text: string) => Promise<DropdownOption | undefined>

/** A last row that creates an option, unless an option with exactly this label exists. */
export function createOptions({ options, status }: OptionSearchState, typed: string): readonly DropdownOption[] {
  const text = typed.trim()
  const isKnown = options.some(({ label }) => normalizeForSearch(label) === normalizeForSearch(text))
  if (text === '' || status !== 'found' || isKnown) return []
  return [{ value: CREATE_VALUE, label: UI_TEXTS.dropdown.create(text) }]
}

export const NO_OPTIONS: FoundOptions = { options: [], total: 0 }

export type OptionSearchState = FoundOptions & { readonly status: 'searching' | 'found' | 'failed' }

/** Position of an option among all matches and the `extra` rows below them. */
export const foundPosition = (at: number, { total, isTotalCapped = false }: FoundOptions, extra: number) =>
  optionPosition(at, isTotalCapped ? -1 : total + extra)

export function cutOptionsText({ total, isTotalCapped = false }: FoundOptions, shown: number): string | undefined {
  if (total <= shown && !isTotalCapped) return undefined
  return isTotalCapped ? UI_TEXTS.dropdown.firstOfMore(shown, total) : UI_TEXTS.dropdown.firstOf(shown, total)
}

export function noOptionsText(status: OptionSearchState['status']): string {
  if (status === 'searching') return UI_TEXTS.dropdown.loading
  return status === 'failed' ? UI_TEXTS.dropdown.failed : UI_TEXTS.nothingFound
}

/** Search debounce in ms. */
const SEARCH_DELAY_MS = 200

/**
 * Searches while the list is open: immediately for an empty text, otherwise 200 ms after the last keystroke. A new
 * search aborts the previous one, so that a late response can't overwrite a newer one.
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
