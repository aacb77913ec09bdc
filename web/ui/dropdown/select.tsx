import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { renderOption } from './option.tsx'
import { useAnnounceOpen } from './option-list.ts'

/** Re-renders when the list opens, so that Mantine's input sets `aria-controls`. */
export function Select<Value extends string = string>(props: SelectProps<Value>) {
  const tell = useAnnounceOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineSelect renderOption={renderOption} {...props} onDropdownOpen={open} />
}
