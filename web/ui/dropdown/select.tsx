import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { renderOption } from './option.tsx'
import { useAnnounceOpen } from './option-list.ts'

/** Mantine's target tells screen readers that the list is open. */
export function Select<Value extends string = string>(props: SelectProps<Value>) {
  const tell = useAnnounceOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineSelect renderOption={renderOption} {...props} onDropdownOpen={open} />
}
