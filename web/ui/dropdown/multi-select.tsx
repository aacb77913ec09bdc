import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import { renderOption } from './option.tsx'
import { useAnnounceOpen } from './option-list.ts'

/** Re-renders when the list opens, so that Mantine's input sets `aria-controls`. */
export function MultiSelect(props: MultiSelectProps) {
  const tell = useAnnounceOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineMultiSelect renderOption={renderOption} {...props} onDropdownOpen={open} />
}
