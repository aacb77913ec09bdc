import {
  MultiSelect as MantineMultiSelect,
  type MultiSelectProps,
  Select as MantineSelect,
  type SelectProps,
} from '@mantine/core'
import { renderOption } from './option.tsx'
import { useAnnounceOpen } from './option-list.ts'

/** Re-renders when the list opens, so that Mantine's input sets `aria-controls`. */
function useOpenHandler({ onDropdownOpen }: Pick<SelectProps, 'onDropdownOpen'>): () => void {
  const tell = useAnnounceOpen()
  return () => {
    tell()
    onDropdownOpen?.()
  }
}

export function Select<Value extends string = string>(props: SelectProps<Value>) {
  const open = useOpenHandler(props)
  return <MantineSelect renderOption={renderOption} {...props} onDropdownOpen={open} />
}

export function MultiSelect(props: MultiSelectProps) {
  const open = useOpenHandler(props)
  return <MantineMultiSelect renderOption={renderOption} {...props} onDropdownOpen={open} />
}
