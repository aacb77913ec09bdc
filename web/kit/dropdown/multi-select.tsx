import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import { useToldOpen } from './use-told-open.ts'

/** Mantine's own, which tells screen readers at once that its list is open. */
export function MultiSelect(props: MultiSelectProps) {
  const tell = useToldOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineMultiSelect {...props} onDropdownOpen={open} />
}
