import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import { useAnnounceOpen } from './option-list.ts'

/** Mantine's own, which tells screen readers at once that its list is open. */
export function MultiSelect(props: MultiSelectProps) {
  const tell = useAnnounceOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineMultiSelect {...props} onDropdownOpen={open} />
}
