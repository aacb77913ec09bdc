import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '#web/ui/icons/start.ts'
import '../bars.css'
import { GRID_TEXTS_EN, type GridTexts } from '#web/ui/grid/grid-texts.ts'
import { useDebouncedText } from './use-debounced-text.ts'

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
