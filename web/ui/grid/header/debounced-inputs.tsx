import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '#web/ui/icons/start.ts'
import '../bars.css'
import { GRID_TEXTS_EN, type GridTexts } from '#web/ui/grid/grid-props.ts'
import { useDebouncedText } from './debounced-text.ts'
import type { FilterSlot } from '#web/ui/grid/columns/grid-column.ts'

/** What the search box shows and does. */
export type SearchBoxProps = {
  /** The search that is applied. */
  readonly value: string
  readonly onSearch: (text: string) => void
  readonly texts?: GridTexts
}

/** Searches all columns: applied when the typing rests, or at once on Enter; Escape empties it. */
export function SearchBox({ value, onSearch, texts = GRID_TEXTS_EN }: SearchBoxProps) {
  const { text, onType, onKeyDown, applyNow } = useDebouncedText(value, onSearch)
  return (
    <TextInput
      type="search"
      role="searchbox"
      className="grid-search"
      aria-label={texts.search}
      placeholder={texts.search}
      value={text}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      rightSection={
        text !== '' && <CloseButton size="sm" aria-label={texts.clearSearch} onClick={() => applyNow('')} />
      }
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        onKeyDown(event)
        if (event.key === 'Escape' && text !== '') applyNow('')
      }}
    />
  )
}

/** What a text filter shows and does. */
type FilterTextProps = FilterSlot & {
  readonly value: string
  readonly onApply: (text: string) => void
  readonly placeholder?: string
  /** What is wrong with what is typed, if anything: it is not applied. */
  readonly faultOf?: (text: string) => string | undefined
  readonly isDisabled?: boolean
}

/** A column filter one types into: applied when the typing rests, or at once on Enter. */
export function FilterText({
  label,
  tabIndex,
  value,
  onApply,
  placeholder,
  faultOf,
  isDisabled = false,
}: FilterTextProps) {
  const { text, onType, onKeyDown } = useDebouncedText(value, onApply)
  const fault = faultOf?.(text)
  return (
    <TextInput
      size="xs"
      aria-label={label}
      tabIndex={tabIndex}
      placeholder={placeholder}
      title={fault}
      error={fault !== undefined}
      disabled={isDisabled}
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
