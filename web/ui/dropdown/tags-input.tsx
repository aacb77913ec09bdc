import { TagsInput as MantineTagsInput, type TagsInputProps } from '@mantine/core'
import { useAnnounceOpen } from './option-list.ts'

/** Re-renders when the list opens, so that Mantine's input sets `aria-controls`. */
export function TagsInput(props: TagsInputProps) {
  const tell = useAnnounceOpen()
  const open = () => {
    tell()
    props.onDropdownOpen?.()
  }
  return <MantineTagsInput {...props} onDropdownOpen={open} />
}
