import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import { renderOption } from './option.tsx'
import { useAnnounceOpen } from './option-list.ts'

/** Mantine's target tells screen readers that the list is open. */
export function MultiSelect(props: MultiSelectProps) {
  const tell = useAnnounceOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineMultiSelect renderOption={renderOption} {...props} onDropdownOpen={open} />
}
