import { TextInput } from '@mantine/core'
import type { FilterSlot } from '#web/ui/grid/columns/grid-column.ts'
import { useDebouncedText } from './use-debounced-text.ts'

/** What a text filter shows and does. */
export type FilterTextProps = FilterSlot & {
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
