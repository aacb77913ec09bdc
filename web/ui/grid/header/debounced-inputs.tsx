import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '#web/ui/icons/start.ts'
import '../bars.css'
import { GRID_TEXTS_EN, type GridTexts } from '#web/ui/grid/grid-props.ts'
import { useDebouncedText } from './debounced-text.ts'
import type { FilterSlot } from '#web/ui/grid/columns/grid-column.ts'

export type SearchBoxProps = {
  readonly value: string
  readonly onSearch: (text: string) => void
  readonly texts?: GridTexts
}

/** Searches all columns: applied after a pause, or at once on Enter; Escape clears it. */
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

type FilterTextProps = FilterSlot & {
  readonly value: string
  readonly onApply: (text: string) => void
  readonly placeholder?: string
  /** Why the typed text is invalid, if so: it is not applied. */
  readonly faultOf?: (text: string) => string | undefined
  readonly isDisabled?: boolean
}

/** A text filter of a column: applied after a pause, or at once on Enter. */
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
